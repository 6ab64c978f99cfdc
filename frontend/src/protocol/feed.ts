// Receives the bot's messages: by an event stream, connected again after a break, or by long polls where a proxy holds streams
// back.

import { type FeedApi, Refusal } from "./feed-api";
import { backoff, Sleeper } from "./backoff";
import type { Session } from "./session";
import { EventReader, type ServerEvent } from "./sse";
import { type Message, readMessage, readTyping } from "./wire";

export type Connection = "opening" | "live" | "reconnecting" | "refused";

export interface Listener {
  /** Position of the last message that is here. */
  last(): number;
  onMessages(messages: readonly Message[]): void;
  /** `ended`: the conversation that is to be rated; empty for none, and left out where nobody said. `person`: as in `Typing`. */
  onTyping(isOn: boolean, ended?: string, person?: string | null): void;
  /** `reason` is the service's sentence when it refused for good. */
  onConnection(connection: Connection, reason?: string): void;
}

/** A stream starts with bytes at once; silence means that a proxy holds them back. */
const FIRST_BYTE_WITHIN = 8000;
/** The service sends a heartbeat every 15 s. */
const SILENCE_ALLOWED = 40_000;
/** A wake-up call believes a stream that was silent no longer than a heartbeat and a bit. */
const FRESH = 17_000;
const POLL_WAIT = 25;
const STREAM_AGAIN_AFTER = 600_000;

export class Feed {
  #isStopped = true;
  #abort = new AbortController();
  #sleeper = new Sleeper();
  #failures = 0;
  #streamFailures = 0;
  #lastByte = 0;
  #retry = 1000;

  constructor(
    private readonly api: Pick<FeedApi, "stream" | "poll">,
    private readonly session: Pick<Session, "token" | "refused">,
    private readonly listener: Listener,
  ) {}

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#abort = new AbortController();
    this.#failures = 0;
    this.listener.onConnection("opening");
    void this.#run(this.#abort.signal);
  }

  stop(): void {
    this.#isStopped = true;
    this.#abort.abort();
    this.#sleeper.cut();
  }

  /** The page is looked at again, or the network came back (a connection from before is then dead): wait no longer. */
  wake(isNetworkNew = false): void {
    if (this.#isStopped) return;
    this.#sleeper.cut();
    if (this.#lastByte && (isNetworkNew || Date.now() - this.#lastByte > FRESH)) this.#cutConnection();
  }

  #cutConnection: () => void = () => {};

  async #run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      let wait: number;
      try {
        await this.#receive(stopped);
        wait = this.#retry * (0.5 + Math.random());
      } catch (error) {
        if (stopped.aborted) return;
        if (error instanceof Refusal && error.isFinal) {
          this.#isStopped = true;
          this.listener.onConnection("refused", error.message);
          return;
        }
        this.#failures += 1;
        const asked = error instanceof Refusal ? error.retryAfter : null;
        wait = Math.max(backoff(this.#failures), asked ?? 0);
        // A session that has run out is ordinary and opened again at once, but never in a tight circle.
        if (error instanceof Refusal && error.status === 401 && this.#failures === 1) wait = 0;
      }
      if (stopped.aborted) return;
      if (wait > 0) this.listener.onConnection("reconnecting");
      this.listener.onTyping(false);
      await this.#sleeper.sleep(wait);
    }
  }

  /** One connection from its start to its end. */
  async #receive(stopped: AbortSignal): Promise<void> {
    const token = await this.session.token();
    try {
      try {
        await this.#stream(token, stopped);
      } catch (error) {
        if (stopped.aborted || this.#streamFailures < 2) throw error;
        if (error instanceof Refusal && (error.isFinal || error.status === 401)) throw error;
        await this.#poll(token, stopped);
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) this.session.refused(token);
      throw error;
    }
  }

  async #stream(token: string, stopped: AbortSignal): Promise<void> {
    const connection = new AbortController();
    const cut = () => connection.abort();
    let watch = setTimeout(cut, FIRST_BYTE_WITHIN);
    stopped.addEventListener("abort", cut);
    this.#cutConnection = cut;
    let isFirst = true;
    try {
      const body = await this.api.stream(token, this.listener.last(), connection.signal);
      const reader = body.getReader();
      // Some platforms leave a read hanging after an abort; the reader is told as well.
      connection.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined));
      const decoder = new TextDecoder();
      const events = new EventReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (connection.signal.aborted) throw new DOMException("The stream fell silent.", "AbortError");
        if (done && isFirst) throw new TypeError("The stream ended before it began.");
        if (done) return;
        clearTimeout(watch);
        watch = setTimeout(cut, SILENCE_ALLOWED);
        this.#lastByte = Date.now();
        if (isFirst) {
          this.#isAlive();
          this.#streamFailures = 0;
          isFirst = false;
        }
        this.#pass(events.push(decoder.decode(value, { stream: true })));
        this.#retry = events.retry ?? this.#retry;
      }
    } catch (error) {
      // A stream that is open and silent is held back by a proxy: no use to try it twice.
      if (isFirst) this.#streamFailures += connection.signal.aborted ? 2 : 1;
      throw error;
    } finally {
      clearTimeout(watch);
      stopped.removeEventListener("abort", cut);
      this.#lastByte = 0;
      this.#cutConnection = () => {};
    }
  }

  #pass(events: readonly ServerEvent[]): void {
    const messages: Message[] = [];
    for (const { type, data } of events) {
      const value = parsed(data);
      const message = type === "message" ? readMessage(value) : null;
      if (message) messages.push(message);
      else if (type === "typing") {
        this.#deliver(messages.splice(0));
        const { typing, ended, person } = readTyping(value);
        this.listener.onTyping(typing, ended, person);
      }
    }
    this.#deliver(messages);
  }

  /** Long polls until one fails, or until it is time to see whether a stream passes by now. */
  async #poll(token: string, stopped: AbortSignal): Promise<void> {
    const until = Date.now() + STREAM_AGAIN_AFTER;
    let wait = 0;
    while (Date.now() < until && !stopped.aborted) {
      const asked = Date.now();
      const { messages, typing, ended, person } = await this.api.poll(token, this.listener.last(), wait, stopped);
      this.#isAlive();
      this.#deliver(messages);
      this.listener.onTyping(typing, ended, person);
      // A proxy that answers a long poll at once must not make this a storm.
      if (wait && !messages.length && Date.now() - asked < 1000) await this.#sleeper.sleep(2000);
      // While the bot is at work its answer is near and the dots must end soon.
      wait = typing ? 2 : POLL_WAIT;
    }
  }

  #isAlive(): void {
    this.#failures = 0;
    this.listener.onConnection("live");
  }

  #deliver(messages: readonly Message[]): void {
    if (messages.length) this.listener.onMessages(messages);
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
