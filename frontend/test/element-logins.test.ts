import { expect, test, vi } from "vitest";
import { all, bubbles, chat, dialog, find, inside, panel, press, service, settle, show, write } from "./element-page";

const login = (more: object = {}) => dialog("login", { title: "Log in", url: "https://login.test/", ...more });
const lines = () => all("dialoom-login").flatMap((card) => [...(card.shadowRoot?.querySelectorAll(".hint") ?? [])]);
const LOGIN_OVER = "This login is over. Please ask for a new one in the chat.";

test("a login leads to its address, and nowhere when it is none of the web", async () => {
  await show();
  service.say("Please", login());
  expect((await panel("dialoom-login")).querySelector("a")?.getAttribute("href")).toBe("https://login.test/");
  service.say("Please", login({ url: "javascript:alert(1)" }));
  await settle();
  expect((await panel("dialoom-login")).querySelector("a")).toBeNull();
});

test("a login's card stays while the user talks of something else", async () => {
  await show();
  service.say("Please log in", login());
  const card = await panel("dialoom-login");
  write("What for?");
  press("Enter");
  await settle();
  service.say("Your reports are confidential.");
  await settle();
  expect(await panel("dialoom-login")).toBe(card);
  expect(lines()).toHaveLength(0);
});

test("a login has a tick when the service says that it is through, not because the bot goes on", async () => {
  await show();
  service.say("Please log in", login());
  service.say("You can also do this without a login.");
  await panel("dialoom-login");
  expect(lines()).toHaveLength(0);
  service.say("Welcome, Ada.", { loggedIn: true });
  await settle();
  expect(lines().map((line) => line.textContent)).toEqual(["Logged in"]);
  expect(inside("dialoom-login").querySelector("a")).toBeNull();
});

test("the focus of a card that goes away goes to the field", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  await show();
  service.say("Please log in", login());
  (await panel("dialoom-login")).querySelector("a")?.focus();
  expect(chat.shadowRoot?.activeElement?.localName).toBe("dialoom-login");
  service.say("Welcome, Ada.", { loggedIn: true });
  await settle();
  await settle();
  expect(chat.shadowRoot?.activeElement?.localName).toBe("dialoom-field");
});

test("an old card says so, when its time is over and when there is a newer one", async () => {
  service.loginStatus = "over";
  service.say("Please log in", { ...login({ key: "a" }), createdAt: ago(60) });
  await show();
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER]);
  service.say("Please log in", login({ key: "b" }));
  await panel("dialoom-login");
  await settle(599_000);
  expect(lines()).toHaveLength(1);
  await settle(1000);
  await settle();
  expect(service.looked).toEqual(["a", "b"]);
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER, LOGIN_OVER]);
});

test("an old card of which nobody says anything is over by the clock", async () => {
  service.broken.login = 503;
  service.say("Please log in", { ...login({ key: "a" }), createdAt: ago(9) });
  await show();
  await panel("dialoom-login");
  expect(lines()).toHaveLength(0);
  await settle(60_000);
  await settle();
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER]);
});

test("a card whose login is still open stays one, however old its link is", async () => {
  service.say("Please log in", { ...login({ key: "a" }), createdAt: ago(9) });
  await show();
  const card = await panel("dialoom-login");
  for (const minutes of [0, 2, 5]) {
    await settle(minutes * 60_000);
    await settle();
    expect(card.querySelector("a")).toBeTruthy();
    expect(lines()).toHaveLength(0);
  }
  expect(service.looked).toEqual(["a", "a"]);
  chat.remove();
  await show();
  await panel("dialoom-login");
  await settle();
  expect(inside("dialoom-login").querySelector("a")).toBeTruthy();
  expect(lines()).toHaveLength(0);
});

