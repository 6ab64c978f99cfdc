import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Chat } from "../src/chat/chat";
import type { Opening } from "../src/protocol/wire";
import { type Around, around, FakeService, FakeStorage, pass } from "./fake-service";

const place = { server: "", bot: "b", channel: "web" };
let service: FakeService;
let chats: Chat[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime("2030-05-12T10:00:00Z");
  service = new FakeService();
  chats = [];
});

afterEach(() => {
  for (const chat of chats) chat.stop();
  vi.useRealTimers();
});

async function begin(here: Around = around(service), opening: Opening = {}): Promise<Chat> {
  const chat = new Chat(place, () => opening, () => undefined, here);
  chats.push(chat);
  chat.start();
  await pass();
  return chat;
}

const texts = (chat: Chat) => chat.view.messages.map((message) => message.text);
const states = (chat: Chat) => chat.view.parcels.map((parcel) => parcel.state);
const count = (kind: string) => service.calls.filter((call) => call === kind).length;

test("the welcome arrives by the events", async () => {
  const chat = await begin();
  expect(chat.view.connection).toBe("live");
  service.say("Hello");
  await pass();
  expect(texts(chat)).toEqual(["Hello"]);
});

test("a talk that begins again keeps what the stream brought before the session's answer", async () => {
  service.say("Hello");
  service.welcomesEarly = true;
  const chat = await begin();
  const restarted = chat.restart();
  await pass();
  await vi.advanceTimersByTimeAsync(20);
  await restarted;
  await pass();
  expect(texts(chat)).toEqual(["Hello", "Welcome back"]);
});

test("a masked answer is shown as it was typed, and as dots after a reload", async () => {
  service.isSecret = true;
  const here = around(service);
  const chat = await begin(here);
  chat.say({ text: "hunter2" }, "hunter2");
  await pass();
  expect(texts(chat)).toEqual(["hunter2"]);
  chat.stop();
  expect(texts(await begin(here))).toEqual(["•••"]);
});

test("history is shown and the stream goes on after it", async () => {
  service.say("one");
  service.say("two");
  const chat = await begin();
  service.say("three");
  await pass();
  expect(texts(chat)).toEqual(["one", "two", "three"]);
  expect(service.headers.at(-1)?.get("last-event-id")).toBe("2");
});

test("what is being written is there after a reload, and nothing of it after an erasure", async () => {
  const here = around(service);
  const chat = await begin(here);
  chat.draft = "I would like";
  const again = await begin(here);
  expect(again.draft).toBe("I would like");
  await again.erase();
  expect(again.draft).toBe("");
  expect((await begin(here)).draft).toBe("");
});

test("what was written before the session was open is its user's, and no other user's", async () => {
  const here = around(service);
  const chat = new Chat(place, () => ({}), () => undefined, here);
  chats.push(chat);
  chat.draft = "Hello";
  chat.start();
  await pass();
  expect(chat.draft).toBe("Hello");
  service.user = "web_2";
  expect((await begin(here)).draft).toBe("");
  service.user = "web_1";
  expect((await begin(here)).draft).toBe("");
});

test("older messages than those of the session come when they are asked for, until there are none", async () => {
  for (let number = 1; number <= 230; number += 1) service.say(`${number}`);
  const chat = await begin();
  expect(texts(chat)[0]).toBe("131");
  expect(await chat.loadOlder()).toBe(true);
  expect(await chat.loadOlder()).toBe(true);
  expect(texts(chat)).toEqual(Array.from({ length: 230 }, (_, at) => `${at + 1}`));
  const polls = count("poll");
  expect(await chat.loadOlder()).toBe(false);
  expect(count("poll")).toBe(polls);
});

test("who listens is not told of older messages as of new ones", async () => {
  for (let number = 1; number <= 150; number += 1) service.say(`${number}`);
  const told: string[] = [];
  const chat = new Chat(place, () => ({}), () => undefined, around(service), { onMessages: (messages) => told.push(...messages.map(({ text }) => text)) });
  chats.push(chat);
  chat.start();
  await pass();
  const before = told.length;
  await chat.loadOlder();
  expect(told).toHaveLength(before);
});

test("a message of one's own is shown at once and stands once when it comes back", async () => {
  const chat = await begin();
  chat.say({ text: "Hi" }, "Hi");
  expect(states(chat)).toEqual(["sending"]);
  await pass();
  expect(states(chat)).toEqual([]);
  expect(texts(chat)).toEqual(["Hi"]);
});

