import { expect, test } from "vitest";
import { textsOf } from "../bundling/one-language";

const WORDS = `import { LOCALE, pick } from "../words";
const LIST = new Intl.NumberFormat(LOCALE);
export const words = pick({ en: { days: (count) => \`\${LIST.format(count)} days\` }, de: { days: (count) => \`\${LIST.format(count)} Tage\` } });
export const age = () => words.days(2);
`;

test("a build has the texts of its language in place of both", () => {
  const rest = (texts: string) => WORDS.replace(/pick\(\{.*\}\);/, `${texts};`);
  expect(textsOf(WORDS, "en")).toBe(rest("{ days: (count) => `${LIST.format(count)} days` }"));
  expect(textsOf(WORDS, "de")).toBe(rest("{ days: (count) => `${LIST.format(count)} Tage` }"));
});

test("texts may stand in a variable of their own", () => {
  expect(textsOf('const en = { a: "A" };\nexport const words = pick({ en, de: { a: "B" } });', "en")).toBe('const en = { a: "A" };\nexport const words = en;');
});

test.each(['export const words = { a: "A" };', 'export const words = pick({ en: { a: "A" } });', "export const words = pick(both);"])("a build stops at %s", (code) => {
  expect(() => textsOf(code, "de")).toThrow("one-language.ts does not know its form");
});
