// Holds the chat's messages in the order of the service's positions, each once, however often it arrives.

import type { Message } from "../protocol/wire";

export class Transcript {
  #messages: readonly Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get last(): number {
    return this.#messages.at(-1)?.position ?? 0;
  }

  /** Adds messages; returns those that were new. */
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
