import { afterEach, expect, test, vi } from "vitest";
import { moment } from "../src/view/time";

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
