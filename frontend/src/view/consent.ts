// The line above the field that stands there until the user has said something: what they agree to by writing.

import { html, nothing } from "lit";
import type { View } from "../chat/chat";
import type { Words } from "../texts";
import { linkTarget } from "./links";

export interface Consent {
  readonly text: string;
  /** Address of what the text speaks of. */
  readonly link?: string;
}

export function consentLine(consent: Consent | null, { messages, parcels }: View, words: Words): unknown {
  if (!consent || parcels.length || messages.some(({ from, type }) => from === "user" && type !== "event")) return nothing;
  const link = consent.link ? linkTarget(consent.link) : null;
  return html`<p class="consent" dir="auto">
    ${consent.text} ${link ? html`<a href=${link} target="_blank" rel="noopener">${words.privacy}</a>` : nothing}
  </p>`;
}