test("a message that the service has and the events have not is sent", async () => {
  const chat = await begin();
  service.streams = "held";
  service.hangUp();
  chat.say({ text: "Hi" }, "Hi");
  await pass();
  expect(states(chat)).toEqual(["sent"]);
});

test("messages are sent one after the other in the order written", async () => {
  const chat = await begin();
  for (const text of ["a", "b", "c"]) chat.say({ text }, text);
  await pass();
  expect(service.sent.map((body) => body.text)).toEqual(["a", "b", "c"]);
});

test("a message that cannot be sent is tried again under the same id, then fails and waits for the user", async () => {
  const chat = await begin();
  service.broken.messages = 503;
  chat.say({ text: "Hi" }, "Hi");
  await pass(60_000);
  expect(states(chat)).toEqual(["failed"]);
  expect(count("messages")).toBe(5);
  service.broken = {};
  chat.retry(chat.view.parcels[0]?.id ?? "");
  await pass(2000);
  expect(texts(chat)).toEqual(["Hi"]);
  expect(service.sent).toHaveLength(1);
});

test("an answer that got lost does not double the message", async () => {
  const lossy = around(service);
  let losses = 1;
  const chat = await begin({
    ...lossy,
    fetch: async (url, init) => {
      const response = await service.fetch(url, init);
      if (init.method === "POST" && url.endsWith("/messages") && losses-- > 0) throw new TypeError("Failed to fetch");
      return response;
    },
  });
  chat.say({ text: "Hi" }, "Hi");
  await pass(5000);
  expect(texts(chat)).toEqual(["Hi"]);
  expect(states(chat)).toEqual([]);
});

test.each(["open", "through", "over"] as const)("a card is told that its login is %s", async (status) => {
  service.loginStatus = status;
  const chat = await begin();
  expect(await chat.loginStatus("a b&c")).toBe(status);
  expect(service.looked).toEqual(["a b&c"]);
});

test.each([null, 7, "later", undefined])("a status that this page does not know leaves a card open: %j", async (status) => {
  service.loginStatus = status;
  const chat = await begin();
  expect(await chat.loginStatus("a")).toBe("open");
});

test("a login's challenge is proved by the session, and by the next one when that has run out", async () => {
  const chat = await begin();
  expect(await chat.prove("c.s")).toBe("proof of c.s");
  service.expire();
  expect(await chat.prove("c.s")).toBe("proof of c.s");
  expect(service.proved).toEqual(["c.s", "c.s"]);
  expect(service.sessions).toHaveLength(2);
});

test("a challenge that is another's is refused once and for all", async () => {
  const chat = await begin();
  service.broken["login-proof"] = 403;
  await expect(chat.prove("c.s")).rejects.toMatchObject({ status: 403 });
  expect(count("login-proof")).toBe(1);
});

test("what follows a message that failed fails with it, so that nothing overtakes", async () => {
  const chat = await begin();
  service.broken.messages = "gone";
  chat.say({ text: "a" }, "a");
  chat.say({ text: "b" }, "b");
  await pass(60_000);
  expect(states(chat)).toEqual(["failed", "failed"]);
});

test("a message that the service refuses fails alone and at once", async () => {
  const chat = await begin();
  service.broken.messages = 400;
  chat.say({ text: "a" }, "a");
  await pass();
  service.broken = {};
  chat.say({ text: "b" }, "b");
  await pass();
  expect(states(chat)).toEqual(["failed"]);
  expect(texts(chat)).toEqual(["b"]);
});

test("without a network messages wait as long as it takes and leave when it is back", async () => {
  const here = around(service);
  const chat = await begin(here);
  here.isConnected = false;
  service.broken = { messages: "gone", events: "gone", sessions: "gone", poll: "gone" };
  service.hangUp();
  chat.say({ text: "Hi" }, "Hi");
  await pass(600_000);
  expect(chat.view.connection).toBe("offline");
  expect(states(chat)).toEqual(["sending"]);
  here.isConnected = true;
  service.broken = {};
  chat.wake(true);
  await pass();
  expect(texts(chat)).toEqual(["Hi"]);
  expect(chat.view.connection).toBe("live");
});

test("what was not sent before a reload is sent after it", async () => {
  const [local, tab] = [new FakeStorage(), new FakeStorage()];
  const chat = await begin(around(service, local, tab));
  service.broken.messages = "gone";
  chat.say({ text: "Hi" }, "Hi");
  await pass();
  chat.stop();
  service.broken = {};
  const again = await begin(around(service, local, tab));
  expect(texts(again)).toEqual(["Hi"]);
});

