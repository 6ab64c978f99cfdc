// Calls the page's listeners. One that throws hinders no other: its error goes to the console, as that of an event's would.

import type { Events } from "./options";

type Name = keyof Events;
type Listener<N extends Name> = (value: Events[N]) => void;

const NAMES = ["open", "close", "message", "unread", "login", "error"] satisfies Name[];

export class Emitter {
  #listeners: (readonly [Name, Listener<never>])[] = [];

  /** Throws where there is no such event, or the listener is no function. */
  on<N extends Name>(name: N, listener: Listener<N>): () => void {
    const end = () => this.off(name, listener);
    // A listener that is given twice is called once.
    end();
    this.#listeners = [...this.#listeners, [name, listener]];
    return end;
  }

  /** Throws as `on` does. */
  off<N extends Name>(name: N, listener: Listener<N>): void {
    if (!NAMES.includes(name) || typeof listener !== "function")
      throw new TypeError(`Dialoom: on() and off() take ${NAMES.join(", ")} and a function.`);
    this.#listeners = this.#listeners.filter(([one, called]) => one !== name || called !== listener);
  }

  emit<N extends Name>(name: N, value?: Events[N]): void {
    for (const [one, called] of this.#listeners)
      if (one === name)
        try {
          (called as Listener<N>)(value as Events[N]);
        } catch (error) {
          reportError(error);
        }
  }

  clear(): void {
    this.#listeners = [];
  }
}
