import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Chat } from "../src/chat/chat";
import { SharedFeed, type Tabs } from "../src/protocol/shared-feed";
import { around, FakeService, FakeStorage, pass } from "./fake-service";

/** The locks and channels of one browser. A frozen tab holds its lock and hears nothing. */
class Browser {
  readonly local = new FakeStorage();
  readonly service = new FakeService();
  #channels = new Map<string, Set<{ onmessage: ((event: MessageEvent) => void) | null; tab: Tab }>>();
  #queue: { grant: () => void; tab: Tab }[] = [];
  #holder: { end: (error: Error) => void } | null = null;

  tabsOf(tab: Tab): Tabs {
    const open = (name: string) => {
      const here = this.#channels.get(name) ?? new Set();
      this.#channels.set(name, here);
      const port = { onmessage: null as ((event: MessageEvent) => void) | null, tab };
      here.add(port);
      return Object.assign(port, {
        postMessage: (data: unknown) => {
          if (tab.isFrozen) return;
          for (const other of here)
            if (other !== port && !other.tab.isFrozen) void Promise.resolve().then(() => other.onmessage?.({ data: structuredClone(data) } as MessageEvent));
        },
        close: () => here.delete(port),
      });
    };
    const request = (_name: string, options: LockOptions, work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const grant = () => {
          const holder = { end: reject };
          this.#holder = holder;
          void work().then(() => {
            resolve();
            if (this.#holder !== holder) return;
            this.#holder = null;
            this.#queue.shift()?.grant();
          });
        };
        if (options.steal) {
          this.#holder?.end(new DOMException("Stolen.", "AbortError"));
          grant();
        } else if (this.#holder) {
          const waiting = { grant, tab };
          this.#queue.push(waiting);
          options.signal?.addEventListener("abort", () => {
            this.#queue = this.#queue.filter((one) => one !== waiting);
            reject(options.signal?.reason);
          });
        } else grant();
      });
    return { locks: { request } as unknown as Tabs["locks"], open: open as unknown as Tabs["open"] };
  }
}

class Tab {
  isFrozen = false;
  readonly chat: Chat;

  constructor(browser: Browser, hasTabs = true) {
    const here = { ...around(browser.service, browser.local), tabs: () => (hasTabs ? browser.tabsOf(this) : null) };
    this.chat = new Chat({ server: "", bot: "b", channel: "web" }, () => ({}), () => undefined, here);
    this.chat.start();
  }

  get said(): string[] {
    return this.chat.view.messages.map(({ text }) => text);
  }
}

let browser: Browser;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new Browser();
  // A session each: the service's newest token would end the others'.
  browser.service.keepsTokens = true;
});

afterEach(() => vi.useRealTimers());

async function tabs(count: number): Promise<Tab[]> {
  const all: Tab[] = [];
  for (let at = 0; at < count; at++) {
    all.push(new Tab(browser));
    await pass();
  }
  return all;
}

test("the tabs of a browser have one stream, and each hears everything once", async () => {
  const all = await tabs(3);
  expect(browser.service.open).toBe(1);
  browser.service.say("one");
  browser.service.say("two");
  await pass();
  for (const tab of all) expect(tab.said).toEqual(["one", "two"]);
  expect(all.map(({ chat }) => chat.view.connection)).toEqual(["live", "live", "live"]);
});

test("a tab that comes later has what was said before and what is said then", async () => {
  await tabs(1);
  browser.service.say("before");
  await pass();
  const late = new Tab(browser);
  await pass();
  browser.service.say("after");
  await pass();
  expect(late.said).toEqual(["before", "after"]);
  expect(browser.service.open).toBe(1);
});

test("when the leader closes, another tab goes on where it was: nothing is lost, nothing doubled", async () => {
  const [leader, second, third] = (await tabs(3)) as [Tab, Tab, Tab];
  browser.service.say("one");
  await pass();
  leader.chat.stop();
  browser.service.say("two");
  await pass();
  browser.service.say("three");
  await pass();
  expect(browser.service.open).toBe(1);
  for (const tab of [second, third]) expect(tab.said).toEqual(["one", "two", "three"]);
});

