import { expect, test } from "vitest";
import { ar } from "../src/texts/ar";
import { de } from "../src/texts/de";
import { en } from "../src/texts/en";
import { directionOf, fill, languageOfWords, wordsFor } from "../src/texts";

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test.each([["de", de], ["ar", ar]])("%s says everything, with the same places to fill", (_language, words) => {
  for (const [name, text] of Object.entries(en)) {
    const theirs = words[name as keyof typeof en];
    expect(theirs.trim(), name).not.toBe("");
    expect(places(theirs), name).toEqual(places(text));
  }
});

test("regions share their language's words", () => {
  expect(wordsFor("de-AT")).toBe(de);
  expect(wordsFor("DE")).toBe(de);
});

test("a language without words is shown in English, and says so to screen readers", () => {
  expect(wordsFor("fi")).toBe(en);
  expect(languageOfWords("fi")).toBe("en");
  expect(languageOfWords("de-AT")).toBe("de-AT");
});

test("the direction follows the language, also where the words do not", () => {
  expect(directionOf("ar-EG")).toBe("rtl");
  expect(directionOf("he")).toBe("rtl");
  expect(directionOf("en")).toBe("ltr");
});

test("a value that looks like a place is not filled again", () => {
  expect(fill("{name} says: {n}", { name: "{n}", n: 3 })).toBe("{n} says: 3");
});
