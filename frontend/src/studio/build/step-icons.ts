// The pictures of the types of steps.

import { html, svg, type TemplateResult } from "lit";

const icon = (content: unknown): TemplateResult =>
  html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const stepIcons: Readonly<Record<string, TemplateResult>> = {
  question: icon(svg`<path d="M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2Z" /><path d="M6.8 6a1.3 1.3 0 1 1 1.7 1.2c-.4.1-.5.4-.5.7M8 9.3h.01" />`),
  message: icon(svg`<path d="M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2ZM5.5 6.3h5M5.5 8.4h3.2" />`),
  webhook: icon(svg`<path d="M9 2.5 4 9h4l-1 4.5L12 7H8Z" />`),
  confirmation: icon(svg`<circle cx="8" cy="8" r="5.5" /><path d="m5.8 8.2 1.6 1.6 3-3.4" />`),
  "entities-confirmation": icon(svg`<path d="m2.5 4.5 1 1 1.7-2M2.5 10.5l1 1 1.7-2M8 5h5.5M8 11h5.5" />`),
  conversation: icon(svg`<path d="M2.5 4h4a2 2 0 0 1 2 2v4a2 2 0 0 0 2 2h3M11.5 9.5 14 12l-2.5 2.5" />`),
  command: icon(svg`<path d="m3 5 3 3-3 3M8 11.5h5" />`),
};

export const lock = icon(svg`<rect x="3.5" y="7" width="9" height="6.5" rx="1.5" /><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />`);
export const fold = icon(svg`<path d="m6 4 4 4-4 4" />`);
export const undoIcon = icon(svg`<path d="M6 3.5 2.5 7 6 10.5M2.5 7H10a3.5 3.5 0 0 1 0 7H7" />`);
export const redoIcon = icon(svg`<path d="M10 3.5 13.5 7 10 10.5M13.5 7H6a3.5 3.5 0 0 0 0 7h3" />`);
export const warn = icon(svg`<path d="M8 2.5 14 13H2ZM8 6.5v3M8 11.3h.01" />`);
export const wand = icon(svg`<path d="m3 13 7-7M11.5 2.5v3M10 4h3M13 8.5v2M12 9.5h2M6.5 2.5v2M5.5 3.5h2" />`);
export const minus = icon(svg`<path d="M3.5 8h9" />`);
export const whole = icon(svg`<path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" />`);
export const bin = icon(svg`<path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.7M9.2 7v3.7" />`);
