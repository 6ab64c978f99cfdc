import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { optionsOf } from "../src/loader/attributes";
import { load as put } from "../src/loader/load";
import type { Options, Widget } from "../src/loader/options";
import { DialoomChat } from "../src/view/dialoom-chat";
import { FakeService, FakeStorage, pass } from "./fake-service";

let service: FakeService;
let widgets: Widget[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", new FakeStorage());
  vi.stubGlobal("sessionStorage", new FakeStorage());
  service = new FakeService();
  vi.stubGlobal("fetch", service.fetch);
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  document.title = "Shop";
  widgets = [];
});

afterEach(() => {
  for (const widget of widgets) widget.destroy();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const stages = { chat: () => import("../src/embedded/chat"), follow: () => import("../src/embedded/follow"), preload: () => ({ ready: Promise.resolve(), remove: () => {} }) };

function load(options: Options): Widget {
  const widget = put(options, "", stages);
  widgets.push(widget);
  return widget;
}

/** Another page of the site: the script runs anew. */
function nextPage(options: Options = minimal): Widget {
  for (const widget of widgets.splice(0)) widget.destroy();
  return load(options);
}

/** Stages are loaded in real time, so that the faked one alone does not bring them. */
async function settle(until: () => unknown = () => true): Promise<void> {
  await pass(5000);
  await vi.waitUntil(async () => {
    await pass();
    return until();
  });
}

const minimal = { bot: { id: "b" }, channel: { id: "web", token: "t" } };
const root = (widget: Widget) => widget.element.shadowRoot as ShadowRoot;
const find = (widget: Widget, selector: string) => root(widget).querySelector<HTMLElement>(selector);
const chatOf = (widget: Widget) => find(widget, "dialoom-chat") as DialoomChat | null;

async function opened(options: Options = minimal): Promise<Widget> {
  const widget = load(options);
  widget.open();
  await settle(() => service.calls.includes("events") && widget.isOpen);
  return widget;
}

test("the button wears the brand and the words of the bot's look on the next page, before the chat is opened", async () => {
  service.look = { brand: "#ffd400", launcher: "Ask us", radius: 4 };
  const widget = await opened();
  const worn = (one: Widget) => [one.element.style.getPropertyValue("--look-brand"), find(one, ".launcher span")?.textContent];
  expect(worn(widget)).toEqual(["#ffd400", "Ask us"]);
  widget.close();
  expect(worn(nextPage())).toEqual(["#ffd400", "Ask us"]);
  expect(widgets[0] && find(widgets[0], ".launcher")?.ariaLabel).toBe("Ask us");
  expect(worn(nextPage({ ...minimal, display: { launcher: { text: "Help", offset: { side: 0 } } } }))).toEqual(["#ffd400", "Help"]);
  expect(widgets[0]?.element.style.getPropertyValue("--side")).toBe("0px");
  service.look = {};
  const plain = nextPage();
  plain.open();
  await settle(() => worn(plain)[1] === "");
  expect(worn(plain)).toEqual(["", ""]);
});

test("inline, the chat stands in the page's container and opens with what the page gives", async () => {
  const here = document.createElement("div");
  here.id = "here";
  document.body.append(here);
  const session = { context: { page: "x" }, userMessage: "Hello" };
  load({ ...minimal, session, user: { id: "7" }, locale: "de-AT", display: { mode: "inline", containerId: "here" } });
  await settle(() => service.sessions.length);
  expect(here.firstElementChild).toBeInstanceOf(DialoomChat);
  expect(service.sessions[0]).toMatchObject({ ...session, user: { id: "7" }, locale: "de-AT" });
  expect(service.headers.some((headers) => headers.get("authorization") === "Bearer t")).toBe(true);
});

test("a container that is not there is named", () => {
  expect(() => load({ ...minimal, display: { mode: "inline", containerId: "nowhere" } })).toThrow('"nowhere"');
});

test("without bot or channel it says what is missing", () => {
  for (const options of [5, null, { bot: "tea" }, { ...minimal, bot: { id: "" } }])
    expect(() => load(options as unknown as Options)).toThrow("Dialoom: load() needs the text bot.id.");
  expect(() => load({ bot: { id: "tea" }, channel: "web" } as unknown as Options)).toThrow("Dialoom: load() needs the text channel.id.");
});

test("a window asks for nothing until it is opened, and Esc closes it", async () => {
  const widget = load(minimal);
  await settle();
  expect(service.calls).toEqual([]);
  find(widget, ".launcher")?.click();
  await settle(() => service.calls.includes("sessions") && widget.isOpen);
  expect(find(widget, ".launcher")?.hidden).toBe(true);
  chatOf(widget)?.shadowRoot?.querySelector(".chat")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await settle();
  expect(widget.isOpen).toBe(false);
  expect(find(widget, ".window")?.hidden).toBe(true);
  expect(find(widget, ".launcher")?.hidden).toBe(false);
});

test("a second load of the same chat is the same widget; after destroy it is a new one", async () => {
  const first = load(minimal);
  expect(load({ ...minimal })).toBe(first);
  expect(load({ ...minimal, channel: { id: "other" } })).not.toBe(first);
  first.destroy();
  expect(load(minimal)).not.toBe(first);
});

test("a window that was left open is open on the next page; one that was closed stays closed", async () => {
  await opened();
  const next = nextPage();
  await settle(() => next.isOpen);
  next.close();
  const last = nextPage();
  await settle();
  expect(last.isOpen).toBe(false);
});

test("with keepOpen false each page begins closed", async () => {
  const options = { ...minimal, display: { keepOpen: false } };
  await opened(options);
  const next = nextPage(options);
  await settle();
  expect(next.isOpen).toBe(false);
});

test("while closed, what the bot says is counted and shown, also on the next page; opening has seen it", async () => {
  const widget = await opened();
  const counts: number[] = [];
  widget.on("unread", (count) => counts.push(count));
  service.say("seen");
  await settle();
  widget.close();
  service.say("The **table** is [booked](https://x.example).");
  service.say("Anything else?");
  await settle();
  expect([widget.unread, counts, document.title]).toEqual([2, [1, 2], "(2) Shop"]);
  const next = nextPage();
  expect(find(next, ".badge")?.textContent).toBe("2");
  expect(find(next, ".line")?.textContent).toBe("Anything else?");
  await settle(() => service.open);
  expect(service.sessions).toHaveLength(1);
  service.say("Hello?");
  await settle(() => next.unread === 3);
  next.open();
  await settle(() => next.isOpen);
  expect([next.unread, document.title]).toEqual([0, "Shop"]);
});

test("a closed window without a talk has no connection", async () => {
  load(minimal);
  await settle();
  expect(service.calls).toEqual([]);
});

test("a session of another user than the page's is not listened with", async () => {
  const token = `x.${btoa(JSON.stringify({ sub: "ada" }))}.x`;
  const widget = await opened({ ...minimal, user: { token } });
  widget.close();
  const before = service.calls.length;
  nextPage();
  await settle();
  expect(service.calls.slice(before)).toEqual([]);
});

test("messages are told as events, those that were there before are not", async () => {
  service.say("Welcome");
  const widget = load(minimal);
  const told: string[] = [];
  const off = widget.on("message", ({ from, text }) => told.push(`${from}: ${text}`));
  widget.open();
  await settle(() => widget.isOpen && service.open);
  widget.send("Hello");
  await settle(() => service.sent.length);
  service.say("Yes?");
  await settle(() => told.length === 2);
  expect(told).toEqual(["user: Hello", "bot: Yes?"]);
  off();
  service.say("Still there?");
  await settle();
  expect(told).toHaveLength(2);
});

test("send speaks for the user while the window is closed", async () => {
  const widget = load(minimal);
  widget.send("Hello");
  await settle(() => service.sent.length);
  expect(service.sent[0]).toMatchObject({ text: "Hello" });
  expect(widget.isOpen).toBe(false);
});

test("blank text is not sent", async () => {
  const widget = load(minimal);
  for (const text of ["", "  \n", "Hello"]) widget.send(text);
  await settle(() => service.sent.length);
  expect(service.sent.map(({ text }) => text)).toEqual(["Hello"]);
});

test("a locale with an underscore is taken, and one that is no language tag is told and left out", async () => {
  await opened({ ...minimal, locale: "de_AT" });
  expect(service.sessions[0]?.locale).toBe("de-AT");
  const widget = load({ ...minimal, channel: { id: "other" }, locale: "zz-!!" });
  const errors: string[] = [];
  widget.on("error", ({ message }) => errors.push(message));
  widget.open();
  await settle(() => service.sessions.length > 1);
  expect(errors).toEqual(['Dialoom: the locale "zz-!!" is no language tag, such as "de" or "de-AT".']);
  expect(chatOf(widget)?.shadowRoot?.querySelector("dialoom-field")).not.toBeNull();
});

test.each([
  ["a token that the service does not take", 401, "Dialoom: Out of order."],
  ["a bot or an origin that it does not know, which a browser shows as no answer", "gone" as const, "allowed-origins"],
])("%s is told to the page, once", async (_, answer, reason) => {
  service.broken.sessions = answer;
  const widget = load(minimal);
  const errors: string[] = [];
  widget.on("error", ({ message }) => errors.push(message));
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  widget.open();
  await settle(() => errors.length);
  await pass(20_000);
  expect(errors).toEqual([expect.stringContaining(reason)]);
  expect(log.mock.calls).toEqual([[errors[0]]]);
  log.mockRestore();
});

test("a wrong bot, whose answer the page may not read, leaves nothing to write with and is asked for again with patience", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  service.broken.sessions = "gone";
  const times: number[] = [];
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    times.push(Date.now());
    return service.fetch(url, init);
  });
  const widget = load(minimal);
  widget.open();
  await settle(() => times.length);
  await pass(60_000);
  const pauses = times.slice(1).map((time, at) => Math.round((time - (times[at] ?? 0)) / 1000));
  expect(pauses.slice(0, 5)).toEqual([6, 6, 6, 6, 12]);
  const shown = () => chatOf(widget)?.shadowRoot as ShadowRoot;
  expect([shown().querySelector(".hero strong")?.textContent, shown().querySelector<HTMLElement>(".foot")?.hidden]).toEqual(["This chat cannot be opened right now.", true]);
  service.broken = {};
  shown().querySelector<HTMLElement>(".hero button")?.click();
  await settle(() => service.sessions.length);
  expect(shown().querySelector<HTMLElement>(".foot")?.hidden).toBe(false);
  vi.restoreAllMocks();
});

