// Images that may not load: what stands there without them.

import { html, nothing, type TemplateResult } from "lit";
import { imageSource } from "./links";

/** For `@error`: takes the image out of sight, so that what stands behind or beside it shows instead of the browser's icon. */
export function leaveOut(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}

/** The bot's picture; without one the first letter of its name, which also stands there until the picture has come. */
export function drawAvatar(address: string, name: string, language: string): TemplateResult {
  const source = imageSource(address);
  const initial = ([...name.trim()][0] ?? "").toLocaleUpperCase(language);
  const image = source ? html`<img src=${source} alt="" referrerpolicy="no-referrer" @error=${leaveOut} />` : nothing;
  return html`<span class="avatar" aria-hidden="true">${initial}${image}</span>`;
}
