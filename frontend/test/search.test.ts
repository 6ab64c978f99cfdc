import { expect, test } from "vitest";
import { folded, search } from "../src/dialogs/search";

const find = (texts: string[], query: string) => search(texts.map(folded), query).map((index) => texts[index]);

test("accents and case do not count", () => {
  expect(find(["Crème brûlée", "Straße", "ØRSTED"], "creme BRULEE")).toEqual(["Crème brûlée"]);
  expect(find(["Crème brûlée", "Straße", "ØRSTED"], "strasse")).toEqual(["Straße"]);
  expect(find(["Crème brûlée", "Straße", "ØRSTED"], "orst")).toEqual(["ØRSTED"]);
});

test("Arabic is found without its vowel signs and hamzas", () => {
  expect(find(["أُمراضُ القلب", "الأطفال"], "امراض")).toEqual(["أُمراضُ القلب"]);
});

test("every word of the query must be there, in any order", () => {
  expect(find(["Dr. Mei Tanaka", "Dr. Mei Sato"], "tan mei")).toEqual(["Dr. Mei Tanaka"]);
  expect(find(["Dr. Mei Tanaka"], "mei haddad")).toEqual([]);
});

test("what begins with the words comes before what only holds them", () => {
  expect(find(["Cardiology", "Card games", "Discard"], "card")).toEqual(["Cardiology", "Card games", "Discard"]);
  expect(find(["Discard", "Cardiology"], "card")).toEqual(["Cardiology", "Discard"]);
});

test("a language without spaces is found from within", () => {
  expect(find(["皮膚科", "眼科"], "膚")).toEqual(["皮膚科"]);
});

test("no words find everything", () => {
  expect(find(["a", "b"], " . ")).toEqual(["a", "b"]);
});