test("a channel's token that is refused is tried once", async () => {
  service.broken.sessions = 401;
  load(minimal).open();
  await settle(() => service.calls.length);
  await pass(60_000);
  expect(service.calls).toEqual(["sessions"]);
});

test("context goes with the opening of a talk that is not open yet, and at once into one that is", async () => {
  const widget = load({ ...minimal, session: { context: { page: "shop" } } });
  widget.setContext({ plan: "gold" });
  widget.open();
  await settle(() => service.sessions.length);
  expect(service.sessions[0]?.context).toEqual({ page: "shop", plan: "gold" });
  widget.setContext({ plan: "silver" });
  await settle(() => service.sent.length);
  expect(service.sent[0]?.context).toEqual({ plan: "silver" });
});

test("another user goes on with a talk of their own", async () => {
  const widget = await opened();
  service.say("for nobody known");
  service.user = "ada";
  service.messages = [];
  widget.setUser({ token: "signed" });
  await settle(() => service.sessions.length === 2);
  expect(service.sessions[1]?.user).toEqual({ token: "signed" });
  expect(chatOf(widget)?.view?.messages).toEqual([]);
});

test("a chat that does not come is told, and the launcher tries again", async () => {
  let isBroken = true;
  const chat = () => (isBroken ? Promise.reject(new TypeError("Failed to fetch")) : stages.chat());
  const widget = put(minimal, "", { ...stages, chat });
  widgets.push(widget);
  const errors: string[] = [];
  widget.on("error", ({ message }) => errors.push(message));
  widget.open();
  await settle(() => errors.length);
  expect(find(widget, ".line")?.textContent).toBe("This chat cannot be opened right now.");
  isBroken = false;
  find(widget, ".launcher")?.click();
  await settle(() => widget.isOpen);
});