test("a reload resumes the conversation with the secret, and a renewal says nothing twice", async () => {
  const local = new FakeStorage();
  const opening = { context: { page: "x" }, userMessage: "Hello", clear: true, locale: "de-AT", timezone: "Europe/Vienna" };
  const first = await begin(around(service, local), opening);
  first.stop();
  expect(service.sessions[0]).toEqual(opening);
  const second = await begin(around(service, local), { locale: "de-AT" });
  expect(service.sessions[1]).toEqual({ locale: "de-AT", resume: "secret-1" });
  service.expire();
  await pass(3000);
  expect(service.sessions).toHaveLength(3);
  expect(second.view.connection).toBe("live");
});

test("a renewed session repeats neither context nor message nor clear", async () => {
  const chat = await begin(around(service), { context: { page: "x" }, userMessage: "Hello", clear: true });
  service.expire();
  await pass(3000);
  expect(service.sessions[1]).toEqual({ resume: "secret-1" });
  expect(chat.view.connection).toBe("live");
});

test("a talk starts over also while its session is being opened", async () => {
  const local = new FakeStorage();
  (await begin(around(service, local))).stop();
  const chat = new Chat(place, () => ({}), () => undefined, around(service, local));
  chats.push(chat);
  chat.start();
  await Promise.all([chat.restart(), pass()]);
  expect(service.sessions.slice(1).map(({ clear }) => clear)).toEqual([undefined, true]);
});

test("a session that ran out while a message is sent is opened again and the message goes through", async () => {
  const chat = await begin();
  service.streams = "held";
  service.expire();
  chat.say({ text: "Hi" }, "Hi");
  await pass(100);
  expect(service.sent.map((body) => body.text)).toEqual(["Hi"]);
  expect(service.sessions).toHaveLength(2);
});

test("two tabs show the same messages, each once", async () => {
  const local = new FakeStorage();
  const one = await begin(around(service, local));
  const two = await begin(around(service, local));
  expect(service.sessions[1]).toMatchObject({ resume: "secret-1" });
  // The fake service knows one token at a time; the first tab's next connection renews its own.
  service.hangUp();
  await pass(3000);
  two.say({ text: "from two" }, "from two");
  await pass(3000);
  expect(texts(one)).toEqual(["from two"]);
  expect(texts(two)).toEqual(["from two"]);
});

test("two tabs that open in one instant on a first visit have one chat", async () => {
  const local = new FakeStorage();
  let last: Promise<unknown> = Promise.resolve();
  const tabLock = () => <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine;
    return mine;
  };
  await Promise.all([1, 2].map(() => begin({ ...around(service, local), tabLock })));
  // What comes after them: the fake service knows one token at a time.
  expect(service.sessions.slice(0, 2)).toEqual([{}, { resume: "secret-1" }]);
});

test("a tab that has a secret waits for no other", async () => {
  const local = new FakeStorage();
  const first = await begin(around(service, local));
  first.stop();
  const chat = await begin({ ...around(service, local), tabLock: () => () => new Promise(() => undefined) });
  expect(chat.view.connection).toBe("live");
});

test("without storage the chat works for as long as the page is open", async () => {
  const forbidden = () => {
    throw new DOMException("Access is denied.", "SecurityError");
  };
  const chat = await begin({ ...around(service), local: forbidden, tab: forbidden });
  chat.say({ text: "Hi" }, "Hi");
  await pass();
  service.expire();
  await pass(3000);
  expect(service.sessions[1]).toMatchObject({ resume: "secret-1" });
  expect(texts(chat)).toEqual(["Hi"]);
});

test("a stream that ends is opened again after the last message", async () => {
  const chat = await begin();
  service.say("one");
  await pass();
  service.hangUp();
  service.say("while away");
  await pass(2000);
  expect(texts(chat)).toEqual(["one", "while away"]);
  expect(service.headers.at(-1)?.get("last-event-id")).toBe("1");
  expect(service.open).toBe(1);
});

test("a service that is away is asked less and less often", async () => {
  const chat = await begin();
  service.broken = { events: "gone", poll: "gone", sessions: "gone" };
  service.hangUp();
  await pass(2000);
  const soon = count("events");
  expect(chat.view.connection).toBe("reconnecting");
  await pass(60_000);
  const minute = count("events") - soon;
  await pass(60_000);
  expect(count("events") - soon - minute).toBeLessThanOrEqual(4);
  expect(minute).toBeLessThanOrEqual(9);
  service.broken = {};
  await pass(31_000);
  expect(chat.view.connection).toBe("live");
});

