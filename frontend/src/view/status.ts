// What the chat says of itself: nothing was said yet, the service cannot be reached, an answer takes long.

import { html, nothing, type TemplateResult } from "lit";
import type { View } from "../chat/chat";
import { fill, type Words, wordsFor } from "../texts";
import { arrowDown } from "./icons";

export interface ChatStatus {
  readonly words: Words;
  /** The bot's. */
  readonly name: string;
  readonly avatar: TemplateResult;
  /** The connection has been without an answer for a while. */
  readonly isLate: boolean;
  /** The bot has been without an answer for a while. */
  readonly isSlow: boolean;
  /** Opens a session again. */
  readonly start: () => void;
  /** Asks the service at once whether there is something new. */
  readonly look: () => void;
}

/** The bot is typing. */
export const DOTS = html`<div class="line" aria-hidden="true"><div class="typing"><i></i><i></i><i></i></div></div>`;

/** What stands in place of messages. */
export function drawEmpty(view: View, { words, name, avatar, isLate, start, look }: ChatStatus): unknown {
  if (view.connection === "refused")
    return html`<div class="hero">
      ${avatar}<strong title=${view.reason}>${words.notNow}</strong>
      ${view.reason && words === wordsFor("en") ? html`<p lang="en">${view.reason}</p>` : nothing}
      <button type="button" class="act" @click=${start}>${words.tryAgain}</button>
    </div>`;
  if (!isLate) return nothing;
  const isAway = view.connection === "reconnecting" || view.connection === "offline";
  if (isAway && !view.bot)
    return html`<div class="hero" role="alert">
      ${avatar}<strong>${words.notNow}</strong>
      <button type="button" class="act" @click=${look}>${words.tryAgain}</button>
    </div>`;
  if (view.connection !== "live") return nothing;
  return html`<div class="hero">
    ${avatar}<strong class="bot" dir="auto">${name}</strong>
    <p>${words.begin}</p>
  </div>`;
}

/** The button that leads to what has come below. */
export function drawNewer(words: Words, toLast: () => void): TemplateResult {
  return html`<div class="newer">
    <button type="button" @click=${toLast}>${arrowDown}${words.newMessages}</button>
  </div>`;
}

/** The line above the field. */
export function drawNotice(view: View, { words, name, isLate, isSlow, look }: ChatStatus): unknown {
  if (view.connection === "offline") return html`<div>${words.offline}</div>`;
  if (view.connection === "refused" && view.messages.length) return html`<div>${words.notNow}</div>`;
  // Said in the place of the messages, where there are none.
  if (view.connection === "reconnecting" && !view.bot && !view.messages.length) return nothing;
  if (view.connection === "reconnecting" && isLate) return html`<div class="soft">${words.reconnecting}</div>`;
  if (view.connection === "opening" && isLate) return html`<div class="soft">${words.connecting}</div>`;
  if (isSlow)
    return html`<div class="soft">
      <span>${words.slow} <button type="button" class="again" @click=${look}>${words.tryAgain}</button></span>
    </div>`;
  if (view.person) return html`<div class="soft">${fill(words.withPerson, { name: view.person })}</div>`;
  if (view.person === "") return html`<div class="soft">${words.waitingForPerson}</div>`;
  if (view.isTyping) return html`<span class="unseen">${fill(words.typing, { name })}</span>`;
  return nothing;
}
