// What is loaded late in a page is here before the first test: with a clock that stands, nothing would wait for it.

import { loadLexer } from "../src/view/markdown";

await loadLexer();
