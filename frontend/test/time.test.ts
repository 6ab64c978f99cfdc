import { afterEach, expect, test, vi } from "vitest";
import { chosenDay, figures, moment, regional } from "../src/view/time";

const now = new Date(2030, 4, 12, 14, 30).getTime();

afterEach(() => {
  vi.restoreAllMocks();
});

test("today, yesterday and earlier days are named as people do", () => {
  expect(moment(new Date(2030, 4, 12, 10, 5).getTime(), now, "de")).toBe("Heute 10:05");
  expect(moment(new Date(2030, 4, 11, 23, 59).getTime(), now, "de")).toBe("Gestern 23:59");
  expect(moment(new Date(2030, 1, 3, 10, 5).getTime(), now, "de")).toBe("3. Feb. 10:05");
  expect(moment(new Date(2028, 1, 3, 10, 5).getTime(), now, "de")).toBe("3. Feb. 2028 10:05");
});

test("the browser's region decides how hours are written", () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-FR", "en-GB"]);
  expect(moment(now, now, "en")).toBe("Today 14:30");
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-US"]);
  expect(moment(now, now, "en")).toMatch(/^Today 2:30\sPM$/);
});

test("years and digits are those of the bot's messages in every language", () => {
  const old = new Date(2028, 1, 3, 10, 5).getTime();
  expect(moment(old, now, "th-TH")).toContain("2028");
  expect(moment(old, now, "ar-EG")).toContain("2028");
  expect(moment(old, now, "fa")).toContain("2028");
  expect(figures(1234, "ar-EG")).toBe("1,234");
  expect(new Intl.Locale(regional("ar")).language).toBe("ar");
});

test("a chosen day is said in words, and nothing else is taken for one", () => {
  expect(chosenDay("2030-05-12", "en-GB")).toBe(new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).format(Date.UTC(2030, 4, 12)));
  expect(chosenDay("2030-05-12", "de-DE")).toBe("Sonntag, 12. Mai 2030");
  expect(chosenDay("2030-13-12", "de-DE")).toBe("2030-13-12");
  expect(chosenDay("Room 2030-05-12", "de-DE")).toBe("Room 2030-05-12");
});
