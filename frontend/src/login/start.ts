// Entry of the start page of a login whose rule is `cookie`.

import { prove, told } from "./prove";

const given = told(document.querySelector("main"));
if (given) void prove(window, given);
