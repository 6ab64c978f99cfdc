// Entry of the hosted picker page: one open question, for chats that cannot show its dialog themselves.

import "./pick.css";
import { define } from "./picker/dialoom-picker";
import { loadWords } from "./texts";
import { loadLexer } from "./view/markdown";

void Promise.all([loadWords(document.documentElement.lang), loadLexer()]).then(define);
