// A plain page that changes its pages without loading them, and draws its whole body anew each time.

import { load } from "@dialoom/widget";
import { options } from "./options.js";

const display = { proactive: { text: "Questions about cups?", after: 0.1, pages: ["/cups"] } };

function show(name) {
  const heading = Object.assign(document.createElement("h1"), { textContent: name });
  const link = Object.assign(document.createElement("button"), { textContent: "Cups", onclick: () => go("cups") });
  document.body.replaceChildren(heading, link);
  // Called on each page, as frameworks do.
  load({ ...options, display });
}

function go(name) {
  history.pushState(null, "", `/${name}`);
  show(name);
}

show("tea");
