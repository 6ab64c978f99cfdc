// One event stream a browser for all its tabs with the same chat: a browser opens six connections to a host over HTTP/1.1. The
// tab that holds a lock (Web Locks) has the stream and passes on what it hears (BroadcastChannel); when it closes, another
// tab is given the lock and goes on from the last message that it has. Where a browser has neither, each tab has a stream.

import type { FeedApi } from "./feed-api";
import { type Connection, Feed, type Listener } from "./feed";
import type { Session } from "./session";
import type { Message } from "./wire";

/** What a tab tells the others. */
type Word =
  /** Of the leader: what it heard. */
  | { readonly messages: readonly Message[] }
  | { readonly typing: boolean; readonly ended?: string | undefined; readonly person?: string | null | undefined }
  | { readonly connection: Connection; readonly reason: string; readonly last: number }
  /** Of the leader: its session was no longer valid, as after an erasure; so are the others'. */
  | { readonly isRenewed: true }
  /** Of another: who leads, and how does it stand? The leader answers with its connection. */
  | { readonly asks: true };

/** What sharing needs of the browser; null where it has none of it. */
export interface Tabs {
  readonly locks: Pick<LockManager, "request">;
  readonly open: (name: string) => Pick<BroadcastChannel, "postMessage" | "close" | "onmessage">;
}

export function browserTabs(): Tabs | null {
  if (!("locks" in navigator) || !navigator.locks || !("BroadcastChannel" in globalThis)) return null;
  return { locks: navigator.locks, open: (name) => new BroadcastChannel(name) };
}

/** Milliseconds within which a leader answers; one that does not is frozen, as tabs in the background of a phone are. */
const ANSWER_WITHIN = 2000;

export class SharedFeed {
  #isStopped = true;
  #feed: Feed | null = null;
  #alone: Feed | null = null;
  #channel: ReturnType<Tabs["open"]> | null = null;
  #abort = new AbortController();
  #isAnswered = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: { connection: Connection; reason: string } = { connection: "opening", reason: "" };

  constructor(
    private readonly api: Pick<FeedApi, "stream" | "poll">,
    private readonly session: Pick<Session, "token" | "refused">,
    private readonly listener: Listener,
    /** Names the chat of one user; asked for once the session is open. */
    private readonly name: () => string,
    private readonly tabs: Tabs | null,
  ) {}

