// Draws what the bot said.

import { html, nothing, type TemplateResult } from "lit";
import type { Message } from "../protocol/wire";
import type { Words } from "../texts";
import { drawFiles, drawPlace } from "./files";
import { isLong, markdown } from "./markdown";

/** `login`: the card of a login that the message asks for. */
export function drawBots(message: Message, words: Words, language: string, title: string | typeof nothing, login: unknown): TemplateResult {
  const { location, files } = message;
  const text = message.text || (location || files?.length ? "" : message.dialog?.title || "");
  return html`${text ? html`<div class="bubble prose ${isLong(text) ? "long" : ""}" title=${title}>${markdown(text)}</div>` : nothing}
    ${location ? html`<div class="bubble">${drawPlace(location, words, language)}</div>` : nothing}
    ${files?.length ? drawFiles(files, words) : nothing} ${login}`;
}
