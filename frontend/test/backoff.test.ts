import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backoff, Sleeper } from "../src/protocol/backoff";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("pauses double from one second and end at thirty", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backoff(failures, () => 1));
  expect(longest).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test("half of a pause is left to chance", () => {
  expect(backoff(3, () => 0)).toBe(2000);
  expect(backoff(3, () => 0.5)).toBe(3000);
});

test("a sleep that is cut short ends at once and leaves no timer", async () => {
  const sleeper = new Sleeper();
  const slept = sleeper.sleep(30_000);
  sleeper.cut();
  await slept;
  expect(vi.getTimerCount()).toBe(0);
});
