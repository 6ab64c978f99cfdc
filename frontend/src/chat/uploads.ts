// Uploads the files that the user has attached and not yet sent, two at a time; each can be tried again or removed. The chat
// sends the message that names them.

import { Refusal } from "../protocol/api";
import type { Attached, Kept } from "../protocol/wire";
import { thumbnail } from "./thumbnail";

export interface Upload {
  readonly key: string;
  readonly file: File;
  /** A small picture of an image, once it is drawn. */
  readonly picture: string | null;
  readonly state: "waiting" | "uploading" | "done" | "failed" | "too-large";
  /** 0 to 1. */
  readonly progress: number;
  readonly kept: Kept | null;
  /** The service's code when it refused. */
  readonly reason: string;
}

/** The service takes no more (channels.md section 3). */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Two fill any line. The service reads four of one user at a time, and a browser has six connections for all it does. */
const AT_ONCE = 2;
/** A service that is busy is asked again when it says so, if that is soon, and not for ever. */
const SOON = 60_000;
const TRIES = 10;

export interface Depot {
  upload(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<Kept>;
  picture?(file: File): Promise<string | null>;
  onChange(): void;
}

export class Uploads {
  #uploads: readonly Upload[] = [];
  #stops = new Map<string, AbortController>();
  #count = 0;
  #isStopped = false;

  constructor(private readonly depot: Depot) {}

  get all(): readonly Upload[] {
    return this.#uploads;
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      this.#count += 1;
      const key = `upload-${this.#count}`;
      const state = file.size > MAX_FILE_BYTES ? "too-large" : "waiting";
      this.#replace([...this.#uploads, { key, file, picture: null, state, progress: 0, kept: null, reason: "" }]);
      void this.#draw(key, file);
    }
    this.#next();
  }

  retry(key: string): void {
    const upload = this.#uploads.find((one) => one.key === key);
    if (upload?.state !== "failed") return;
    this.#change(key, { state: "waiting", progress: 0, reason: "" });
    this.#next();
  }

  remove(key: string): void {
    this.#stops.get(key)?.abort();
    this.#replace(this.#uploads.filter((one) => one.key !== key));
  }

  /** Removes and returns the files that were uploaded; failed ones stay. */
  take(): { readonly id: string; readonly shown: Attached }[] {
    const taken = this.#uploads.flatMap(({ kept, picture }) => (kept ? [{ id: kept.id, shown: shown(kept, picture) }] : []));
    if (taken.length) this.#replace(this.#uploads.filter((one) => !one.kept));
    return taken;
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.values()) stop.abort();
  }

  async #draw(key: string, file: File): Promise<void> {
    const picture = await (this.depot.picture ?? thumbnail)(file);
    if (picture) this.#change(key, { picture });
  }

  /** Starts the next uploads, in the order in which the files were attached. */
  #next(): void {
    for (const { key, file, state } of this.#uploads)
      if (state === "waiting" && this.#stops.size < AT_ONCE && !this.#stops.has(key)) void this.#upload(key, file);
  }

  async #upload(key: string, file: File): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(key, stop);
    try {
      const kept = await this.#patiently(key, file, stop.signal);
      this.#change(key, { state: "done", progress: 1, kept });
    } catch (error) {
      const isTooLarge = error instanceof Refusal && error.status === 413;
      const reason = error instanceof Refusal ? error.code : "";
      if (!stop.signal.aborted) this.#change(key, { state: isTooLarge ? "too-large" : "failed", reason });
    } finally {
      this.#stops.delete(key);
      if (!this.#isStopped) this.#next();
    }
  }

  /** Waits and tries again where the service is busy (no failure): the file keeps its place in the order. */
  async #patiently(key: string, file: File, signal: AbortSignal): Promise<Kept> {
    for (let tries = 1; ; tries += 1) {
      this.#change(key, { state: "uploading", progress: 0 });
      try {
        return await this.depot.upload(file, (progress) => this.#change(key, { progress }), signal);
      } catch (error) {
        const after = error instanceof Refusal && (error.status === 503 || error.status === 429) ? error.retryAfter : null;
        if (after === null || after > SOON || tries === TRIES || signal.aborted) throw error;
        this.#change(key, { state: "waiting", progress: 0 });
        await pass(after, signal);
      }
    }
  }

  #change(key: string, change: Partial<Upload>): void {
    if (this.#uploads.some((one) => one.key === key))
      this.#replace(this.#uploads.map((one) => (one.key === key ? { ...one, ...change } : one)));
  }

  #replace(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    this.depot.onChange();
  }
}

/** Lets time pass. */
function pass(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function shown({ url, mimeType, name }: Kept, picture: string | null): Attached {
  return { url: picture ?? url, mimeType, name };
}
