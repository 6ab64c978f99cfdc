// The few pictures that the chat draws itself.

import { svg, html } from "lit";

const icon = (content: unknown) =>
  html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const arrowUp = icon(svg`<path d="M10 16V4.5M5 9.25 10 4.25l5 5" />`);
export const arrowDown = icon(svg`<path d="M10 4v11.5M5 10.75l5 5 5-5" />`);
/** Towards the end of the line; mirrored where lines run from right to left. */
export const forward = icon(svg`<path d="m8 5 5 5-5 5" />`);
export const backward = icon(svg`<path d="m12 5-5 5 5 5" />`);
export const outward = icon(svg`<path d="M8 5H5v10h10v-3M11 5h4v4M15 5l-6 6" />`);
export const cross = icon(svg`<path d="m5 5 10 10M15 5 5 15" />`);
export const bubble = icon(svg`<path d="M10 3.5c4 0 7 2.6 7 6s-3 6-7 6c-.8 0-1.6-.1-2.3-.3L4 16.5l.8-3C3.7 12.5 3 11.1 3 9.5c0-3.4 3-6 7-6Z" />`);
