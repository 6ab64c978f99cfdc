// Entry of the start page of a login whose rule is `cookie`.

import { prove, readPageData } from "./prove";

const given = readPageData(document.querySelector("main"));
if (given) void prove(window, given);
