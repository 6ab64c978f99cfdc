// Entry of the hosted page: the element stands in the page already, with its attributes filled in by the service.

import "./page.css";
import { loadWords } from "./texts";
import { define } from "./view/dialoom-chat";

const loadDialogs = async () => {
  const [dialogs, logins] = await Promise.all([import("./dialogs"), import("./logins")]);
  return { ...dialogs, ...logins };
};

// The chat waits for its words, so that it does not begin in English and change.
void loadWords(document.documentElement.lang).then(() => define(loadDialogs));
