import { afterEach, expect, test, vi } from "vitest";
import { tabLock } from "../src/protocol/tab-lock";

type Granted = () => Promise<unknown>;

/** A browser whose locks are given so. */
function locked(request: (name: string, options: LockOptions, granted: Granted) => Promise<unknown>): void {
  vi.stubGlobal("navigator", { locks: { request } });
}

const work = vi.fn(async () => "done");

afterEach(() => {
  work.mockClear();
  vi.unstubAllGlobals();
});

test("work waits for its turn under its name, and nobody waits for ever", async () => {
  let give: () => void = () => undefined;
  const asked: unknown[] = [];
  locked(async (name, { signal }, granted) => {
    asked.push(name, signal instanceof AbortSignal);
    await new Promise<void>((resolve) => {
      give = resolve;
    });
    return granted();
  });
  const going = tabLock("chat")(work);
  expect(asked).toEqual(["chat", true]);
  expect(work).not.toHaveBeenCalled();
  give();
  expect(await going).toBe("done");
});

test("where a browser has no locks, work is done at once", async () => {
  vi.stubGlobal("navigator", {});
  expect(await tabLock("chat")(work)).toBe("done");
});

test("where a turn is refused or does not come, work is done all the same", async () => {
  locked(() => Promise.reject(new DOMException("Access to the Locks API is denied.", "SecurityError")));
  expect(await tabLock("chat")(work)).toBe("done");
  expect(work).toHaveBeenCalledTimes(1);
});

test("work that fails fails once", async () => {
  locked((_, __, granted) => granted());
  work.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(tabLock("chat")(work)).rejects.toThrow("Failed to fetch");
  expect(work).toHaveBeenCalledTimes(1);
});
