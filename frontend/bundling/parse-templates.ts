// Has Lit make its templates by src/view/parse-template.ts in place of `innerHTML`, so that the chat needs no Trusted Types
// policy: a page need name none for it, and one that allows none (`trusted-types 'none'`) shows it all the same.

import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const PARSER = fileURLToPath(new URL("../src/view/parse-template.ts", import.meta.url));
/** What is replaced in the module, each of them once. */
const REPLACED: readonly (readonly [string, string])[] = [
  ["=t.trustedTypes,", "=void 0,"],
  ['"$lit$"', "BOUND"],
  ["static createElement(t,i){", "static createElement(t,i){return parseTemplate(t);"],
];

export function parseTemplates(): Plugin {
  return {
    name: "parseTemplates",
    transform: {
      filter: { id: /\/lit-html\/lit-html\.js$/ },
      handler: (code) => ({ code: `import{BOUND,parseTemplate}from${JSON.stringify(PARSER)};${withParser(code)}`, map: null }),
    },
  };
}

export function withParser(code: string): string {
  return REPLACED.reduce((done, [theirs, ours]) => {
    if (done.split(theirs).length !== 2) throw new Error(`lit-html's module does not hold ${theirs} once: bundling/parse-templates.ts does not know its form.`);
    return done.replace(theirs, () => ours);
  }, code);
}
