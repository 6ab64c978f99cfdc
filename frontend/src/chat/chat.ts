// One chat, without its looks: session, feed, transcript and outbox joined. Whoever draws it reads `view` after each change.

import { Api } from "../protocol/api";
import { type Fetch, type Place, Refusal } from "../protocol/feed-api";
import type { Listener } from "../protocol/feed";
import { type SendFile, sendFile } from "../protocol/upload-request";
import { browserTabs, SharedFeed, type Tabs } from "../protocol/shared-feed";
import { type TabLock, tabLock } from "../protocol/tab-lock";
import { type StoredValue, storedValue } from "../protocol/stored-value";
import { Session } from "../protocol/session";
import type { Bot, Channel, Content, Kept, LoginStatus, Message, Opened, Opening, Spots } from "../protocol/wire";
import { makeId, Outbox, type Parcel } from "./outbox";
import { Transcript } from "./transcript";
import { UnsentWarning } from "./unsent-warning";
import { type Upload, Uploads } from "./uploads";

export interface View {
  readonly connection: "opening" | "live" | "reconnecting" | "offline" | "refused";
  /** The service's sentence when it refused for good. */
  readonly reason: string;
  readonly bot: Bot | null;
  readonly messages: readonly Message[];
  readonly parcels: readonly Parcel[];
  /** Attached and not yet sent. */
  readonly uploads: readonly Upload[];
  readonly isTyping: boolean;
  readonly channel: Channel;
  /** The conversation that has ended and may be rated; empty: none. */
  readonly ended: string;
  /** Who has the chat instead of the bot: a person's name, empty while one is waited for; null: the bot. */
  readonly person: string | null;
}

/** Who is told what happens in a chat, beside who draws it. */
export interface ChatObserver {
  /** New messages in their order. `isHistory`: they were there when the chat was opened. */
  onMessages?(messages: readonly Message[], isHistory: boolean): void;
  /** The service told which bot it is, and how its author wants the chat to look. */
  onBot?(bot: Bot): void;
  /** No session could be opened, or the service refused for good; each sentence once. */
  onRefused?(reason: string): void;
}

/** What a chat needs of the browser; tests give their own. */
export interface Surroundings {
  readonly fetch: Fetch;
  readonly sendFile: SendFile;
  readonly local: () => Storage;
  readonly tab: () => Storage;
  readonly isOnline: () => boolean;
  /** One after the other, among all tabs with this name. */
  readonly tabLock: (name: string) => TabLock;
  /** How the tabs share one event stream; null where each has its own. */
  readonly tabs: () => Tabs | null;
}

export const browser: Surroundings = {
  fetch: (url, init) => fetch(url, init),
  sendFile,
  local: () => localStorage,
  tab: () => sessionStorage,
  isOnline: () => navigator.onLine,
  tabLock,
  tabs: browserTabs,
};

/** Milliseconds until the dots come: dots that come and go at once only flicker. */
const TYPING_AFTER = 400;
/** Files in one message, as the service takes them. */
const MAX_FILES = 10;
/** Stands between a draft and its user. */
const USER_MARK = "\u0000";
/** Milliseconds, and up to twice that, until a first session that had no answer is asked for again. */
const FIRST_PAUSE = 4000;
/** Messages that are asked for when the reader scrolls up. */
const OLDER_MESSAGES = 100;

export class Chat {
  readonly #transcript = new Transcript();
  /** The last message that was here when a session was asked for. The stream may bring more before the answer comes. */
  #lastWhenAsked = 0;
  /** Position before which the service has no message. */
  #oldest = 1;
  readonly #outbox: Outbox;
  readonly #uploads: Uploads;
  readonly #draft: StoredValue;
  readonly #session: Session;
  readonly #feed: SharedFeed;
  readonly #around: Surroundings;
  readonly #onChange: () => void;
  readonly #api: Api;
  #connection: Exclude<View["connection"], "offline"> = "opening";
  #reason = "";
  /** What the hearer was told last. */
  #refusal = "";
  #bot: Bot | null = null;
  #user = "";
  #channel: Channel = { mayErase: false, privacyUrl: "", consent: "" };
  #isTyping = false;
  #ended = "";
  #person: string | null = null;
  #dots: ReturnType<typeof setTimeout> | undefined;

