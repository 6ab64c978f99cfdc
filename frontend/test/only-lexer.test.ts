import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Lexer } from "marked";
import { expect, test } from "vitest";
import { lexerOf } from "../bundling/only-lexer";

const MARKED = readFileSync(createRequire(import.meta.url).resolve("marked").replace("umd", "esm"), "utf8");
const TEXT = `# One **two** _three_ ~~four~~ \`five\`\\*

1. [a](https://x.test "t") ![b](c.png) <https://y.test> www.z.test a@b.test
   - [x] d
   - e<br>f &amp; g

> h
> i

| j | k |
|---|--:|
| l | m |

\`\`\`js
n
\`\`\`

<div>o</div>

---
[p]: https://q.test
[p] and __r__
`;

test("the lexer alone reads as the whole of marked does", async () => {
  const cut = lexerOf(MARKED);
  expect(cut.length).toBeLessThan(MARKED.length * 0.85);
  const { Lexer: alone } = (await import(`data:text/javascript,${encodeURIComponent(cut)}`)) as { Lexer: typeof Lexer };
  for (const options of [{ gfm: true, breaks: true }, { gfm: true, breaks: false }]) {
    expect(alone.lex(TEXT, { ...options })).toEqual(Lexer.lex(TEXT, { ...options }));
    expect(alone.lexInline(TEXT, { ...options })).toEqual(Lexer.lexInline(TEXT, { ...options }));
  }
});

test("a module of another form is refused", () => {
  expect(() => lexerOf("export const lexer = 1;")).toThrow("exports as Lexer");
});
