// Chooses which of a chat's messages are drawn: the newest, and older ones as far as the reader has scrolled up. So what a
// message costs does not grow with the talk.

import type { Message } from "../protocol/wire";

/** Messages that are drawn at first, and by which more come. Twice as many are cut back once the reader is at the end. */
const PAGE_MESSAGES = 100;

export class DrawnRange {
  /** Position of the first message that is drawn. */
  #first = 0;

  /** Returns the messages to draw. */
  cut(messages: readonly Message[], isAtEnd: boolean): readonly Message[] {
    const last = messages.at(-1)?.position ?? 0;
    // A chat that was erased counts from 1 again.
    if (this.#first > last) this.#first = 0;
    const drawn = messages.slice(this.#index(messages));
    if (this.#first && (!isAtEnd || drawn.length <= 2 * PAGE_MESSAGES)) return drawn;
    return this.#begin(messages, messages.length - PAGE_MESSAGES);
  }

  /** Returns the older messages that are drawn from now on, too; none where these are not here. */
  extend(messages: readonly Message[]): readonly Message[] {
    const before = this.#index(messages);
    return this.#begin(messages, before - PAGE_MESSAGES).slice(0, before - this.#index(messages));
  }

  #index(messages: readonly Message[]): number {
    return messages.findIndex(({ position }) => position >= this.#first);
  }

  /** Begins where a speaker does, so that the first group stays what it is when older ones come above it. */
  #begin(messages: readonly Message[], wanted: number): readonly Message[] {
    let from = Math.max(0, wanted);
    while (from > 0 && from > wanted - PAGE_MESSAGES && messages[from - 1]?.from === messages[from]?.from) from -= 1;
    this.#first = messages[from]?.position ?? 0;
    return messages.slice(from);
  }
}