test("the line that invites comes on its pages after its time, and never again once it was closed", async () => {
  const display = { proactive: { text: "May I help?", after: 3, pages: [`${location.pathname}*`] } };
  const widget = load({ ...minimal, display });
  expect(find(widget, ".line")?.hidden).toBe(true);
  await settle(() => !find(widget, ".line")?.hidden);
  expect(find(widget, ".line")?.textContent).toBe("May I help?");
  find(widget, ".line .round")?.click();
  const next = nextPage({ ...minimal, display });
  await settle();
  expect(find(next, ".line")?.hidden).toBe(true);
});

test("on other pages the line that invites does not come", async () => {
  const widget = load({ ...minimal, display: { proactive: { text: "May I help?", after: 1, pages: ["/pricing"] } } });
  await settle();
  expect(find(widget, ".line")?.hidden).toBe(true);
});

test("after an erasure what the bot says is counted from the beginning", async () => {
  service.say("one");
  service.say("two");
  const widget = await opened();
  await settle();
  service.messages = [];
  service.expire();
  await settle(() => chatOf(widget)?.view?.messages.length === 0);
  widget.close();
  service.say("new");
  await settle(() => widget.unread === 1);
});

test("destroy takes out all that load put in", async () => {
  const widget = await opened();
  widget.destroy();
  await settle();
  expect(document.body.children).toHaveLength(0);
  expect(service.open).toBe(0);
  const calls = service.calls.length;
  await pass(120_000);
  expect(service.calls).toHaveLength(calls);
});

