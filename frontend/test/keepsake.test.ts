import { expect, test } from "vitest";
import { keepsake } from "../src/protocol/keepsake";
import { FakeStorage } from "./fake";

test("a keepsake lasts in the storage", () => {
  const storage = new FakeStorage();
  keepsake(() => storage, "a").set("x");
  expect(keepsake(() => storage, "a").get()).toBe("x");
  keepsake(() => storage, "a").set(null);
  expect(storage.length).toBe(0);
});

test("where storage is forbidden it lasts as long as the page", () => {
  const forbidden = () => {
    throw new DOMException("Access is denied.", "SecurityError");
  };
  const kept = keepsake(forbidden, "a");
  kept.set("x");
  expect(kept.get()).toBe("x");
});

test("where storage is full it lasts as long as the page", () => {
  const full = new FakeStorage();
  full.setItem = () => {
    throw new DOMException("Quota exceeded.", "QuotaExceededError");
  };
  const kept = keepsake(() => full, "a");
  kept.set("x");
  expect(kept.get()).toBe("x");
});
