// The studio's few pictures.

import { html, svg } from "lit";

const icon = (content: unknown) =>
  html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const copySheets = icon(svg`<rect x="5.5" y="5.5" width="8" height="8" rx="2" /><path d="M10.5 5.5v-1a2 2 0 0 0-2-2h-4a2 2 0 0 0-2 2v4a2 2 0 0 0 2 2h1" />`);
export const done = icon(svg`<path d="m3.5 8.5 3 3 6-6.5" />`);
export const plus = icon(svg`<path d="M8 3.5v9M3.5 8h9" />`);
export const away = icon(svg`<path d="M6.5 3.5h-2a1.5 1.5 0 0 0-1.5 1.5v6.5A1.5 1.5 0 0 0 4.5 13H11a1.5 1.5 0 0 0 1.5-1.5v-2M9.5 3h3.5v3.5M13 3 7.5 8.5" />`);
export const leave = icon(svg`<path d="M9.5 3h-5A1.5 1.5 0 0 0 3 4.5v7A1.5 1.5 0 0 0 4.5 13h5M7 8h6.5M11 5.5 13.5 8 11 10.5" />`);
export const gear = icon(svg`<path d="M2.5 4.75h6M12 4.75h1.5M2.5 11.25H4M7.5 11.25h6" /><circle cx="10.25" cy="4.75" r="1.75" /><circle cx="5.75" cy="11.25" r="1.75" />`);
export const book = icon(svg`<path d="M3 3.5h3.5A1.5 1.5 0 0 1 8 5v8a1.2 1.2 0 0 0-1.2-1.2H3ZM13 3.5H9.5A1.5 1.5 0 0 0 8 5v8a1.2 1.2 0 0 1 1.2-1.2H13Z" />`);
export const mark = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path fill="#4a5fd0" d="M16 4c7.2 0 13 4.7 13 10.6S23.2 25.2 16 25.2c-1.3 0-2.6-.2-3.8-.5L5.5 28l1.3-6C4.4 20.1 3 17.5 3 14.6 3 8.7 8.8 4 16 4Z" /><g fill="#fff"><circle cx="10.5" cy="14.7" r="1.8" /><circle cx="16" cy="14.7" r="1.8" /><circle cx="21.5" cy="14.7" r="1.8" /></g></svg>`;
