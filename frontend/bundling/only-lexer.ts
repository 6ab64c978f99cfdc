// Takes of marked what stands up to the end of its lexer. Behind it come a renderer and a parser, which make HTML strings and
// which the chat does not use; they are set up when the file is loaded, so that a bundler keeps them.

import { parseAst, type Plugin } from "vite";

export function onlyLexer(): Plugin {
  return {
    name: "onlyLexer",
    transform: {
      filter: { id: /\/marked\/lib\/marked\.esm\.js$/ },
      handler: (code) => ({ code: lexerOf(code), map: null }),
    },
  };
}

/** The code of marked's module with the class `Lexer` as its last statement and only export. */
export function lexerOf(code: string): string {
  const name = /\bexport\s*\{[^}]*?([\w$]+) as Lexer\b/.exec(code)?.[1];
  for (const statement of parseAst(code).body)
    if (statement.type === "VariableDeclaration" && statement.declarations.some(({ id }) => id.type === "Identifier" && id.name === name))
      return `${code.slice(0, statement.end)}export{${name} as Lexer};`;
  throw new Error("marked's module declares no variable that it exports as Lexer: bundling/only-lexer.ts does not know its form.");
}
