import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { browser } from "../src/chat/chat";
import { DialoomChat, define } from "../src/view/dialoom-chat";
import { FakeService, FakeStorage, pass } from "./fake";

let service: FakeService;
let chat: DialoomChat;

beforeAll(async () => {
  // Read in before the first test, whose time it would use up on a busy machine.
  const dialogs = await import("../src/dialogs/widget");
  define(async () => dialogs);
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", new FakeStorage());
  vi.stubGlobal("sessionStorage", new FakeStorage());
  service = new FakeService();
  vi.stubGlobal("fetch", service.fetch);
  vi.stubGlobal("createImageBitmap", undefined);
  vi.spyOn(browser, "carry").mockImplementation(service.carry);
});

afterEach(() => {
  chat.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function show(attributes: Partial<DialoomChat> = {}): Promise<void> {
  chat = Object.assign(new DialoomChat(), { bot: "b", channel: "web", name: "Bot", page: true }, attributes);
  document.body.append(chat);
  await settle();
}

async function settle(milliseconds = 0): Promise<void> {
  await pass(milliseconds);
  await chat.updateComplete;
  await pass();
}

const find = <E extends Element = HTMLElement>(selector: string) => chat.renderRoot.querySelector<E>(selector);
const all = (selector: string) => [...chat.renderRoot.querySelectorAll<HTMLElement>(selector)];
const bubbles = () => all(".bubble").map((bubble) => bubble.textContent?.trim());
const inside = (name: string) => find(name)?.shadowRoot as ShadowRoot;
const buttons = () => [...inside("dialoom-choices").querySelectorAll("button")];
const area = () => inside("dialoom-field").querySelector("textarea") as HTMLTextAreaElement;

function write(text: string): void {
  area().value = text;
  area().dispatchEvent(new Event("input"));
}

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more });
  area().dispatchEvent(event);
  return event;
}

test("the conversation is a log with the bot's name, read out when something is added", async () => {
  await show();
  expect(find("[role=log]")?.getAttribute("aria-label")).toBe("Chat with Bot");
  expect(find("[role=log]")?.getAttribute("aria-busy")).toBe("false");
  expect(find("h1")?.textContent).toBe("Bot");
});

test("Enter sends and empties the field, Shift+Enter breaks the line", async () => {
  await show();
  write("Hello");
  await settle();
  expect(press("Enter", { shiftKey: true }).defaultPrevented).toBe(false);
  expect(press("Enter").defaultPrevented).toBe(true);
  await settle();
  expect(service.sent.map((body) => body.text)).toEqual(["Hello"]);
  expect(area().value).toBe("");
  expect(bubbles()).toEqual(["Hello"]);
});

test("Enter that takes a suggestion of an input method does not send", async () => {
  await show();
  write("にほ");
  await settle();
  press("Enter", { isComposing: true });
  await settle();
  expect(service.sent).toEqual([]);
});

test("there is nothing to send in an empty field", async () => {
  await show();
  const send = () => inside("dialoom-field").querySelector("[type=submit]") as HTMLButtonElement;
  expect(send().disabled).toBe(true);
  write("  \n ");
  await settle();
  expect(send().disabled).toBe(true);
  write("a");
  await settle();
  expect(send().disabled).toBe(false);
});

test("near the limit the field counts, and beyond it nothing is sent or cut", async () => {
  await show();
  const counter = () => inside("dialoom-field").querySelector(".count")?.textContent?.trim();
  write("a".repeat(7000));
  await settle();
  expect(counter()).toBeUndefined();
  write("😀".repeat(7990));
  await settle();
  expect(counter()).toBe("Characters left: 10");
  write("a".repeat(8005));
  await settle();
  expect(counter()).toBe("Characters over the limit: 5");
  press("Enter");
  await settle();
  expect(service.sent).toEqual([]);
  expect(area().value).toHaveLength(8005);
});

test("a chosen reply becomes the user's message and the rest go away", async () => {
  await show();
  service.say("When?", { replies: [{ key: "1.0", title: "**Today**", value: "t" }, { key: "1.1", title: "Tomorrow", value: "m" }] });
  await settle();
  expect(buttons().map((button) => button.textContent?.trim())).toEqual(["Today", "Tomorrow"]);
  buttons()[0]?.click();
  await chat.updateComplete;
  expect(find("dialoom-choices")).toBeNull();
  expect(bubbles()).toEqual(["When?", "Today"]);
  await settle();
  expect(service.sent[0]?.option).toEqual({ key: "1.0" });
});

test("a suggestion without a key is sent as its value", async () => {
  await show();
  service.say("Try this", { replies: [{ title: "Help", value: "help" }] });
  await settle();
  buttons()[0]?.click();
  await settle();
  expect(service.sent[0]?.option).toEqual({ value: "help" });
});

test("replies of an older message are gone", async () => {
  await show();
  service.say("When?", { replies: [{ key: "1.0", title: "Today", value: "t" }] });
  service.say("Or tell me more.");
  await settle();
  expect(find("dialoom-choices")).toBeNull();
});

