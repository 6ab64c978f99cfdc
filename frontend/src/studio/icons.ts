// The studio's few pictures.

import { html, svg } from "lit";

const icon = (content: unknown) =>
  html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const copySheets = icon(svg`<rect x="5.5" y="5.5" width="8" height="8" rx="2" /><path d="M10.5 5.5v-1a2 2 0 0 0-2-2h-4a2 2 0 0 0-2 2v4a2 2 0 0 0 2 2h1" />`);
export const done = icon(svg`<path d="m3.5 8.5 3 3 6-6.5" />`);
export const plus = icon(svg`<path d="M8 3.5v9M3.5 8h9" />`);
export const away = icon(svg`<path d="M6.5 3.5h-2a1.5 1.5 0 0 0-1.5 1.5v6.5A1.5 1.5 0 0 0 4.5 13H11a1.5 1.5 0 0 0 1.5-1.5v-2M9.5 3h3.5v3.5M13 3 7.5 8.5" />`);
export const leave = icon(svg`<path d="M9.5 3h-5A1.5 1.5 0 0 0 3 4.5v7A1.5 1.5 0 0 0 4.5 13h5M7 8h6.5M11 5.5 13.5 8 11 10.5" />`);
export const book = icon(svg`<path d="M3 3.5h3.5A1.5 1.5 0 0 1 8 5v8a1.2 1.2 0 0 0-1.2-1.2H3ZM13 3.5H9.5A1.5 1.5 0 0 0 8 5v8a1.2 1.2 0 0 1 1.2-1.2H13Z" />`);
export const home = icon(svg`<path d="M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5" />`);
export const play = icon(svg`<path d="M2.5 4.5A1.5 1.5 0 0 1 4 3h8a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 12 11H7l-3 2.5V11a1.5 1.5 0 0 1-1.5-1.5ZM6.8 5.2v3.6L9.8 7Z" />`);
export const lens = icon(svg`<circle cx="7" cy="7" r="4" /><path d="m10 10 3.5 3.5" />`);
export const chevrons = icon(svg`<path d="m5.5 6 2.5-2.5L10.5 6M5.5 10 8 12.5l2.5-2.5" />`);
export const cross = icon(svg`<path d="m4 4 8 8M12 4l-8 8" />`);
export const again = icon(svg`<path d="M3 8a5 5 0 1 1 1.5 3.6M3 12.5V9.2h3.3" />`);
export const back = icon(svg`<path d="M6 3.5 2.5 7 6 10.5M2.5 7H10a3.5 3.5 0 0 1 0 7H8" />`);

const build = icon(svg`<rect x="2.5" y="2.5" width="5" height="3.5" rx="1" /><rect x="8.5" y="10" width="5" height="3.5" rx="1" /><path d="M5 6v5.75h3.5M5 8h6V10" />`);
const understand = icon(svg`<path d="M5.5 10.8a4.5 4.5 0 1 1 5 0v1.2h-5ZM6.5 14h3" />`);
const test = icon(svg`<path d="M2.5 4.5 4 6l2.5-3M2.5 11 4 12.5l2.5-3M9 4.5h4.5M9 11h4.5" />`);
const conversations = icon(svg`<path d="M2.5 3.5h8v5.5h-5l-3 2.2ZM12.5 6.5h1v7.2L11 12H7.5" />`);
const insights = icon(svg`<path d="M3 13V8.5M6.5 13V3M10 13V6M13.5 13v-2.5" />`);
const handOff = icon(svg`<path d="M3 9.5V8a5 5 0 0 1 10 0v1.5M3 9h1.5v3.5H3.2ZM13 9h-1.5v3.5h1.3ZM12.5 12.5c0 1-1.5 1.5-3 1.5" />`);
const operate = icon(svg`<rect x="2.5" y="3" width="11" height="4" rx="1" /><rect x="2.5" y="9" width="11" height="4" rx="1" /><path d="M5 5h.01M5 11h.01" />`);
const people = icon(svg`<circle cx="6" cy="5.5" r="2.2" /><path d="M2 13c0-2.2 1.8-3.7 4-3.7s4 1.5 4 3.7M10.5 3.6a2.2 2.2 0 0 1 0 3.9M11.5 9.6c1.5.5 2.5 1.7 2.5 3.4" />`);

/** The picture of each room. */
export const roomIcons = { build, understand, test, conversations, insights, "hand-off": handOff, operate, people } as const;

export const mark = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path fill="#4a5fd0" d="M16 4c7.2 0 13 4.7 13 10.6S23.2 25.2 16 25.2c-1.3 0-2.6-.2-3.8-.5L5.5 28l1.3-6C4.4 20.1 3 17.5 3 14.6 3 8.7 8.8 4 16 4Z" /><g fill="#fff"><circle cx="10.5" cy="14.7" r="1.8" /><circle cx="16" cy="14.7" r="1.8" /><circle cx="21.5" cy="14.7" r="1.8" /></g></svg>`;