  /** Also tries again after a refusal. */
  start(): void {
    if (!this.#isStopped) {
      this.#alone?.start();
      this.#feed?.start();
      if (!this.#feed && this.#channel) this.#ask();
      return;
    }
    this.#isStopped = false;
    this.#abort = new AbortController();
    if (!this.tabs) {
      this.#alone = new Feed(this.api, this.session, this.listener);
      this.#alone.start();
      return;
    }
    this.listener.onConnection("opening");
    void this.#join(this.tabs, this.#abort.signal);
  }

  stop(): void {
    this.#isStopped = true;
    this.#abort.abort();
    this.#alone?.stop();
    this.#feed?.stop();
    this.#feed = null;
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#channel = null;
  }

  /** This tab's session was ended: the other tabs' are over, too. */
  renewed(): void {
    this.#tell({ isRenewed: true });
  }

  wake(isNetworkNew = false): void {
    this.#alone?.wake(isNetworkNew);
    this.#feed?.wake(isNetworkNew);
    if (!this.#feed && this.#channel) this.#ask();
  }

  /** The session names the user, and so the tabs to share with. Where it does not open, the feed says why. */
  async #join(tabs: Tabs, stopped: AbortSignal): Promise<void> {
    try {
      await this.session.token();
    } catch (error) {
      if (!stopped.aborted) this.#lead(stopped, error);
      return;
    }
    if (stopped.aborted) return;
    const name = `${this.name()}:stream`;
    this.#channel = tabs.open(name);
    this.#channel.onmessage = ({ data }: MessageEvent<Word>) => void this.#hear(data, stopped);
    this.#ask();
    await this.#wait(tabs, name, stopped, false);
  }

  /** Holds the lock, once it has it, as long as the feed runs. */
  async #wait(tabs: Tabs, name: string, stopped: AbortSignal, steal: boolean): Promise<void> {
    const options = steal ? { steal } : { signal: stopped };
    try {
      await tabs.locks.request(name, options, () => this.#lead(stopped));
    } catch {
      // Another tab took the lock from this one, which was frozen; or this feed ended. A page without an origin has no locks.
      if (stopped.aborted) return;
      if (!this.#feed) return void this.#lead(stopped);
      this.#feed.stop();
      this.#feed = null;
      await this.#wait(tabs, name, stopped, false);
    }
  }

  /** `failed`: why no session was opened just now. It is the feed's first try, or the service would be asked twice at once. */
  #lead(stopped: AbortSignal, failed?: unknown): Promise<void> {
    clearTimeout(this.#timer);
    let first = failed === undefined ? null : Promise.reject(failed);
    const feed = new Feed(
      this.api,
      {
        token: () => {
          const token = first ?? this.session.token();
          first = null;
          return token;
        },
        refused: (token) => {
          this.session.refused(token);
          this.#tell({ isRenewed: true });
        },
      },
      {
        last: () => this.listener.last(),
        onMessages: (messages) => {
          this.listener.onMessages(messages);
          this.#tell({ messages });
        },
        onTyping: (typing, ended, person) => {
          this.listener.onTyping(typing, ended, person);
          this.#tell({ typing, ended, person });
        },
        onConnection: (connection, reason = "") => this.#stand(connection, reason),
      },
    );
    this.#feed = feed;
    feed.start();
    return new Promise((resolve) => stopped.addEventListener("abort", () => resolve()));
  }

  #stand(connection: Connection, reason: string): void {
    this.#state = { connection, reason };
    this.listener.onConnection(connection, reason);
    this.#tell({ ...this.#state, last: this.listener.last() });
  }

  #tell(word: Word): void {
    this.#channel?.postMessage(word);
  }

  /** Asks the leader how it stands; takes the lock from one that does not answer. */
  #ask(): void {
    this.#isAnswered = false;
    this.#tell({ asks: true });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#isAnswered && !this.#feed && this.tabs && !this.#isStopped)
        void this.#wait(this.tabs, `${this.name()}:stream`, this.#abort.signal, true);
    }, ANSWER_WITHIN);
  }

  async #hear(word: Word, stopped: AbortSignal): Promise<void> {
    if ("asks" in word) {
      // After a refusal it is tried again by whoever asks.
      this.#feed?.start();
      if (this.#feed) this.#tell({ ...this.#state, last: this.listener.last() });
      return;
    }
    if ("isRenewed" in word) {
      // A session that does not open is told by the feed that needs it.
      const token = await this.session.token().catch(() => null);
      if (token !== null) this.session.refused(token);
      await this.session.token().catch(() => undefined);
      return;
    }
    if (this.#feed) return;
    this.#isAnswered = true;
    if ("typing" in word) this.listener.onTyping(word.typing, word.ended, word.person);
    else if ("messages" in word) {
      // With a gap before them they are asked for together with what is missing: added alone they would hide it.
      if ((word.messages[0]?.position ?? 0) > this.listener.last() + 1) await this.#catchUp(stopped);
      else this.#pass(word.messages);
    } else {
      this.listener.onConnection(word.connection, word.reason);
      if (word.last > this.listener.last()) await this.#catchUp(stopped);
    }
  }

  /** Passes on what is not known yet: two answers that were on their way at once hold the same messages. */
  #pass(messages: readonly Message[]): void {
    const last = this.listener.last();
    const fresh = messages.filter(({ position }) => position > last);
    if (fresh.length) this.listener.onMessages(fresh);
  }

  /** Asks the service once for what this tab has missed. */
  async #catchUp(stopped: AbortSignal): Promise<void> {
    try {
      const { messages, typing, ended, person } = await this.api.poll(await this.session.token(), this.listener.last(), 0, stopped);
      if (stopped.aborted) return;
      this.#pass(messages);
      this.listener.onTyping(typing, ended, person);
    } catch {
      if (stopped.aborted) return;
      // The leader's answer shows the gap again.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), ANSWER_WITHIN);
    }
  }
}