test("a widget that was destroyed loads nothing, and says so whatever is called", async () => {
  const preload = vi.fn(stages.preload);
  const widget = put(minimal, "", { ...stages, preload });
  widget.destroy();
  const calls = [() => widget.open(), () => widget.close(), () => widget.send("Hello"), () => widget.setUser(null), () => widget.setContext({}), () => widget.on("open", () => undefined)];
  for (const call of calls) expect(call).toThrow("this widget is destroyed; load() makes another");
  widget.off("open", () => undefined);
  widget.destroy();
  await settle();
  expect(preload).not.toHaveBeenCalled();
  expect(service.calls).toEqual([]);
});

test("each attribute of the script sets its option", () => {
  const data = {
    bot: "b",
    channel: "web",
    token: "t",
    userToken: "signed",
    context: '{"a": 1}',
    container: "here",
    launcherText: "Help",
    launcherSide: "left",
    userMessage: "Hi",
    hideUserMessage: "",
    locale: "de",
    theme: "dark",
    launcherOffset: '{"bottom": 80}',
    launcherHidden: "",
    proactiveText: "Hello",
    proactiveAfter: "3",
    proactivePages: '["/a"]',
    keepOpen: "false",
    consentText: "We keep this.",
    consentLink: "/privacy",
  };
  expect(optionsOf(data)).toEqual({
    bot: { id: "b" },
    channel: { id: "web", token: "t" },
    user: { token: "signed" },
    session: { context: { a: 1 }, userMessage: "Hi", hideUserMessage: true },
    locale: "de",
    theme: "dark",
    display: {
      mode: "inline",
      containerId: "here",
      launcher: { text: "Help", side: "left", offset: { bottom: 80 }, hidden: true },
      proactive: { text: "Hello", after: 3, pages: ["/a"] },
      keepOpen: false,
      consent: { text: "We keep this.", link: "/privacy" },
    },
  });
  expect(optionsOf({ turboTrack: "reload" })).toBeNull();
  expect(optionsOf({ bot: "b", turboTrack: "reload" })).toEqual({ bot: { id: "b" } });
  expect(() => optionsOf({ bot: "b", channel: "w", proactiveAfter: "soon" })).toThrow("data-proactive-after is no JSON");
});

