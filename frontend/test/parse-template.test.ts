import { expect, test } from "vitest";
import { BOUND, parseTemplate } from "../src/view/parse-template";

const shown = (text: string) => parseTemplate(text).innerHTML;

test("elements, attributes in each way of writing, comments and text become nodes", () => {
  const text = '<p class="a b" hidden>One <b title=\'x\'>two</b><br>three<!--note--></p>';
  expect(shown(text)).toBe('<p class="a b" hidden="">One <b title="x">two</b><br>three<!--note--></p>');
});

test("a place for a value is a comment, as the browser's parser makes it", () => {
  const [text, place] = parseTemplate("a<?lit$1$>").content.childNodes;
  expect([text?.textContent, place?.nodeType, place?.textContent]).toEqual(["a", 8, "?lit$1$"]);
});

test("bound attributes keep their order and values under names that every browser takes", () => {
  const element = parseTemplate(`<i @click${BOUND}=lit$1$ class="x" .value${BOUND}="a lit$1$ b" />`).content.firstElementChild;
  const names = element?.getAttributeNames() ?? [];
  expect(names.map((name) => [name.endsWith(BOUND), element?.getAttribute(name)])).toEqual([
    [true, "lit$1$"],
    [false, "x"],
    [true, "a lit$1$ b"],
  ]);
  expect(names.every((name) => /^[a-z0-9.]+$/.test(name))).toBe(true);
});

test("what is inside of svg belongs to SVG and keeps its case", () => {
  const path = parseTemplate('<svg viewBox="0 0 2 2"><path d="M0 0" /></svg><p></p>').content;
  expect(path.querySelector("svg")?.getAttribute("viewBox")).toBe("0 0 2 2");
  expect(path.querySelector("path")?.namespaceURI).toBe("http://www.w3.org/2000/svg");
  expect(path.querySelector("p")?.namespaceURI).toBe("http://www.w3.org/1999/xhtml");
});

test("a textarea holds text", () => {
  expect(parseTemplate("<textarea>a <b></textarea><p></p>").content.firstElementChild?.textContent).toBe("a <b>");
});

test.each(["<p></b>", "a &amp; b", "</p>", "<p <", "<textarea>a"])("%s is refused: it cannot be read as meant", (text) => {
  expect(() => parseTemplate(text)).toThrow("No template");
});
