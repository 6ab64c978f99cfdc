// The dialogs, as the chat and the picker page take them: loaded when a question first needs one. Logins are a part of their own.

import { html } from "../shared-with-dialogs";
import type { Dialog, FindPlaces } from "../protocol/wire";
import type { Words } from "../texts";
import { DialoomCarousel } from "./carousel";
import { DialoomDate } from "./date";
import { DialoomLocation } from "./location";
import { DialoomSelect } from "./select";
import { DialoomSheet } from "./sheet";

export function define(): void {
  if (customElements.get("dialoom-sheet")) return;
  customElements.define("dialoom-carousel", DialoomCarousel);
  customElements.define("dialoom-date", DialoomDate);
  customElements.define("dialoom-location", DialoomLocation);
  customElements.define("dialoom-select", DialoomSelect);
  customElements.define("dialoom-sheet", DialoomSheet);
}

/** The panel of a dialog: for a sheet, a page of its own, or (cards) the chat itself. */
export function panel(dialog: Dialog, words: Words, locale: string, find: FindPlaces | null = null): unknown {
  switch (dialog.type) {
    case "carousel":
      return html`<dialoom-carousel .dialog=${dialog} .words=${words} .locale=${locale}></dialoom-carousel>`;
    case "date-picker":
      return html`<dialoom-date .dialog=${dialog} .words=${words} .locale=${locale}></dialoom-date>`;
    case "location-picker":
      return html`<dialoom-location .dialog=${dialog} .words=${words} .locale=${locale} .find=${find}></dialoom-location>`;
    default:
      return html`<dialoom-select .dialog=${dialog} .words=${words} .locale=${locale}></dialoom-select>`;
  }
}

/** `question`: the text of the bot's message, Markdown. */
export function sheet(
  dialog: Dialog,
  question: string,
  words: Words,
  locale: string,
  anchor: HTMLElement | null,
  frame: HTMLElement | null,
  find: FindPlaces | null = null,
): unknown {
  return html`<dialoom-sheet
    .dialog=${dialog}
    .question=${question}
    .words=${words}
    .anchor=${anchor}
    .frame=${frame}
    .content=${panel(dialog, words, locale, find)}
  ></dialoom-sheet>`;
}