  readonly #observer: ChatObserver;
  readonly #warning = new UnsentWarning();

  constructor(place: Place, opening: () => Opening, onChange: () => void, around: Surroundings = browser, observer: ChatObserver = {}) {
    this.#onChange = onChange;
    this.#observer = observer;
    this.#around = around;
    this.#api = new Api(place, around.fetch);
    const name = `dialoom:${place.server}:${place.bot}:${place.channel}`;
    const opened = (opened: Opened) => this.#opened(opened);
    const asked = () => {
      this.#lastWhenAsked = this.#transcript.last;
      return opening();
    };
    const open = { open: (asked: Opening) => this.#api.open(asked).catch((error: unknown) => this.#notOpened(error, place.server)) };
    this.#session = new Session(open, storedValue(around.local, name), asked, opened, around.tabLock(name), storedValue(around.local, `${name}:session`));
    this.#outbox = new Outbox(
      {
        send: (id, content) => this.#send(id, content),
        isOffline: () => !around.isOnline(),
        onChange: () => {
          this.#warning.update(this.#outbox.parcels.some(({ state }) => state === "sending"));
          onChange();
        },
      },
      storedValue(around.tab, `${name}:outbox`),
    );
    this.#draft = storedValue(around.tab, `${name}:draft`);
    this.#uploads = new Uploads({
      upload: (file, onProgress, signal) => this.#upload(file, onProgress, signal),
      onChange,
    });
    const listener: Listener = {
      last: () => this.#transcript.last,
      onMessages: (messages) => this.#receive(messages),
      onTyping: (isOn, ended, person) => this.#typing(isOn, ended, person),
      onConnection: (connection, reason = "") => {
        if (connection === this.#connection && reason === this.#reason) return;
        this.#connection = connection;
        this.#reason = reason;
        if (connection === "refused") this.#refuse(reason);
        this.#onChange();
      },
    };
    this.#feed = new SharedFeed(this.#api, this.#session, listener, () => `${name}:${this.#user}`, around.tabs());
  }

  get view(): View {
    const isOffline = !this.#around.isOnline() && this.#connection !== "refused";
    return {
      connection: isOffline ? "offline" : this.#connection,
      reason: this.#reason,
      bot: this.#bot,
      messages: this.#transcript.messages,
      parcels: this.#outbox.parcels,
      uploads: this.#uploads.all,
      isTyping: this.#isTyping,
      channel: this.#channel,
      ended: this.#ended,
      person: this.#person,
    };
  }

  start(): void {
    this.#feed.start();
    this.#outbox.work();
  }

  stop(): void {
    this.#feed.stop();
    this.#outbox.stop();
    this.#warning.update(false);
    this.#uploads.stop();
    clearTimeout(this.#dots);
  }

  /** The network came back, or the page is looked at again. */
  wake(isNetworkNew = false): void {
    this.#feed.wake(isNetworkNew);
    this.#outbox.work();
    this.#onChange();
  }

  say(content: Content, shown: string): void {
    this.#outbox.put(content, shown);
  }

  /** Merges into what the bot remembers of the user. Rejects when the service does not take it. */
  tell(context: Readonly<Record<string, unknown>>): Promise<void> {
    const id = makeId();
    return this.#inSession((token) => this.#api.tell(token, id, context));
  }

  /** What this user was writing in this tab and has not sent, also before the page was left. */
  get draft(): string {
    const [text, user] = (this.#draft.get() ?? "").split(USER_MARK);
    // What is written while the session is being opened is its user's.
    return text && (!user || user === this.#user) ? text : "";
  }

  set draft(text: string) {
    this.#draft.set(text ? text + USER_MARK + this.#user : null);
  }

  /** Begins the talk from its start. */
  restart(): Promise<void> {
    return this.#session.restart().then(() => undefined);
  }

  /** Everything that was said, also before what is shown. */
  async whole(): Promise<readonly Message[]> {
    const all = new Transcript();
    const { signal } = new AbortController();
    for (;;) {
      const { messages } = await this.#inSession((token) => this.#api.poll(token, all.last, 0, signal));
      if (!all.add(messages).length) return all.messages;
    }
  }

  /** Gets messages from before those that are here; returns whether there are any. A call that fails may be repeated. */
  async loadOlder(): Promise<boolean> {
    const first = this.#transcript.messages[0]?.position ?? 1;
    if (first <= this.#oldest) return false;
    const { signal } = new AbortController();
    const after = Math.max(0, first - 1 - OLDER_MESSAGES);
    const { messages } = await this.#inSession((token) => this.#api.poll(token, after, 0, signal));
    const older = messages.filter(({ position }) => position < first).map((message) => this.#asTyped(message));
    if (!this.#transcript.add(older).length) this.#oldest = first;
    return older.length > 0;
  }

  /** Erases all that the service has of this user, and opens a new session in all tabs. */
  async erase(): Promise<void> {
    const token = await this.#inSession(async (token) => {
      await this.#api.post("erasure", token, {});
      return token;
    });
    this.#session.refused(token);
    this.#clear();
    this.#forgetUnsent();
    this.#onChange();
    await this.#session.token();
    this.#feed.renewed();
    this.#feed.wake(true);
  }

  retry(id: string): void {
    this.#outbox.retry(id);
    this.#feed.wake();
  }

  attach(files: Iterable<File>): void {
    this.#uploads.add(files);
  }

  detach(key: string): void {
    this.#uploads.remove(key);
  }

  attachAgain(key: string): void {
    this.#uploads.retry(key);
  }

  /** Sends the attached files that have arrived. */
  sendFiles(): void {
    const taken = this.#uploads.take();
    for (let at = 0; at < taken.length; at += MAX_FILES) {
      const some = taken.slice(at, at + MAX_FILES);
      const names = some.map(({ shown }) => shown.name).join(", ");
      this.#outbox.put({ files: some.map(({ id }) => id) }, names, some.map(({ shown }) => shown));
    }
  }

  /** What a login's window asks for, to see that this chat's user opened it. */
  prove(challenge: string): Promise<string> {
    return this.#inSession((token) => this.#api.prove(token, challenge));
  }

  /** Where the login stands that a card with this link asks for. */
  loginStatus(link: string): Promise<LoginStatus> {
    return this.#inSession((token) => this.#api.loginStatus(token, link));
  }

  /** Places of this name. */
  places(query: string): Promise<Spots> {
    return this.#inSession((token) => this.#api.places(token, query));
  }

  /** Keeps what the user thinks of a conversation that has ended. Rejects when it was not kept. */
  rate(conversation: string, score: number, comment: string): Promise<void> {
    return this.#inSession((token) => this.#api.post("rating", token, { conversation, score, ...(comment && { comment }) }));
  }

  #upload(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<Kept> {
    return this.#inSession((token) => this.#api.upload(token, file, this.#around.sendFile, onProgress, signal));
  }

  /** Tries once more in a new session when this one has run out. */
  async #inSession<T>(call: (token: string) => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      const token = await this.#session.token();
      try {
        return await call(token);
      } catch (error) {
        if (!isExpired(error)) throw error;
        this.#session.refused(token);
        if (!isFirst) throw error;
      }
    }
  }

  async #send(id: string, content: Content): Promise<void> {
    const token = await this.#session.token();
    try {
      await this.#api.say(token, id, content);
    } catch (error) {
      if (isExpired(error)) this.#session.refused(token);
      throw error;
    }
  }

  /** Tells why no session was opened, while the feed goes on trying. Without a network there is nothing to mend in the page. */
  #notOpened(error: unknown, server: string): never {
    if (error instanceof Refusal) {
      const isOfChannel = error.code === "unauthorized";
      this.#refuse(isOfChannel ? "The channel's token is missing, wrong or revoked (channel.token, data-token)." : error.message);
      // The page's token is what is wrong: there is no other one to try, and its users can do nothing about it.
      if (error.status === 401) throw new Refusal(403, error.code, isOfChannel ? "" : error.message);
    } else if (this.#around.isOnline()) {
      this.#refuse(`${server || "The service"} did not answer: it cannot be reached, has no such bot or channel, or its channel's allowed-origins lack this page.`);
      // Browsers hide the answer to a page that it is not for. What may be a wrong bot does not mend itself: no haste, as where
      // a talk is to be gone on with.
      if (!this.#user) throw new Refusal(0, "no-answer", String(error), FIRST_PAUSE * (1 + Math.random()));
    }
    throw error;
  }

  #refuse(reason: string): void {
    if (!reason || reason === this.#refusal) return;
    this.#refusal = reason;
    this.#observer.onRefused?.(reason);
  }

  #opened(opened: Opened): void {
    this.#refusal = "";
    const isOther = this.#user !== "" && this.#user !== opened.user;
    // A chat that is shorter than what is here was erased or restored from a backup: what is here is no longer true.
    if (isOther || opened.cursor < this.#lastWhenAsked) this.#clear();
    if (isOther) this.#forgetUnsent();
    this.#user = opened.user;
    const { draft } = this;
    // Another user's is gone; one that was begun before the session is this user's from now on.
    this.draft = draft;
    this.#bot = opened.bot;
    this.#channel = opened.channel;
    this.#observer.onBot?.(opened.bot);
    // While a transcript is here, the feed goes on from its end; the history would leave a gap after more than a page.
    if (!this.#transcript.last) this.#receive(opened.messages, true);
    this.#typing(opened.typing, opened.ended, opened.person);
    this.#onChange();
  }

  #forgetUnsent(): void {
    this.#outbox.clear();
    this.draft = "";
  }

  #clear(): void {
    this.#transcript.clear();
    this.#oldest = 1;
    this.#observer.onMessages?.([], true);
  }

  #receive(messages: readonly Message[], isHistory = false): void {
    const fresh = this.#transcript.add(messages.map((message) => this.#asTyped(message)));
    if (!fresh.length) return;
    this.#ended = "";
    this.#observer.onMessages?.(fresh, isHistory);
    this.#outbox.confirm(new Set(fresh.flatMap((message) => message.clientId ?? [])));
    if (fresh.some((message) => message.from === "bot") && this.#dots !== undefined) this.#rest();
    this.#onChange();
  }

  /** A masked answer of the user: as it was typed while this page knows it, else as dots. */
  #asTyped(message: Message): Message {
    if (message.from !== "user" || message.text !== "***") return message;
    return { ...message, text: this.#outbox.parcels.find(({ id }) => id === message.clientId)?.shown ?? "•••" };
  }

  #typing(isOn: boolean, ended = this.#ended, person = this.#person): void {
    if (!isOn && (ended !== this.#ended || person !== this.#person)) {
      this.#ended = ended;
      this.#person = person;
      this.#onChange();
    }
    if (isOn && this.#dots === undefined) this.#rest();
    if (!isOn) {
      clearTimeout(this.#dots);
      this.#dots = undefined;
      if (!this.#isTyping) return;
      this.#isTyping = false;
      this.#onChange();
    }
  }

  /** The dots come when the bot is still at work in a while; a message that arrives starts the while again. */
  #rest(): void {
    clearTimeout(this.#dots);
    this.#isTyping = false;
    this.#dots = setTimeout(() => {
      this.#isTyping = true;
      this.#onChange();
    }, TYPING_AFTER);
  }
}

function isExpired(error: unknown): boolean {
  return (error as { status?: unknown } | null)?.status === 401;
}
