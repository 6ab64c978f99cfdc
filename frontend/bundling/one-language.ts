// Builds the studio for the readers of one language: of `pick({ en: ..., de: ... })` in its words.ts files only their texts
// stay, and its page bears the language in its name and its element. The service answers with the page of the reader's language
// (src/dialoom/http/chat/pages.py), so that nothing is chosen, and nothing waited for, in the browser. Not by modules that are
// awaited: Safari 17 runs a module too early when two wait for the same `await` (WebKit bug 242740), and it is a round trip more.

import { parseAst, type Plugin } from "vite";

export function oneLanguage(language: string): Plugin {
  return {
    name: "oneLanguage",
    transform: {
      filter: { id: /\/src\/studio\/(?:[\w-]+\/)?words\.ts$/ },
      handler: (code) => ({ code: textsOf(code, language), map: null }),
    },
    transformIndexHtml: (page, { path }) => (path.endsWith("/studio.html") ? page.replace('<html lang="en">', `<html lang="${language}">`) : page),
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const page = bundle["studio.html"];
        if (page) page.fileName = `studio.${language}.html`;
      },
    },
  };
}

/** The code of a words.ts with one language's texts in place of the call of `pick`. */
export function textsOf(code: string, language: string): string {
  for (const statement of parseAst(code).body) {
    const declared = statement.type === "ExportNamedDeclaration" && statement.declaration?.type === "VariableDeclaration" ? statement.declaration.declarations : [];
    for (const { init } of declared) {
      if (init?.type !== "CallExpression" || init.callee.type !== "Identifier" || init.callee.name !== "pick") continue;
      const [texts] = init.arguments;
      for (const one of texts?.type === "ObjectExpression" ? texts.properties : [])
        if (one.type === "Property" && one.key.type === "Identifier" && one.key.name === language)
          return code.slice(0, init.start) + code.slice(one.value.start, one.value.end) + code.slice(init.end);
    }
  }
  throw new Error(`A words.ts exports no texts as pick({ en: ..., de: ... }) with the key ${language}: bundling/one-language.ts does not know its form.`);
}