test("arrow keys walk through the replies and round their ends", async () => {
  await show();
  service.say("?", { replies: ["a", "b", "c"].map((title) => ({ key: title, title, value: title })) });
  await settle();
  const [first, second, third] = buttons();
  const walk = (key: string) => {
    const here = inside("dialoom-choices").activeElement ?? first;
    here?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return inside("dialoom-choices").activeElement;
  };
  first?.focus();
  expect(walk("ArrowRight")).toBe(second);
  expect(walk("End")).toBe(third);
  expect(walk("ArrowDown")).toBe(first);
  expect(walk("ArrowLeft")).toBe(third);
});

/** What stands in the open dialog, or in the cards and logins of the chat. */
async function panel(name: string): Promise<ShadowRoot> {
  const panel = () =>
    find("dialoom-sheet")?.shadowRoot?.querySelector(name) ?? find(name) ?? find("dialoom-choices")?.shadowRoot?.querySelector(name);
  await vi.waitUntil(async () => {
    await settle();
    return panel();
  });
  const element = panel() as HTMLElement & { updateComplete: Promise<unknown> };
  await element.updateComplete;
  return element.shadowRoot as ShadowRoot;
}

const dialog = (type: string, more: object = {}) => ({
  dialog: { type, title: "Choose", buttonText: "Submit", key: "7", options: [], ...more },
});
const options = ["a", "b", "c"].map((title, index) => ({ key: `7.${index}`, title, value: title }));

test("a select opens from its button, and its answer becomes the user's message", async () => {
  await show();
  service.say("Which?", dialog("single-select", { options }));
  await settle();
  expect(buttons()[0]?.getAttribute("aria-expanded")).toBe("false");
  buttons()[0]?.click();
  const list = await panel("dialoom-select");
  expect(buttons()[0]?.getAttribute("aria-expanded")).toBe("true");
  list.querySelectorAll<HTMLElement>("[role=option]")[1]?.click();
  await settle();
  list.querySelector<HTMLButtonElement>(".act")?.click();
  await settle();
  expect(service.sent[0]?.option).toEqual({ key: "7.1" });
  expect(find("dialoom-sheet")).toBeNull();
  expect(find("dialoom-choices")).toBeNull();
});

test("an open dialog goes away when its question is over", async () => {
  await show();
  service.say("Which?", dialog("single-select", { options }));
  await settle();
  buttons()[0]?.click();
  await panel("dialoom-select");
  service.say("Too late.");
  await settle();
  expect(find("dialoom-sheet")).toBeNull();
});

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
  service.standing = "over";
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
  service.standing = "over";
  await comeBack();
  expect(service.looked).toEqual(["a", "a"]);
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER]);
  expect(inside("dialoom-login").querySelector("a")).toBeNull();
  again()?.click();
  await settle();
  expect(service.sent.map(({ option }) => option)).toEqual([{ key: "a" }]);
  expect(bubbles()).toEqual(["Please log in"]);
  expect(again()).toBeNull();
  service.standing = "open";
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
  service.standing = "over";
  await comeBack();
  again()?.click();
  await settle();
  service.say("Please log in", login({ key: "b", url: "https://login.test/b" }));
  await settle();
  await settle();
  expect(opened.mock.calls).toEqual(isActive ? [["https://login.test/b", "_blank"]] : []);
});

test("a card that was there before the page asks at once how it stands, and has a tick where the user is logged in", async () => {
  service.standing = "through";
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
  service.standing = "over";
  await comeBack();
  expect(lines().map((line) => line.textContent)).toEqual([LOGIN_OVER]);
});

