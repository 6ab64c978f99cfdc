// The icons of the chat, as SVG.

import { svg, html } from "lit";

export const icon = (content: unknown) =>
  html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const arrowUp = icon(svg`<path d="M10 16V4.5M5 9.25 10 4.25l5 5" />`);
export const arrowDown = icon(svg`<path d="M10 4v11.5M5 10.75l5 5 5-5" />`);
/** Towards the end of the line; mirrored where lines run from right to left. */
export const forward = icon(svg`<path d="m8 5 5 5-5 5" />`);
export const backward = icon(svg`<path d="m12 5-5 5 5 5" />`);
export const outward = icon(svg`<path d="M8 5H5v10h10v-3M11 5h4v4M15 5l-6 6" />`);
export const cross = icon(svg`<path d="m5 5 10 10M15 5 5 15" />`);
export const bubble = icon(svg`<path d="M10 3.5c4 0 7 2.6 7 6s-3 6-7 6c-.8 0-1.6-.1-2.3-.3L4 16.5l.8-3C3.7 12.5 3 11.1 3 9.5c0-3.4 3-6 7-6Z" />`);
export const tick = icon(svg`<path d="m4.5 10.5 3.75 3.75 7.25-8" />`);
export const star = icon(svg`<path d="m10 2.75 2.2 4.6 5 .7-3.6 3.5.9 5-4.5-2.4-4.5 2.4.9-5-3.6-3.5 5-.7Z" />`);
export const pin = icon(svg`<path d="M10 17.5c3.6-3.6 5.5-6.4 5.5-8.8a5.5 5.5 0 1 0-11 0c0 2.4 1.9 5.2 5.5 8.8Z" /><circle cx="10" cy="8.5" r="2" />`);
export const calendar = icon(svg`<rect x="3.5" y="4.5" width="13" height="12" rx="2.5" /><path d="M3.5 8.5h13M7 3v3M13 3v3" />`);
export const list = icon(svg`<path d="M7.5 5.5h9M7.5 10h9M7.5 14.5h9M3.75 5.5h.01M3.75 10h.01M3.75 14.5h.01" />`);
export const clip = icon(svg`<path d="m15.75 9.25-5.9 5.9a3.6 3.6 0 0 1-5.1-5.1l6.1-6.1a2.4 2.4 0 0 1 3.4 3.4l-6.05 6.05a1.2 1.2 0 0 1-1.7-1.7l5.5-5.5" />`);
export const sheet = icon(svg`<path d="M11.5 2.75H6A1.5 1.5 0 0 0 4.5 4.25v11.5a1.5 1.5 0 0 0 1.5 1.5h8a1.5 1.5 0 0 0 1.5-1.5v-9Zm0 0v4h4" />`);
