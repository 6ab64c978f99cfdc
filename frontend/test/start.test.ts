import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AGAIN, prove, readPageData, type StartPageData, WAIT } from "../src/login/prove";

const [BOTS, SHOP, CLUB] = ["https://bots.example", "https://shop.example", "https://club.example"];
const HERE = "https://bots.example/v1/account-linking/start?state=S";
const NEXT = "?state=S&by=code";
const PROVIDER = "https://id.example/authorize?state=S";
const given: StartPageData = { challenge: "C", origins: JSON.stringify([BOTS, SHOP, CLUB]), next: NEXT };

/** The window of the start page, and of the page that opened it, as far as they are used. */
class FakePage {
  opener: { postMessage: ReturnType<typeof vi.fn>; readonly origin: string } | null = {
    postMessage: vi.fn(),
    get origin(): string {
      throw new DOMException("Blocked a frame from accessing a cross-origin frame.", "SecurityError");
    },
  };
  location = { href: HERE, origin: BOTS, replace: vi.fn() };
  document = { referrer: "" };
  fetch = vi.fn(async (_: string, init: RequestInit) =>
    JSON.parse(String(init.body)).proof === "P" ? Response.json({ address: PROVIDER }) : Response.json({}, { status: 403 }),
  );
  #hearers = new Set<(event: unknown) => void>();

  addEventListener(_: "message", hear: (event: unknown) => void): void {
    this.#hearers.add(hear);
  }

  removeEventListener(_: "message", hear: (event: unknown) => void): void {
    this.#hearers.delete(hear);
  }

  get isListening(): boolean {
    return this.#hearers.size > 0;
  }

  say(data: unknown, origin = SHOP, source: unknown = this.opener): void {
    for (const hear of this.#hearers) hear({ data, origin, source });
  }
}

const proof = (proof: unknown) => ({ type: "dialoom:login-proof", proof });
let page: FakePage;
const begin = (about: StartPageData = given) => prove(page as unknown as Window, about);

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(() => vi.useRealTimers());

test.each([
  ["of elsewhere that says nothing of itself: each that is allowed", "", [SHOP, CLUB]],
  ["of elsewhere that has led here: that one", `${CLUB}/account`, [CLUB]],
  ["of elsewhere that is not allowed: each that is", "https://evil.example/", [SHOP, CLUB]],
])("a window is asked only where it shows an allowed page; %s", async (_, referrer, asked) => {
  page.document.referrer = referrer;
  const going = begin();
  const question = { type: "dialoom:login-challenge", challenge: "C" };
  expect(page.opener?.postMessage.mock.calls).toEqual(asked.map((origin) => [question, origin]));
  await vi.advanceTimersByTimeAsync(WAIT);
  await going;
});

test("the service's own chat page is asked alone", async () => {
  const opener = { postMessage: vi.fn(), origin: BOTS };
  page.opener = opener;
  const going = begin();
  expect(opener.postMessage.mock.calls.map(([, origin]) => origin)).toEqual([BOTS]);
  page.say(proof("P"), BOTS);
  expect(await going).toBe(PROVIDER);
});

test("a proof is brought to the page's own address, and the browser goes on to the provider", async () => {
  const going = begin();
  page.say(proof("P"));
  expect(await going).toBe(PROVIDER);
  const [address, init] = page.fetch.mock.calls[0] ?? [];
  expect(address).toBe(HERE);
  expect(init).toMatchObject({ method: "POST", credentials: "same-origin", body: '{"proof":"P"}' });
  expect(page.location.replace.mock.calls).toEqual([[PROVIDER]]);
});

test("it gives its opener up before it leaves, and listens no more", async () => {
  const going = begin();
  page.say(proof("P"));
  await going;
  expect(page.opener).toBeNull();
  expect(page.isListening).toBe(false);
});

test("without a window that opened it, it goes on with a code at once", async () => {
  page.opener = null;
  expect(await begin()).toBe(NEXT);
  expect(page.fetch).not.toHaveBeenCalled();
});

test("a window that does not answer is asked again, and after three seconds it goes on with a code", async () => {
  const going = begin();
  const post = page.opener?.postMessage;
  await vi.advanceTimersByTimeAsync(AGAIN);
  expect(post).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(WAIT - AGAIN);
  expect(await going).toBe(NEXT);
  const before = post?.mock.calls.length;
  await vi.advanceTimersByTimeAsync(WAIT);
  expect(post?.mock.calls.length).toBe(before);
});

test.each([
  ["another origin", (page: FakePage) => page.say(proof("P"), "https://evil.example")],
  ["another window", (page: FakePage) => page.say(proof("P"), SHOP, {})],
  ["another message", (page: FakePage) => page.say({ type: "hello", proof: "P" })],
  ["no text", (page: FakePage) => page.say(proof(7))],
  ["nothing at all", (page: FakePage) => page.say(null)],
])("what comes from %s is no proof", async (_, say) => {
  const going = begin();
  say(page);
  await vi.advanceTimersByTimeAsync(WAIT);
  expect(await going).toBe(NEXT);
  expect(page.fetch).not.toHaveBeenCalled();
});

test("a proof that the service refuses leads on with a code", async () => {
  const going = begin();
  page.say(proof("wrong"));
  expect(await going).toBe(NEXT);
});

test.each([
  ["no answer", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["an answer that is no JSON", () => Promise.resolve(new Response("<html>"))],
  ["an answer without an address", () => Promise.resolve(Response.json({ address: 1 }))],
])("with %s of the service it goes on with a code", async (_, answer) => {
  page.fetch = vi.fn(answer);
  const going = begin();
  page.say(proof("P"));
  expect(await going).toBe(NEXT);
});

test("what the page says is read from its main element, and a page that says nothing is left alone", () => {
  const main = document.createElement("main");
  expect(readPageData(main)).toBeNull();
  expect(readPageData(null)).toBeNull();
  Object.assign(main.dataset, given);
  expect(readPageData(main)).toEqual(given);
});