test("a leader that is frozen loses the stream to a tab that is looked at, and follows once it thaws", async () => {
  const [leader, second] = (await tabs(2)) as [Tab, Tab];
  leader.isFrozen = true;
  second.chat.wake();
  await pass(2000);
  browser.service.say("one");
  await pass();
  expect(second.said).toEqual(["one"]);
  leader.isFrozen = false;
  leader.chat.wake();
  await pass();
  expect(leader.said).toEqual(["one"]);
  expect(browser.service.open).toBe(1);
});

test("what a tab missed comes later where the service does not answer at once, and nothing is left out", async () => {
  const [, second] = (await tabs(2)) as [Tab, Tab];
  second.isFrozen = true;
  browser.service.say("one");
  await pass();
  second.isFrozen = false;
  browser.service.broken.poll = 503;
  browser.service.say("two");
  await pass();
  expect(second.said).toEqual([]);
  browser.service.broken = {};
  await pass(2000);
  expect(second.said).toEqual(["one", "two"]);
});

test("typing and breaks are seen in all tabs", async () => {
  const [, second] = (await tabs(2)) as [Tab, Tab];
  browser.service.type(true);
  await pass(500);
  expect(second.chat.view.isTyping).toBe(true);
  browser.service.streams = "fail";
  browser.service.broken.poll = "gone";
  browser.service.hangUp();
  await pass();
  expect(second.chat.view.connection).toBe("reconnecting");
});

test("after an erasure all tabs begin anew", async () => {
  const all = await tabs(2);
  browser.service.say("old");
  await pass();
  browser.service.messages = [];
  browser.service.expire();
  await pass(3000);
  browser.service.say("new");
  await pass();
  for (const tab of all) expect(tab.said).toEqual(["new"]);
});

test("a first session that does not open is asked for once, and again only after a pause", async () => {
  browser.service.broken.sessions = "gone";
  new Tab(browser);
  await pass(2000);
  expect(browser.service.calls).toEqual(["sessions"]);
  browser.service.broken = {};
  await pass(8000);
  expect(browser.service.calls).toEqual(["sessions", "sessions", "events"]);
});

test("without locks each tab has a stream of its own", async () => {
  const all = [new Tab(browser, false), new Tab(browser, false)];
  await pass();
  expect(browser.service.open).toBe(2);
  browser.service.say("one");
  await pass();
  for (const tab of all) expect(tab.said).toEqual(["one"]);
});

test("a message that two answers hold is passed on once", async () => {
  const channel = { postMessage: () => undefined, close: () => undefined, onmessage: null as ((event: MessageEvent) => void) | null };
  const tabs = { locks: { request: () => new Promise(() => undefined) }, open: () => channel } as unknown as Tabs;
  const polled: (() => void)[] = [];
  const message = { id: "m2", position: 2, from: "bot", type: "text", text: "So small.", createdAt: "", replies: [] } as const;
  const poll = () => new Promise<never>((answer) => polled.push(() => answer({ messages: [message], typing: false, ended: "" } as never)));
  const heard: number[] = [];
  const feed = new SharedFeed(
    { poll, stream: () => new Promise<never>(() => undefined) },
    { token: async () => "t", refused: () => undefined },
    { last: () => heard.at(-1) ?? 1, onMessages: (messages) => heard.push(...messages.map(({ position }) => position)), onTyping: () => undefined, onConnection: () => undefined },
    () => "talk",
    tabs,
  );
  feed.start();
  await vi.waitFor(() => expect(channel.onmessage).not.toBeNull());
  for (let told = 0; told < 2; told += 1) channel.onmessage?.({ data: { connection: "open", reason: "", last: 2 } } as MessageEvent);
  await vi.waitFor(() => expect(polled.length).toBe(2));
  for (const answer of polled) answer();
  await pass(0);
  expect(heard).toEqual([2]);
  feed.stop();
});