test("to try again does not lead back to itself where the old link is still open", async () => {
  service.isWordless = true;
  service.broken.login = 503;
  service.say("Please log in", { ...login({ key: "a" }), createdAt: ago(11) });
  await show();
  await panel("dialoom-login");
  await settle();
  again()?.click();
  await settle();
  expect(service.sent.map(({ option }) => option)).toEqual([{ key: "a" }]);
  service.say("Please log in", login({ key: "a" }));
  await settle();
  await settle();
  expect(lines()).toHaveLength(0);
  expect(again(1)).toBeNull();
  expect(all("dialoom-login")[1]?.shadowRoot?.querySelector("a")).toBeTruthy();
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const again = (card = 0) => all("dialoom-login")[card]?.shadowRoot?.querySelector<HTMLButtonElement>("button");
/** The user comes back to the page. */
const comeBack = async () => {
  dispatchEvent(new Event("focus"));
  await settle();
  await settle();
};

test("whoever comes back from a login that failed sees that it is over, and asks for another with one press", async () => {
  await show();
  service.isWordless = true;
  service.say("Please log in", login({ key: "a" }));
  await panel("dialoom-login");
  await comeBack();
  expect(lines()).toHaveLength(0);
  expect(again()).toBeNull();
  service.loginStatus = "over";
  await comeBack();
  expect(service.looked).toEqual(["a", "a"]);
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER]);
  expect(inside("dialoom-login").querySelector("a")).toBeNull();
  again()?.click();
  await settle();
  expect(service.sent.map(({ option }) => option)).toEqual([{ key: "a" }]);
  expect(bubbles()).toEqual(["Please log in"]);
  expect(again()).toBeNull();
  service.loginStatus = "open";
  service.say("Please log in", login({ key: "b" }));
  await settle();
  await settle();
  expect(again()).toBeNull();
  expect(inside("dialoom-login").querySelector("a")).toBeNull();
  expect(all("dialoom-login")[1]?.shadowRoot?.querySelector("a")).toBeTruthy();
  // What is over stays so, and nobody asks about it any more.
  await comeBack();
  expect(service.looked).toEqual(["a", "a", "b"]);
});

test.each([true, false])("the next card's window opens by the same press where the browser lets it: %s", async (isActive) => {
  const get = (of: Navigator, name: string) => (name === "userActivation" ? { isActive } : Reflect.get(of, name));
  vi.stubGlobal("navigator", new Proxy(navigator, { get: (of, name) => get(of, String(name)) }));
  const opened = vi.fn(() => ({ closed: false, focus: () => undefined }));
  vi.stubGlobal("open", opened);
  await show();
  service.say("Please log in", login({ key: "a" }));
  await panel("dialoom-login");
  service.loginStatus = "over";
  await comeBack();
  again()?.click();
  await settle();
  service.say("Please log in", login({ key: "b", url: "https://login.test/b" }));
  await settle();
  await settle();
  expect(opened.mock.calls).toEqual(isActive ? [["https://login.test/b", "_blank"]] : []);
});

test("a card that was there before the page asks at once how it stands, and has a tick where the user is logged in", async () => {
  service.loginStatus = "through";
  service.say("Please log in", login({ key: "a" }));
  await show();
  await panel("dialoom-login");
  await settle();
  expect(service.looked).toEqual(["a"]);
  expect(lines().map((line) => line.textContent)).toEqual(["Logged in"]);
});

test("a card whose service does not answer stays as it was", async () => {
  await show();
  service.say("Please log in", login({ key: "a" }));
  await panel("dialoom-login");
  service.broken.login = 503;
  await comeBack();
  expect(inside("dialoom-login").querySelector("a")).toBeTruthy();
  service.broken = {};
  service.loginStatus = "over";
  await comeBack();
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER]);
});

test("a press that does not get through can be sent again", async () => {
  await show();
  service.say("Please log in", login({ key: "a" }));
  await panel("dialoom-login");
  service.loginStatus = "over";
  await comeBack();
  service.broken.messages = 400;
  again()?.click();
  await settle();
  expect(find(".retry")?.textContent?.replace(/\s+/g, " ").trim()).toBe("Not sent · Retry");
  expect(bubbles()).toEqual(["Please log in", "…"]);
});

const ask = async (origin: string, more: object = {}) => {
  const source = { postMessage: vi.fn() };
  const data = { type: "dialoom:login-challenge", challenge: "c.s" };
  dispatchEvent(Object.assign(new Event("message"), { data, origin, source, ...more }));
  await settle();
  return source.postMessage.mock.calls;
};

test("a login's window is told whose chat this is, as often as it asks, and after a reload", async () => {
  const proof = [{ type: "dialoom:login-proof", proof: "proof of c.s" }, { targetOrigin: "https://bots.test" }];
  await show({ server: "https://bots.test" });
  expect(await ask("https://bots.test")).toEqual([proof]);
  expect(await ask("https://bots.test")).toEqual([proof]);
  chat.remove();
  expect(await ask("https://bots.test")).toEqual([]);
  await show({ server: "https://bots.test" });
  expect(await ask("https://bots.test")).toEqual([proof]);
});

test("nobody else is told", async () => {
  await show({ server: "https://bots.test" });
  expect(await ask("https://evil.test")).toEqual([]);
  service.broken["login-proof"] = 403;
  expect(await ask("https://bots.test")).toEqual([]);
});
