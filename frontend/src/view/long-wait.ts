// Tells that something is waited for, and takes long: the bot's answer or its next part, or a message on its way.

import type { Parcel } from "../chat/outbox";
import type { Message } from "../protocol/wire";

/** Milliseconds of waiting that are worth a word. */
const SLOW_AFTER = 8000;

interface Talk {
  readonly isTyping: boolean;
  readonly parcels: readonly Parcel[];
  readonly messages: readonly Message[];
}

export class LongWait {
  isSlow = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = "";

  constructor(private readonly onChange: () => void) {}

  /** Counts from the beginning of a wait, and again from each message that comes. */
  watch({ isTyping, parcels, messages }: Talk): void {
    const isWaiting = isTyping || parcels.some(({ state }) => state !== "failed");
    const last = messages.at(-1)?.id ?? "";
    if (isWaiting && last === this.#last && this.#timer !== undefined) return;
    this.#last = last;
    this.stop();
    if (isWaiting) this.#timer = setTimeout(() => this.#tell(), SLOW_AFTER);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isSlow = false;
  }

  #tell(): void {
    this.isSlow = true;
    this.onChange();
  }
}
