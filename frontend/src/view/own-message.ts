// Draws what the user said.

import { html, type nothing, type TemplateResult } from "lit";
import type { Message } from "../protocol/wire";
import type { Words } from "../texts";
import { drawFiles, drawPlace } from "./files";
import type { Line } from "./groups";
import { chosenDay } from "./time";

/** The user's own words stay as they were typed. */
export function drawOwn(message: Message | null, parcel: Line["parcel"], words: Words, language: string, title: string | typeof nothing): TemplateResult {
  const files = message?.files ?? parcel?.files;
  if (files?.length) return drawFiles(files, words);
  const place = message?.location ?? (parcel && "location" in parcel.content ? parcel.content.location : undefined);
  if (place) return html`<div class="bubble" title=${title}>${drawPlace(place, words, language)}</div>`;
  const kinds: Record<string, string> = { location: words.place, file: words.file };
  const said = message?.type === "option" ? chosenDay(message.text, language) : message?.text;
  const text = (message ? said || kinds[message.type] : parcel?.shown) || "…";
  return html`<div class="bubble" dir="auto" title=${title}>${text}</div>`;
}
