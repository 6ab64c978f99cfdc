import { expect, test } from "vitest";
import { addMonths, dayOf, firstWeekday, iso, LONG, parts, read, SHORT, weekdayNames, weeks, written, pattern } from "../src/dialogs/days";
import { offeredDays } from "../src/dialogs/offered-days";

const day = (text: string) => {
  const [year, month, date] = text.split("-").map(Number);
  return dayOf(year ?? 0, month ?? 0, date ?? 0) as number;
};
const NOW = day("2026-11-21");
const reads = (text: string, locale: string) => {
  const found = read(text, locale, NOW);
  return found === null ? null : iso(found);
};

test("only days that the calendar has are days", () => {
  expect(dayOf(2024, 2, 29)).not.toBeNull();
  expect(dayOf(2023, 2, 29)).toBeNull();
  expect(dayOf(2030, 4, 31)).toBeNull();
  expect(dayOf(0, 1, 1)).toBeNull();
  expect(dayOf(10000, 1, 1)).toBeNull();
  expect(iso(day("0099-05-12"))).toBe("0099-05-12");
});

test.each([
  ["2030-05-12", "en-US", "2030-05-12"],
  ["2030-5-12", "de-DE", "2030-05-12"],
  ["5/12/2030", "en-US", "2030-05-12"],
  ["12/5/2030", "en-GB", "2030-05-12"],
  ["12.5.2030", "de-DE", "2030-05-12"],
  ["12.05.30", "de-DE", "2030-05-12"],
  ["12.5.", "de-DE", "2026-05-12"],
  ["12. Mai 2030", "de-DE", "2030-05-12"],
  ["12 may 2030", "en-GB", "2030-05-12"],
  ["May 12, 2030", "en-US", "2030-05-12"],
  ["3 mars", "fr-FR", "2026-03-03"],
  ["1er févr. 2030", "fr-FR", "2030-02-01"],
  ["2030年5月12日", "ja-JP", "2030-05-12"],
  ["2030. 5. 12.", "ko-KR", "2030-05-12"],
  ["١٢/٥/٢٠٣٠", "ar-EG", "2030-05-12"],
  ["12 مايو 2030", "ar", "2030-05-12"],
  ["1.1.85", "de-DE", "1985-01-01"],
  ["12/5/2573", "th", "2030-05-12"],
  ["12 พฤษภาคม 2573", "th-TH", "2030-05-12"],
  ["12/05/2030", "th", "2030-05-12"],
])("%s is read in %s", (text, locale, expected) => {
  expect(reads(text, locale)).toBe(expected);
});

test.each(["", "soon", "12", "31.4.2030", "13/13/2030", "1 2 3 4", "12 jam 2030", "2030"])("%s is no date", (text) => {
  expect(reads(text, "en-GB")).toBeNull();
});

test.each(["en-US", "en-GB", "de-DE", "ar-EG", "fa-IR", "th-TH", "ja-JP", "fr-CA", "nl-NL", "hi-IN", "pl-PL"])(
  "what %s writes in figures it also reads, always in the Gregorian calendar",
  (locale) => {
    for (const text of ["2030-05-12", "1985-12-01", "2024-02-29"]) expect(reads(written(day(text), locale, SHORT), locale)).toBe(text);
  },
);

test("a month on stays within the month, and within the years that there are", () => {
  expect(iso(addMonths(day("2030-01-31"), 1))).toBe("2030-02-28");
  expect(iso(addMonths(day("2024-02-29"), 12))).toBe("2025-02-28");
  expect(iso(addMonths(day("2030-01-15"), -1))).toBe("2029-12-15");
  expect(parts(addMonths(day("9999-12-15"), 1)).year).toBe(9999);
  expect(parts(addMonths(day("0001-01-15"), -1)).year).toBe(1);
});

test("a month's weeks begin with the locale's first day and hold every day of it", () => {
  const rows = weeks(day("2026-11-21"), 1);
  expect(iso(rows[0]?.[0] ?? 0)).toBe("2026-10-26");
  expect(rows.map((row) => row.length)).toEqual([7, 7, 7, 7, 7, 7]);
  expect(weeks(day("2026-02-10"), 0)).toHaveLength(4);
});

test.each([["de-DE", 1], ["en-US", 0], ["ar-EG", 6], ["en-GB", 1], ["pt-BR", 0]])("weeks of %s begin on day %i", (locale, first) => {
  expect(firstWeekday(locale)).toBe(first);
});

test("names of days are short enough for a column", () => {
  const week = weeks(NOW, 1)[0] ?? [];
  expect(weekdayNames(week, "en-GB")[0]).toBe("Mon");
  for (const name of weekdayNames(week, "ar")) expect(name.length).toBeLessThan(6);
});

test("a date is said in words", () => {
  expect(written(day("2030-05-12"), "de-DE", LONG)).toBe("Sonntag, 12. Mai 2030");
});

test.each([
  ["en-GB", "DD/MM/YYYY"],
  ["en-US", "MM/DD/YYYY"],
  ["de", "TT.MM.JJJJ"],
  ["sv", "ÅÅÅÅ-MM-DD"],
  ["ar", "يوم/شهر/سنة"],
])("how a date is typed in %s stands in letters: %s", (locale, wanted) => {
  expect(pattern(locale)).toBe(wanted);
});

test("a picker offers the days between its limits that are not off", () => {
  const day = (text: string) => Date.parse(text) / 86_400_000;
  const offered = offeredDays({ min: "2030-01-02", max: "2030-01-31", off: ["sunday", "2030-01-08"] });
  const off = ["2030-01-01", "2030-02-01", "2030-01-06", "2030-01-08"].map((text) => offered.isOff(day(text)));
  expect(off).toEqual([true, true, true, true]);
  expect(offered.isOff(day("2030-01-07"))).toBe(false);
  expect(offered.nearest(day("2029-05-01"))).toBe(day("2030-01-02"));
  expect(offered.nearest(day("2030-05-01"))).toBe(day("2030-01-31"));
  const every = offeredDays({});
  expect([every.isOff(0), every.nearest(5)]).toEqual([false, 5]);
});
