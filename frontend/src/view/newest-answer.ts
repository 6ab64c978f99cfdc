// Which of the bot's answers is the newest: the list goes to its first line.

import type { Parcel } from "../chat/outbox";
import { type Drawn, newlyFailed } from "./groups";

/** Milliseconds: messages of the bot that come within them are one answer. */
const ONE_ANSWER = 10_000;

interface Shown {
  readonly messages: readonly Drawn[];
  readonly parcels: readonly Parcel[];
}

export class NewestAnswer {
  /** Key of the line where it begins; empty: there is none since the user said something. */
  key = "";
  #at = -Infinity;

  /** Compares what is shown with what was before: whether the bot said something, and whether the user sends something. */
  follow(before: Shown, now: Shown): { hasCome: boolean; isSending: boolean } {
    const last = before.messages.at(-1)?.position ?? 0;
    const news = now.messages.filter(({ position, replaces }) => position > last && !replaces);
    // Of several answers at once, that to what the user said last is the newest.
    const asked = news.map(({ from }) => from).lastIndexOf("user");
    const fresh = news.slice(asked + 1).find(({ from }) => from === "bot");
    if (asked >= 0) this.#begin();
    if (fresh && Date.parse(fresh.createdAt) - this.#at >= ONE_ANSWER) this.#begin(fresh.key, Date.parse(fresh.createdAt));
    const isSending = now.parcels.length > before.parcels.length;
    if (isSending) this.#begin();
    // A message that was not sent is seen, with its button, though the replies stand below it again.
    const failed = newlyFailed(before.parcels, now.parcels);
    if (failed) this.#begin(failed.id);
    return { hasCome: fresh !== undefined, isSending };
  }

  #begin(key = "", at = -Infinity): void {
    this.key = key;
    this.#at = at;
  }
}