/** What the widget says of these options and calls once the chat is there. */
async function told(options: object, act: (widget: Widget) => void = () => undefined): Promise<string[]> {
  const widget = load({ ...minimal, ...options } as Options);
  const errors: string[] = [];
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  widget.on("error", ({ message }) => errors.push(message));
  act(widget);
  widget.open();
  await settle(() => widget.isOpen);
  log.mockRestore();
  return errors;
}

test.each([
  [{ bot: { id: 5 } }, 'bot.id must be a text, not 5.'],
  [{ display: "inline" }, 'display must be an object, not "inline".'],
  [{ display: { mode: "popup" } }, 'display.mode must be "modal" or "inline", not "popup".'],
  [{ display: { luancher: {} } }, "there is no option display.luancher. Known here: mode, containerId, launcher, proactive, keepOpen, consent."],
  [{ display: { launcher: { offset: { side: "20px" } } } }, 'display.launcher.offset.side must be a number, not "20px".'],
  [{ display: { launcher: { icon: 5 } } }, "display.launcher.icon must be a text, not 5."],
  [{ display: { proactive: { text: "Hi", pages: "/" } } }, 'display.proactive.pages must be a list of texts, not "/".'],
  [{ display: { keepOpen: "no" } }, 'display.keepOpen must be true or false, not "no".'],
  [{ session: { context: [] } }, "session.context must be an object, not []."],
  [{ session: { userMessage: "x".repeat(8001) } }, "session.userMessage must be a text of at most 8000 characters, not a text of 8001 characters."],
  [{ locale: 5 }, "locale must be a text, not 5."],
  [{ colour: "red" }, "there is no option colour. Known here: server, bot, channel, user, session, display, locale, placeholder, css, theme."],
])("options of another kind are told with what is allowed: %j", async (options, sentence) => {
  expect(await told(options)).toEqual([`Dialoom: ${sentence}`]);
});

test("options that are right, or left out as frameworks do, are not told of", async () => {
  const display = { launcher: { offset: { side: undefined, bottom: null } }, proactive: { text: "Hi", pages: ["/"], after: 3 } };
  expect(await told({ server: undefined, user: null, display, session: { context: { a: 1 } } })).toEqual([]);
});

test.each<[string, (widget: Widget) => void, string]>([
  ["send", (widget) => widget.send(5 as unknown as string), "the text of send() must be a text of at most 8000 characters, not 5."],
  ["send", (widget) => widget.send("x".repeat(8001)), "the text of send() must be a text of at most 8000 characters, not a text of 8001 characters."],
  ["send", (widget) => widget.send(undefined as unknown as string), "the text of send() must be a text of at most 8000 characters, not left out."],
  ["setUser", (widget) => widget.setUser("Ada" as unknown as null), 'user must be an object, not "Ada".'],
  ["setContext", (widget) => widget.setContext("gold" as unknown as {}), 'the context of setContext() must be an object, not "gold".'],
  ["setContext", (widget) => widget.setContext([1] as unknown as {}), "the context of setContext() must be an object, not [1]."],
  ["setContext", (widget) => widget.setContext(null as unknown as {}), "the context of setContext() must be an object, not left out."],
])("%s tells what it takes", async (_, act, sentence) => {
  expect(await told({}, act)).toEqual([`Dialoom: ${sentence}`]);
});

