import { expect, test, vi } from "vitest";
import { browser } from "../src/chat/chat";
import { DialoomChat } from "../src/view/dialoom-chat";
import { pass } from "./fake-service";
import { all, area, bubbles, buttons, chat, dialog, find, inside, panel, press, service, settle, show, write } from "./element-page";

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

test("text and Enter that come before anything is drawn leave the field empty", async () => {
  await show();
  write("One");
  press("Enter");
  await settle();
  expect(area().value).toBe("");
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

test("a reply shows the marks of its title; the user's message and the reply's value have none", async () => {
  await show();
  service.say("Which?", { replies: [{ title: "**Large**, [hot](https://x.test)", value: "large" }] });
  await settle();
  expect(buttons()[0]?.querySelector("strong")?.textContent).toBe("Large");
  expect(buttons()[0]?.querySelector("a")).toBeNull();
  buttons()[0]?.click();
  await chat.updateComplete;
  expect(bubbles().at(-1)).toBe("Large, hot");
  await settle();
  expect(service.sent.at(-1)?.option).toEqual({ value: "large" });
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
  vi.spyOn(browser, "sendFile").mockImplementation(() => new Promise(() => undefined));
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

test("a first load that fails is a state of its own, with a way on", async () => {
  service.broken.sessions = 503;
  await show();
  await settle(2000);
  expect(find(".hero strong")?.textContent).toBe("This chat cannot be opened right now.");
  expect(find(".notice")?.textContent?.trim()).toBe("");
  service.broken = {};
  find(".hero button")?.click();
  await settle();
  service.say("Hello.");
  await settle();
  expect(find(".hero")).toBeNull();
  expect(bubbles()).toEqual(["Hello."]);
});

test("a wait of more than eight seconds says so, and ends with what is said", async () => {
  await show();
  const notice = () => find(".notice")?.textContent?.replace(/\s+/g, " ").trim();
  service.say("Hello.");
  await settle(60_000);
  expect(notice()).toBe("");
  service.type(true);
  await settle(8300);
  expect(notice()).toBe("Bot is typing");
  await settle(200);
  expect(notice()).toBe("This is taking longer than usual. Try again");
  service.say("One moment.");
  await settle();
  expect(notice()).toBe("");
  await settle(8500);
  expect(notice()).toBe("This is taking longer than usual. Try again");
  const before = service.calls.filter((call) => call === "events").length;
  find(".notice button")?.click();
  await settle(4000);
  expect(service.calls.filter((call) => call === "events").length).toBe(before + 1);
  service.type(false);
  await settle();
  expect(notice()).toBe("");
});

test("a message that does not get through in eight seconds is waited for too", async () => {
  // The longest waits between the tries, so that they are not used up before the eight seconds are.
  vi.spyOn(Math, "random").mockReturnValue(0.999);
  await show();
  service.broken.messages = 503;
  write("Hello");
  press("Enter");
  await settle(9000);
  expect(find(".notice")?.textContent).toContain("This is taking longer than usual.");
});

test("the next page of replies stands where the first one did", async () => {
  await show();
  const reply = (title: string, key: string, system?: string) => ({ key, title, value: title, ...(system && { system }) });
  service.say("Which?", { replies: [reply("a", "1.0"), reply("Next 5", "1.next", "next")] });
  await settle();
  buttons()[1]?.click();
  await settle();
  expect(bubbles()).toEqual(["Which?"]);
  expect(service.sent.at(-1)?.option).toEqual({ key: "1.next" });
  service.say("Which?", { replies: [reply("b", "1.5"), reply("Prev 5", "1.previous", "previous")], replaces: "m1" });
  await settle();
  expect(bubbles()).toEqual(["Which?"]);
  expect(buttons().map((button) => button.textContent?.trim())).toEqual(["b", "Prev 5"]);
  expect(inside("dialoom-choices").activeElement).toBe(buttons()[0]);
});

test("a dead image of a message is its own words", async () => {
  await show();
  service.say("![A map](https://images.test/map.png)");
  await settle();
  const image = find(".prose img");
  expect(image?.hidden).toBe(false);
  image?.dispatchEvent(new Event("error"));
  expect(image?.hidden).toBe(true);
  expect(find(".prose .lost")?.textContent).toBe("A map");
});

test("the head says what the bot's look has for it, and the chat wears the rest", async () => {
  service.look = { brand: "#ffd400", radius: 0, header: "Yellow shop" };
  await show();
  expect(find("h1")?.textContent).toBe("Yellow shop");
  expect(chat.style.getPropertyValue("--look-brand")).toBe("#ffd400");
  expect(chat.style.getPropertyValue("--look-radius")).toBe("0px");
  expect(find("[role=log]")?.getAttribute("aria-label")).toBe("Chat with Bot");
});

test("a message on its way is called so after a long wait alone, and that is never read out by itself", async () => {
  await show();
  service.broken.messages = "gone";
  write("Hello");
  press("Enter");
  await settle();
  expect(find(".user .line")?.textContent).not.toContain("Sending");
  await settle(8000);
  const sending = find(".user .line .unseen");
  expect([sending?.textContent, sending?.getAttribute("aria-live")]).toEqual(["Sending", "off"]);
});
