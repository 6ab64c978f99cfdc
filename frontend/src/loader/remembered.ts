// What the widget keeps in the browser for all pages and tabs of a site.

import { storedValue } from "../protocol/stored-value";
import type { LauncherLook } from "./stages";

export interface Remembered {
  /** Whether the user left the window open. */
  readonly open?: boolean;
  /** Whether the user closed the line that invites. */
  readonly dismissed?: boolean;
  /** Position of the last message that the user has seen. */
  readonly seen?: number;
  readonly unread?: number;
  /** The beginning of the last message that the user has not seen. */
  readonly snippet?: string;
  /** Of the bot when the chat was last opened. */
  readonly look?: LauncherLook;
}

/** The name under which all of one chat is kept in the browser. */
export function chatName(server: string, bot: string, channel: string): string {
  return `dialoom:${server}:${bot}:${channel}`;
}

export class Memory {
  readonly #value;
  readonly #session;
  readonly key: string;

  constructor(name: string) {
    this.key = `${name}:window`;
    this.#value = storedValue(() => localStorage, this.key);
    this.#session = storedValue(() => localStorage, `${name}:session`);
  }

  /** The session that is open in this browser (protocol/kept-session.ts), as text. */
  get session(): string | null {
    return this.#session.get();
  }

  get(): Remembered {
    try {
      return (JSON.parse(this.#value.get() ?? "") ?? {}) as Remembered;
    } catch {
      return {};
    }
  }

  put(change: Remembered): void {
    this.#value.set(JSON.stringify({ ...this.get(), ...change }));
  }
}
