// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";

test("Teams, which opened the window, is told that the login is done, and the window closes", async () => {
  vi.useFakeTimers();
  document.body.innerHTML = '<main data-after="3000"></main>';
  const told: [{ id: number; func: string; args: string[] }, string][] = [];
  const host = { postMessage: (message: never, origin: string) => told.push([message, origin]) };
  Object.defineProperty(window, "opener", { value: host, configurable: true });
  const close = vi.spyOn(window, "close").mockImplementation(() => undefined);
  await import("../src/login/teams.ts");
  expect(told.map(([message, origin]) => [message.id, message.func, origin])).toEqual([[0, "initialize", "*"]]);
  const answer = (id: number) => window.dispatchEvent(new MessageEvent("message", { data: { id }, origin: "https://teams.microsoft.com" }));
  answer(7);
  expect(told.length).toBe(1);
  answer(0);
  answer(0);
  expect(told.length).toBe(2);
  expect(told[1]).toMatchObject([{ func: "authentication.authenticate.success", args: ["login"] }, "https://teams.microsoft.com"]);
  vi.advanceTimersByTime(200);
  expect(close).toHaveBeenCalledTimes(1);
});
