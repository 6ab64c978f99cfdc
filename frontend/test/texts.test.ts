import { afterEach, expect, test, vi } from "vitest";
import { directionOf, fill, languageOfWords, loadWords, wordsFor } from "../src/texts";
import { all } from "./languages";

const { en } = all;

afterEach(() => vi.unstubAllGlobals());

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test.each(Object.entries(all))("%s says everything, with the same places to fill", (_language, words) => {
  for (const [name, text] of Object.entries(en)) {
    const theirs = words[name as keyof typeof en];
    expect(theirs.trim(), name).not.toBe("");
    expect(places(theirs), name).toEqual(places(text));
  }
});

test("no sentence bends with its number: the number stands after a colon", () => {
  for (const [language, words] of Object.entries(all))
    for (const name of ["chosen", "found", "left", "over"] as const)
      expect(words[name], `${language} ${name}`).toMatch(/^[^{]+(?:: |\u00a0: |：)\{n\}$/);
});

test("a date that ends in a dot is not followed by another", () => {
  for (const [language, words] of Object.entries(all)) {
    const example = new Intl.DateTimeFormat(language, { year: "numeric", month: "2-digit", day: "2-digit" }).format(0);
    expect(fill(words.notADate, { example }), language).not.toContain("..");
  }
});

test("a language is English until its words are here, and is asked for once", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return Response.json({ ...all.de, begin: undefined });
  });
  expect(wordsFor("de-AT")).toBe(en);
  expect(languageOfWords("de-AT")).toBe("en");
  await loadWords("de-AT", "https://service.test");
  await loadWords("de");
  expect(asked).toEqual(["https://service.test/static/words/de.json"]);
  expect(wordsFor("DE").send).toBe(all.de.send);
  // A word that an older file lacks is said in English.
  expect(wordsFor("de").begin).toBe(en.begin);
  expect(languageOfWords("de-AT")).toBe("de-AT");
});

test("words that do not come leave the chat in English", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await loadWords("ar");
  expect(wordsFor("ar")).toBe(en);
});

test.each(Object.keys(all))("a chat in %s has the words of its language", async (language) => {
  vi.stubGlobal("fetch", async () => Response.json(all[language]));
  await loadWords(language);
  expect(languageOfWords(language)).toBe(language);
});

test("a language without words is shown in English and nobody is asked for it", async () => {
  vi.stubGlobal("fetch", () => expect.unreachable());
  await loadWords("da");
  expect(wordsFor("da")).toBe(en);
});

test("the direction follows the language, also where the words do not", () => {
  expect(directionOf("ar-EG")).toBe("rtl");
  expect(directionOf("he")).toBe("rtl");
  expect(directionOf("en")).toBe("ltr");
});

test("a value that looks like a place is not filled again", () => {
  expect(fill("{name} says: {n}", { name: "{n}", n: 3 })).toBe("{n} says: 3");
});
