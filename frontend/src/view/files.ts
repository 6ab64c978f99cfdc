// Files and places as they stand in the chat: pictures as pictures, all else as a line with its name.

import { css, html, type TemplateResult } from "lit";
import type { Attached, Place } from "../protocol/wire";
import type { Words } from "../texts";
import { pin, sheet } from "./icons";
import { leaveOut } from "./images";
import { imageSource, linkTarget } from "./links";
import { inWords } from "./coordinate-words";
import { regional } from "./time";

export function drawFiles(files: readonly Attached[], words: Words): TemplateResult {
  return html`<div class="files ${files.length > 1 ? "several" : ""}">${files.map((file) => drawFile(file, words))}</div>`;
}

function drawFile(file: Attached, words: Words): TemplateResult {
  const name = file.name || words.file;
  // A picture on its way is a small copy that the chat has drawn itself: there is nothing to lead to yet.
  const isCopy = file.url.startsWith("data:image/");
  const image = isCopy ? file.url : file.mimeType.startsWith("image/") ? imageSource(file.url) : null;
  const target = isCopy ? null : linkTarget(file.url);
  const inner = image
    ? html`<img src=${image} alt=${name} decoding="async" referrerpolicy="no-referrer" @error=${leaveOut} /><span class="lost" dir="auto">${name}</span>`
    : html`<span class="pill">${sheet}<span dir="auto">${name}</span></span>`;
  const kind = image ? "picture" : "document";
  if (!target) return html`<span class="file ${kind}">${inner}</span>`;
  return html`<a class="file ${kind}" href=${target} target="_blank" rel="noopener noreferrer">${inner}</a>`;
}

export function drawPlace(place: Place, words: Words, language: string): TemplateResult {
  const where = inWords(place.latitude, place.longitude, words, regional(language));
  return html`<span class="place">${pin}<span dir="auto">${place.name ? html`<b>${place.name}</b>` : ""}${where}</span></span>`;
}

export const fileStyles = css`
  .files {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    max-inline-size: 100%;
  }

  .user .files {
    justify-content: flex-end;
  }

  .files.several {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 144px));
  }

  .several .document {
    grid-column: span 2;
  }

  .file {
    display: block;
    max-inline-size: 100%;
    border-radius: var(--round);
    color: inherit;
    text-decoration: none;
  }

  /* A box of fixed size: nothing jumps when the picture arrives. */
  .picture img {
    display: block;
    inline-size: 240px;
    max-inline-size: 100%;
    aspect-ratio: 4 / 3;
    border-radius: var(--round);
    background: var(--raised);
    object-fit: cover;
  }

  .lost {
    display: none;
    padding: 10px 14px;
    border-radius: var(--round);
    background: var(--raised);
    overflow-wrap: anywhere;
  }

  .picture img[hidden] + .lost {
    display: block;
  }

  .several .picture img {
    inline-size: 100%;
    aspect-ratio: 1;
  }

  .file .pill {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 44px;
    padding: 8px 16px 8px 12px;
    padding-inline: 12px 16px;
    border: 1px solid var(--line-strong);
    border-radius: var(--round);
    overflow-wrap: anywhere;
  }

  .file svg,
  .place svg {
    flex: none;
  }

  a.file:hover .pill {
    background: var(--raised);
  }

  .place {
    display: flex;
    align-items: flex-start;
    gap: 8px;
    white-space: normal;
  }

  .place svg {
    margin-block-start: 1px;
  }

  .place b {
    display: block;
    font-weight: 500;
  }

  .sending .file {
    opacity: 0.6;
  }

  .drop {
    position: absolute;
    inset: 8px;
    display: grid;
    place-items: center;
    border: 2px dashed var(--brand-line);
    border-radius: 16px;
    background: oklch(from var(--surface) l c h / 0.92);
    color: var(--brand-ink);
    font-weight: 500;
    pointer-events: none;
  }
`;
