// Tells the state of a login that the bot asked for, from the messages behind it.

import type { Message } from "../protocol/wire";

/** `again`: the same link was sent once more, and the later card is the one to use. */
export type LoginState = "open" | "through" | "over" | "again";

/** Milliseconds by which the card's link was made before the card was said: it may have been sent before, and grows no younger. */
export function linkAge(card: Message, messages: readonly Message[]): number {
  const first = messages.find(({ dialog }) => dialog?.type === "login" && dialog.key === card.dialog?.key);
  return Date.parse(card.createdAt) - Date.parse(first?.createdAt ?? "") || 0;
}

export function stateOf(card: Message, messages: readonly Message[]): LoginState {
  for (const message of messages) {
    if (message.position <= card.position) continue;
    if (message.loggedIn) return "through";
    // The newest link of a chat is the one that counts (login.md, The flow, 3).
    if (message.dialog?.type === "login") return message.dialog.key === card.dialog?.key ? "again" : "over";
  }
  return "open";
}
