// Calls the page's listeners. One that throws hinders no other: its error goes to the console, as that of an event's would.

import type { Events } from "./options";

type Listener = (value: never) => void;

export class Emitter {
  #listeners = new Map<keyof Events, Set<Listener>>();

  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(listener));
    return () => this.off(name, listener);
  }

  off<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): void {
    this.#listeners.get(name)?.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      try {
        (listener as (value: Events[Name]) => void)(value);
      } catch (error) {
        reportError(error);
      }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