const circular: Record<string, unknown> = {};
circular.self = circular;
const notJson = "is not JSON: it contains itself, a BigInt or something else that JSON.stringify() cannot write.";
const tooLarge = { text: "é".repeat(32_768) };

test.each<[string, object, string]>([
  ["that contains itself", circular, notJson],
  ["with a BigInt", { number: 5n }, notJson],
  ["of 65,547 bytes", tooLarge, "must have at most 65536 bytes of JSON, not 65547."],
])("a context %s is told and left out, and the chat opens without it", async (_, context, sentence) => {
  const act = (widget: Widget) => {
    widget.setContext({ plan: "gold" });
    widget.setContext(context as {});
  };
  expect(await told({ session: { context: { page: "shop" } } }, act)).toEqual([`Dialoom: the context of setContext() ${sentence}`]);
  expect(service.sessions[0]?.context).toEqual({ page: "shop", plan: "gold" });
  for (const widget of widgets.splice(0)) widget.destroy();
  expect(await told({ session: { context } })).toEqual([`Dialoom: session.context ${sentence}`]);
  expect(service.sessions[1]).not.toHaveProperty("context");
  const errors: string[] = [];
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  widgets[0]?.on("error", ({ message }) => errors.push(message));
  widgets[0]?.setContext(context as {});
  await settle(() => errors.length);
  log.mockRestore();
  expect(errors).toEqual([`Dialoom: the context of setContext() ${sentence}`]);
  expect(service.sent).toEqual([]);
});

test("a Date is no object in JSON", async () => {
  expect(await told({ session: { context: new Date(0) } })).toEqual(['Dialoom: session.context must be an object, not "1970-01-01T00:00:00.000Z".']);
});

test("contexts that are too large together are told, and the last one is left out", async () => {
  const act = (widget: Widget) => {
    widget.setContext({ one: "x".repeat(40_000) });
    widget.setContext({ two: "x".repeat(40_000) });
    widget.setContext({ three: 3 });
  };
  expect(await told({}, act)).toEqual(["Dialoom: the context of setContext(), with what was set before it, must have at most 65536 bytes of JSON, not 80019."]);
  expect(Object.keys(service.sessions[0]?.context as {})).toEqual(["one", "three"]);
});

test("a context is what it was when it was set, whatever the page changes in it before the opening", async () => {
  const context = { page: 1 };
  const widget = load(minimal);
  widget.setContext(context);
  context.page = 2;
  widget.open();
  await settle(() => service.sessions.length);
  expect(service.sessions[0]?.context).toEqual({ page: 1 });
});

test("a window that was open when it was destroyed is not open", async () => {
  const widget = await opened();
  widget.destroy();
  expect(widget.isOpen).toBe(false);
});

test("an option that JSON cannot hold is told of with its kind", async () => {
  expect(await told({ placeholder: circular })).toEqual(["Dialoom: placeholder must be a text, not object."]);
});

test("arguments are looked at in an open chat as well", async () => {
  const widget = await opened();
  const errors: string[] = [];
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  widget.on("error", ({ message }) => errors.push(message));
  widget.setContext(5 as unknown as {});
  widget.setUser({ name: 5 } as unknown as null);
  await settle(() => errors.length > 1);
  expect(errors).toEqual(["Dialoom: the context of setContext() must be an object, not 5.", "Dialoom: user.name must be a text, not 5."]);
  log.mockRestore();
});

test("an event that there is not, and a listener that is none, are refused", () => {
  const widget = load(minimal);
  const sentence = "Dialoom: on() and off() take open, close, message, unread, login, error and a function.";
  expect(() => widget.on("opened" as "open", () => undefined)).toThrow(new TypeError(sentence));
  expect(() => widget.on("open", "log" as unknown as () => void)).toThrow(new TypeError(sentence));
  expect(() => widget.off("opened" as "open", () => undefined)).toThrow(new TypeError(sentence));
});
