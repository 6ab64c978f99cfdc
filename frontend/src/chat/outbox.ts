// Sends the user's messages one after the other, each again and again until the service has it. The same id on every try
// makes a repeat harmless. A message that the event stream has not brought back yet stays here as "sent".

import { Refusal } from "../protocol/feed-api";
import type { StoredValue } from "../protocol/stored-value";
import { backoff, Sleeper } from "../protocol/backoff";
import type { Attached, Content } from "../protocol/wire";

export interface Parcel {
  readonly id: string;
  readonly content: Content;
  /** What the user sees of it. */
  readonly shown: string;
  /** Of a message of files: what is shown of them. */
  readonly files?: readonly Attached[];
  readonly state: "sending" | "sent" | "failed";
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Post {
  send(id: string, content: Content): Promise<void>;
  /** Whether the browser says that there is no network: tries do not count then. */
  isOffline(): boolean;
  onChange(): void;
}

const TRIES = 5;
const KEEP_SENT_FOR = 600_000;

export class Outbox {
  #parcels: readonly Parcel[];
  #sleeper = new Sleeper();
  #isWorking = false;
  #isStopped = false;

  constructor(
    private readonly post: Post,
    private readonly store: StoredValue,
  ) {
    this.#parcels = restored(store.get(), Date.now());
  }

  get parcels(): readonly Parcel[] {
    return this.#parcels;
  }

  put(content: Content, shown: string, files?: readonly Attached[]): void {
    const parcel = { id: makeId(), content, shown, ...(files && { files }), state: "sending", at: Date.now() } as const;
    this.#replace([...this.#parcels, parcel]);
    this.work();
  }

  retry(id: string): void {
    this.#mark(id, "sending");
    this.work();
  }

  /** Removes these messages: the transcript has them now. */
  confirm(ids: ReadonlySet<string>): void {
    if (this.#parcels.some((parcel) => ids.has(parcel.id)))
      this.#replace(this.#parcels.filter((parcel) => !ids.has(parcel.id)));
  }

  clear(): void {
    this.#replace([]);
  }

  stop(): void {
    this.#isStopped = true;
    this.#sleeper.cut();
  }

  /** Sends at once: a message was added, or the network came back. */
  work(): void {
    this.#isStopped = false;
    this.#sleeper.cut();
    if (!this.#isWorking) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#next(); next && !this.#isStopped; next = this.#next()) await this.#deliver(next);
    this.#isWorking = false;
  }

  #next(): Parcel | undefined {
    return this.#parcels.find((parcel) => parcel.state === "sending");
  }

  async #deliver(parcel: Parcel): Promise<void> {
    for (let failures = 0; !this.#isStopped; ) {
      try {
        await this.post.send(parcel.id, parcel.content);
        this.#mark(parcel.id, "sent");
        return;
      } catch (error) {
        if (error instanceof Refusal && error.isFinal) {
          this.#mark(parcel.id, "failed");
          return;
        }
        if (this.post.isOffline()) {
          await this.#sleeper.sleep(30_000);
          continue;
        }
        failures += 1;
        if (failures === TRIES) {
          // The messages behind it would fail in the same way, and out of order.
          for (const waiting of this.#parcels) if (waiting.state === "sending") this.#mark(waiting.id, "failed");
          return;
        }
        const asked = error instanceof Refusal ? error.retryAfter : null;
        const isExpired = error instanceof Refusal && error.status === 401 && failures === 1;
        await this.#sleeper.sleep(isExpired ? 0 : Math.max(backoff(failures), asked ?? 0));
      }
    }
  }

  #mark(id: string, state: Parcel["state"]): void {
    this.#replace(this.#parcels.map((parcel) => (parcel.id === id ? { ...parcel, state } : parcel)));
  }

  #replace(parcels: readonly Parcel[]): void {
    this.#parcels = parcels;
    this.store.set(parcels.length ? JSON.stringify(parcels) : null);
    this.post.onChange();
  }
}

/** Reads the messages that were not sent before the page was reloaded. */
function restored(kept: string | null, now: number): readonly Parcel[] {
  if (kept === null) return [];
  try {
    const parcels = JSON.parse(kept) as readonly Parcel[];
    return parcels.filter((parcel) => parcel.state !== "sent" || now - parcel.at < KEEP_SENT_FOR);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

/** `crypto.randomUUID` exists only on secure origins; a test installation on plain http in a local network is none. */
export function makeId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
