import { expect, test } from "vitest";
import { storedValue } from "../src/protocol/stored-value";
import { FakeStorage } from "./fake-service";

test("a value is stored until it is removed", () => {
  const storage = new FakeStorage();
  storedValue(() => storage, "a").set("x");
  expect(storedValue(() => storage, "a").get()).toBe("x");
  storedValue(() => storage, "a").set(null);
  expect(storage.length).toBe(0);
});

test("where storage is forbidden it lasts as long as the page", () => {
  const forbidden = () => {
    throw new DOMException("Access is denied.", "SecurityError");
  };
  const kept = storedValue(forbidden, "a");
  kept.set("x");
  expect(kept.get()).toBe("x");
});

test("where storage is full it lasts as long as the page", () => {
  const full = new FakeStorage();
  full.setItem = () => {
    throw new DOMException("Quota exceeded.", "QuotaExceededError");
  };
  const kept = storedValue(() => full, "a");
  kept.set("x");
  expect(kept.get()).toBe("x");
});