test("a press that does not get through can be sent again", async () => {
  await show();
  service.say("Please log in", login({ key: "a" }));
  await panel("dialoom-login");
  service.standing = "over";
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

test("a dialog that this page does not know asks for a typed answer", async () => {
  await show();
  service.say("Sign here", dialog("signature"));
  await settle();
  expect(inside("dialoom-choices").textContent).toContain("Please type your answer.");
});

test("dialogs that cannot be loaded say so, and come when they can", async () => {
  const load = DialoomChat.loadDialogs;
  DialoomChat.loadDialogs = () => Promise.reject(new TypeError("Failed to fetch"));
  await show();
  service.say("Which?", dialog("single-select", { options }));
  await settle();
  await settle();
  expect(inside("dialoom-choices").querySelector("[role=alert]")?.textContent).toContain("This could not be loaded.");
  DialoomChat.loadDialogs = load;
  inside("dialoom-choices").querySelector<HTMLElement>(".again")?.click();
  expect(await panel("dialoom-select")).toBeTruthy();
});

const photo = (name = "card.png") => new File(["png"], name, { type: "image/png" });
const uploads = () => [...inside("dialoom-field").querySelectorAll<HTMLElement>(".upload")];

function attach(...files: File[]): void {
  const input = inside("dialoom-field").querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(input, "files", { value: files, configurable: true });
  input.dispatchEvent(new Event("change"));
}

test("an attached file is sent by the send button, before the words that go with it", async () => {
  await show();
  attach(photo());
  await settle();
  expect(uploads()).toHaveLength(1);
  write("My card");
  await settle();
  press("Enter");
  await settle();
  expect(service.sent.map(({ files, text }) => files ?? text)).toEqual([["f1"], "My card"]);
  expect(uploads()).toHaveLength(0);
  expect(find<HTMLImageElement>(".user .picture img")?.getAttribute("alt")).toBe("f1");
});

test("a file that did not get through can be tried again or left out", async () => {
  await show();
  service.uploads = [500, 500];
  attach(photo("one.png"), photo("two.png"));
  await settle();
  expect(uploads().map((upload) => upload.classList.contains("failed"))).toEqual([true, true]);
  uploads()[0]?.querySelector<HTMLElement>(".again")?.click();
  await settle();
  uploads()[1]?.querySelector<HTMLElement>(".remove")?.click();
  await settle();
  expect(uploads()).toHaveLength(1);
  press("Enter");
  await settle();
  expect(service.files.map(({ name }) => name)).toEqual(["one.png"]);
  expect(service.sent[0]?.files).toEqual(["f1"]);
});

test("files that wait for their turn say so, and nothing is sent before all are there", async () => {
  vi.spyOn(browser, "carry").mockImplementation(() => new Promise(() => undefined));
  await show();
  attach(photo("one.png"), photo("two.png"), photo("three.png"));
  await settle();
  expect(uploads().map((upload) => upload.querySelector("small")?.textContent ?? "")).toEqual(["", "", "Waiting"]);
  write("My cards");
  await settle();
  press("Enter");
  await settle();
  expect(service.sent).toEqual([]);
});

test("a question that a file answers offers to attach one", async () => {
  await show();
  service.say("Your card?", { wants: "file" });
  await settle();
  expect(buttons()[0]?.textContent?.trim()).toBe("Attach a photo or file");
  attach(photo());
  await settle();
  expect(buttons()).toHaveLength(0);
});

test("a place that was sent is read back", async () => {
  await show();
  service.say("Where?", dialog("location-picker"));
  await settle();
  buttons()[0]?.click();
  const place = await panel("dialoom-location");
  const fields = [...place.querySelectorAll("input")];
  for (const [index, text] of ["52.52", "13,405"].entries()) {
    (fields[index] as HTMLInputElement).value = text;
    fields[index]?.dispatchEvent(new Event("input"));
  }
  await settle();
  place.querySelector<HTMLButtonElement>(".foot .act")?.click();
  await settle();
  expect(service.sent[0]).toMatchObject({ location: { latitude: 52.52, longitude: 13.405 }, ask: "7" });
  expect(find(".place")?.textContent).toBe("52.5200° north, 13.4050° east");
});

test("what the user wrote is shown as written", async () => {
  await show();
  write("**not bold** <b>x</b>");
  press("Enter");
  await settle();
  expect(find(".user .bubble")?.textContent).toBe("**not bold** <b>x</b>");
  expect(find(".user strong, .user b")).toBeNull();
});

test("a message that failed can be sent again", async () => {
  await show();
  service.broken.messages = 400;
  write("Hello");
  press("Enter");
  await settle();
  expect(find(".retry")?.textContent?.replace(/\s+/g, " ").trim()).toBe("Not sent · Retry");
  service.broken = {};
  find(".retry")?.click();
  await settle(2000);
  expect(find(".retry")).toBeNull();
  expect(bubbles()).toEqual(["Hello"]);
});

test("a short break is not worth a line and a longer one is", async () => {
  await show();
  service.broken = { events: "gone", poll: "gone" };
  service.hangUp();
  await settle(200);
  expect(find("[role=status]")?.textContent?.trim()).toBe("");
  await settle(2000);
  expect(find("[role=status]")?.textContent?.trim()).toBe("Connecting again…");
});

test("a chat without a greeting invites to write, after a moment", async () => {
  await show();
  expect(find(".hero")).toBeNull();
  await settle(1600);
  expect(find(".hero")?.textContent).toContain("Write a message to begin.");
});

test("a chat that cannot be opened says why and offers to try again", async () => {
  service.broken.sessions = 404;
  await show();
  expect(find(".hero")?.textContent).toContain("Out of order.");
  expect(find(".foot")?.hidden).toBe(true);
  service.broken = {};
  find(".hero button")?.click();
  await settle();
  expect(find(".hero")).toBeNull();
});

test("the bot's language decides words and direction", async () => {
  service.language = "ar";
  await show({ language: "en" });
  await settle();
  expect(find(".chat")?.getAttribute("dir")).toBe("rtl");
  expect(find(".chat")?.getAttribute("lang")).toBe("ar");
});

test("history does not move in, what comes later does", async () => {
  service.say("old");
  await show();
  service.say("new");
  await settle();
  const moved = all(".line").map((line) => line.classList.contains("fresh"));
  expect(moved).toEqual([false, true]);
});

test("taken out of the page the chat asks for nothing, put back it goes on", async () => {
  await show();
  chat.remove();
  await pass(100);
  const before = service.calls.length;
  await pass(120_000);
  expect(service.calls).toHaveLength(before);
  document.body.append(chat);
  await settle();
  service.say("Welcome back");
  await settle();
  expect(bubbles()).toEqual(["Welcome back"]);
});
