import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { DialoomChat, define } from "../src/view/dialoom-chat";
import { FakeService, FakeStorage, pass } from "./fake";

let service: FakeService;
let chat: DialoomChat;

beforeAll(define);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", new FakeStorage());
  vi.stubGlobal("sessionStorage", new FakeStorage());
  service = new FakeService();
  vi.stubGlobal("fetch", service.fetch);
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
  const send = () => inside("dialoom-field").querySelector("button") as HTMLButtonElement;
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
  expect(counter()).toBe("Too long by 5 characters");
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

test("several options are sent in the order shown", async () => {
  await show();
  const options = ["a", "b", "c"].map((title, index) => ({ key: `1.${index}`, title, value: title }));
  service.say("Which?", { dialog: { type: "multi-select", title: "Choose", buttonText: "Done", options } });
  await settle();
  const submit = () => buttons().at(-1) as HTMLButtonElement;
  expect(submit().disabled).toBe(true);
  const boxes = [...inside("dialoom-choices").querySelectorAll("input")];
  boxes[2]?.click();
  boxes[0]?.click();
  await settle();
  expect(submit().textContent).toBe("Done (2)");
  submit().click();
  await chat.updateComplete;
  expect(bubbles()).toEqual(["Which?", "a, c"]);
  await settle();
  expect(service.sent[0]?.option).toEqual({ keys: ["1.0", "1.2"] });
});

test("a day is sent as a date", async () => {
  await show();
  service.say("When?", { dialog: { type: "date-picker", title: "Day", buttonText: "Choose", options: [] } });
  await settle();
  const form = inside("dialoom-choices").querySelector("form") as HTMLFormElement;
  (form.querySelector("input") as HTMLInputElement).value = "2030-05-12";
  form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
  await settle();
  expect(service.sent[0]?.option).toEqual({ value: "2030-05-12" });
});

test("a login leads to its address, and nowhere when it is none of the web", async () => {
  await show();
  const login = (url: string) => ({ dialog: { type: "login", title: "Log in", buttonText: "", options: [], url } });
  service.say("Please", login("https://login.test/"));
  await settle();
  expect(inside("dialoom-choices").querySelector("a")?.getAttribute("href")).toBe("https://login.test/");
  service.say("Please", login("javascript:alert(1)"));
  await settle();
  expect(inside("dialoom-choices").querySelector("a")).toBeNull();
});

test("a dialog that this page does not know asks for a typed answer", async () => {
  await show();
  service.say("Where?", { dialog: { type: "location-picker", title: "Place", buttonText: "", options: [] } });
  await settle();
  expect(inside("dialoom-choices").textContent).toContain("Please type your answer.");
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
