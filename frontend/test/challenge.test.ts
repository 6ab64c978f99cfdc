import { afterEach, expect, test, vi } from "vitest";
import { Refusal } from "../src/protocol/feed-api";
import { answerChallenge } from "../src/logins/challenge";

const SERVICE = "https://bots.test/somewhere";
const ORIGIN = "https://bots.test";
const CHALLENGE = { type: "dialoom:login-challenge", challenge: "c.s" };
const prove = vi.fn(async (challenge: string) => `proof of ${challenge}`);

afterEach(() => prove.mockClear());

/** What a window that sent this gets back. */
async function answers(data: unknown, origin = ORIGIN, by: (challenge: string) => Promise<string> | undefined = prove) {
  const source = { postMessage: vi.fn() };
  await answerChallenge({ data, origin, source } as unknown as MessageEvent, SERVICE, by);
  return source.postMessage.mock.calls;
}

test("a challenge of the service's own page is answered with the proof, to that origin alone", async () => {
  expect(await answers(CHALLENGE)).toEqual([[{ type: "dialoom:login-proof", proof: "proof of c.s" }, { targetOrigin: ORIGIN }]]);
});

test.each(["https://evil.test", "http://bots.test", "https://bots.test:8443", "https://bots.test.evil.test", "null", ""])(
  "a challenge from %s is not even carried to the service",
  async (origin) => {
    expect(await answers(CHALLENGE, origin)).toEqual([]);
    expect(prove).not.toHaveBeenCalled();
  },
);

test.each([null, undefined, "dialoom:login-challenge", {}, { type: "dialoom:login-challenge" }, { ...CHALLENGE, challenge: 7 }, { ...CHALLENGE, type: "other" }])(
  "what is no challenge is none of ours: %j",
  async (data) => {
    expect(await answers(data)).toEqual([]);
    expect(prove).not.toHaveBeenCalled();
  },
);

test("where the service refuses, or does not answer, the window gets nothing and nothing breaks", async () => {
  const failures = [new Refusal(403, "login-browser", "Not yours."), new TypeError("Failed to fetch"), new DOMException("Late.", "TimeoutError")];
  for (const failure of failures) expect(await answers(CHALLENGE, ORIGIN, () => Promise.reject(failure))).toEqual([]);
  expect(await answers(CHALLENGE, ORIGIN, () => undefined)).toEqual([]);
  expect(await answers(CHALLENGE, ORIGIN, async () => "")).toEqual([]);
});

test("a window that is gone by then is no reason to fail", async () => {
  const event = { data: CHALLENGE, origin: ORIGIN, source: null } as unknown as MessageEvent;
  await expect(answerChallenge(event, SERVICE, prove)).resolves.toBeUndefined();
});

test("where the page is the service's own, its own origin is the service's", async () => {
  vi.stubGlobal("location", { href: "https://bots.test/chat/clinic/web" });
  const source = { postMessage: vi.fn() };
  await answerChallenge({ data: CHALLENGE, origin: ORIGIN, source } as unknown as MessageEvent, "", prove);
  expect(source.postMessage).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
