// Entry of the hosted page: the element stands in the page already, with its attributes filled in by the service.

import "./page.css";
import { loadWords } from "./texts";
import { define } from "./view/dialoom-chat";

// The chat waits for its words, so that it does not begin in English and change.
void loadWords(document.documentElement.lang).then(() => define(() => import("./dialogs")));
