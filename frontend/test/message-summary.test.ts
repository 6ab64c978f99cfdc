import { expect, test } from "vitest";
import { snippetOf } from "../src/embedded/message-summary";

test("the beginning of a text stands without Markdown's signs, and ends where it is long", () => {
  expect(snippetOf("**Open** until [six](https://example.org)\n> today")).toBe("Open until six today");
  expect(snippetOf("a".repeat(141))).toBe(`${"a".repeat(140)}…`);
});

test("of a long text only the beginning is read", () => {
  expect(snippetOf(`${"*".repeat(5000)}b`)).toBe("");
});