test("a busy service is given the time it asks for", async () => {
  service.broken.sessions = 429;
  service.retryAfter = "12";
  const chat = await begin();
  await pass(11_000);
  expect(count("sessions")).toBe(1);
  service.broken = {};
  await pass(2000);
  expect(chat.view.connection).toBe("live");
});

test("where streams are refused the messages come by long poll", async () => {
  service.streams = "fail";
  const chat = await begin();
  await pass(3000);
  expect(chat.view.connection).toBe("live");
  service.say("by poll");
  await pass(3000);
  expect(texts(chat)).toEqual(["by poll"]);
});

test("where a proxy holds streams back the messages come by long poll", async () => {
  service.streams = "held";
  const chat = await begin();
  service.say("by poll");
  await pass(9000);
  expect(chat.view.connection).toBe("live");
  expect(texts(chat)).toEqual(["by poll"]);
});

test("long polls that are answered at once do not become a storm", async () => {
  service.streams = "fail";
  await begin();
  await pass(3000);
  const before = count("poll");
  await pass(20_000);
  expect(count("poll") - before).toBeLessThanOrEqual(11);
});

test("a stream that falls silent for longer than two heartbeats is opened again", async () => {
  await begin();
  const before = count("events");
  for (let beat = 0; beat < 4; beat += 1) {
    await pass(15_000);
    service.raw(": still here\n\n");
  }
  expect(count("events")).toBe(before);
  await pass(42_000);
  expect(count("events")).toBe(before + 1);
});

test("a page that is looked at again after a sleep does not trust its old connection", async () => {
  const chat = await begin();
  const before = count("events");
  chat.wake();
  await pass(1500);
  expect(count("events")).toBe(before);
  vi.setSystemTime(Date.now() + 3_600_000);
  chat.wake();
  await pass(1500);
  expect(count("events")).toBe(before + 1);
});

test("a refusal for good is told with its sentence and can be tried again", async () => {
  service.broken.sessions = 404;
  const chat = await begin();
  await pass(60_000);
  expect(chat.view).toMatchObject({ connection: "refused", reason: "Out of order." });
  expect(count("sessions")).toBe(1);
  service.broken = {};
  chat.start();
  await pass();
  expect(chat.view.connection).toBe("live");
});

test("the dots come after 400 ms and go when the bot has spoken", async () => {
  const chat = await begin();
  service.type(true);
  await pass(390);
  expect(chat.view.isTyping).toBe(false);
  await pass(20);
  expect(chat.view.isTyping).toBe(true);
  service.say("Here it is");
  service.type(false);
  await pass();
  expect(chat.view.isTyping).toBe(false);
});

test("an answer within 400 ms shows no dots at all", async () => {
  const chat = await begin();
  service.type(true);
  await pass(200);
  service.say("Quick");
  service.type(false);
  await pass(1000);
  expect(chat.view.isTyping).toBe(false);
});

test("the dots do not stay when the connection breaks", async () => {
  const chat = await begin();
  service.type(true);
  await pass(500);
  service.broken = { events: "gone", poll: "gone" };
  service.hangUp();
  await pass(100);
  expect(chat.view.isTyping).toBe(false);
});

test("a chat that was erased meanwhile starts afresh", async () => {
  service.say("old");
  const chat = await begin();
  service.messages = [];
  service.user = "web_2";
  service.expire();
  await pass(3000);
  service.say("new");
  await pass(3000);
  expect(texts(chat)).toEqual(["new"]);
});

test("a broken event does not stop the ones after it", async () => {
  const chat = await begin();
  service.raw("event: message\nid: 1\ndata: {broken\n\nevent: message\ndata: 5\n\nevent: unknown\ndata: {}\n\n");
  service.say("fine");
  await pass();
  expect(texts(chat)).toEqual(["fine"]);
});

test("a stopped chat asks for nothing any more", async () => {
  const chat = await begin();
  chat.stop();
  const before = service.calls.length;
  await pass(120_000);
  expect(service.calls).toHaveLength(before);
  expect(vi.getTimerCount()).toBe(0);
});

test("a page with a message on its way is not left without a question", async () => {
  const leaves = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const chat = await begin();
  expect(leaves()).toBe(true);
  service.broken.messages = 503;
  chat.say({ text: "Hello" }, "Hello");
  await pass();
  expect(leaves()).toBe(false);
  delete service.broken.messages;
  await pass(4000);
  expect(states(chat)).not.toContain("sending");
  expect(leaves()).toBe(true);
  service.broken.messages = 503;
  chat.say({ text: "Again" }, "Again");
  await pass();
  chat.stop();
  expect(leaves()).toBe(true);
});
