// Adds older messages above the others when the reader scrolls up. The others stay where they are.

import type { Chat } from "../chat/chat";
import type { Message } from "../protocol/wire";
import type { DrawnRange } from "./drawn-range";
import type { StickToEnd } from "./scroll";

/** Milliseconds after which screen readers have looked at a change. */
const QUIET_MS = 300;

export class OlderMessages {
  /** They are on their way into the list, and not to be read out. */
  isAdding = false;

  constructor(
    private readonly range: DrawnRange,
    private readonly stick: StickToEnd,
  ) {}

  async add(chat: Chat, draw: (older: readonly Message[]) => Promise<unknown>): Promise<void> {
    if (this.isAdding) return;
    this.isAdding = true;
    try {
      let older = this.range.extend(chat.view.messages);
      // What does not come is asked for again when the reader goes on.
      if (!older.length && (await chat.loadOlder().catch(() => false))) older = this.range.extend(chat.view.messages);
      if (!older.length) return;
      const goBack = this.stick.holdPlace();
      await draw(older);
      goBack();
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    } finally {
      this.isAdding = false;
    }
  }
}
