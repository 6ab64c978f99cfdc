// What has been said, strictly in the order of the service's positions. Each message is kept once, however often it comes.

import type { Message } from "../protocol/wire";

export class Transcript {
  #messages: readonly Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get last(): number {
    return this.#messages.at(-1)?.position ?? 0;
  }

  /** Takes the messages in; gives those that were not here before. */
  add(messages: readonly Message[]): readonly Message[] {
    const known = new Set(this.#messages.map((message) => message.position));
    const fresh = messages.filter((message) => !known.has(message.position) && known.add(message.position));
    if (fresh.length) this.#messages = [...this.#messages, ...fresh].sort((a, b) => a.position - b.position);
    return fresh;
  }

  clear(): void {
    this.#messages = [];
  }
}
