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

/** Draws the page's own line, else the operator's. */
export function consentLine(own: Consent | null, { channel, messages, parcels }: View, words: Words): unknown {
  const consent = own ?? (channel.consent ? { text: channel.consent, link: channel.privacyUrl } : null);
  if (!consent || parcels.length || messages.some(({ from, type }) => from === "user" && type !== "event")) return nothing;
  const link = consent.link ? linkTarget(consent.link) : null;
  return html`<p class="consent" dir="auto">
    ${consent.text} ${link ? html`<a href=${link} target="_blank" rel="noopener">${words.privacy}</a>` : nothing}
  </p>`;
}
