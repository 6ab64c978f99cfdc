// The styles that several elements of the studio share: buttons, fields, code, dialogs, states. Colours are the chat's custom
// properties, which the frame sets.

import { css } from "lit";

export const controls = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-block-size: 32px;
    padding: 5px 12px;
    border: 1px solid light-dark(color-mix(in oklab, var(--surface), var(--text) 20%), color-mix(in oklab, var(--surface), var(--text) 24%));
    border-radius: 8px;
    background: var(--panel);
    box-shadow: 0 1px 1px light-dark(oklch(0.25 0.03 264 / 0.05), transparent);
    font-size: 13px;
    font-weight: 500;
    line-height: 20px;
    text-decoration: none;
    white-space: nowrap;
    transition: background var(--quick) var(--ease);
  }

  .button.main {
    border-color: transparent;
    background: var(--brand);
    color: var(--brand-text);
  }

  .button.grave {
    border-color: transparent;
    background: light-dark(oklch(0.52 0.19 27), oklch(0.52 0.17 27));
    color: oklch(1 0 0);
  }

  .button[disabled] {
    border-color: transparent;
    background: var(--raised);
    box-shadow: none;
    color: var(--quiet);
    cursor: default;
  }

  .plain {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    min-block-size: 28px;
    padding: 3px 8px;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--quiet);
    font-size: 13px;
    line-height: 20px;
    white-space: nowrap;
    transition:
      background var(--quick) var(--ease),
      color var(--quick) var(--ease);
  }

  .plain.brief {
    justify-content: center;
    inline-size: 28px;
    padding: 0;
  }

  .plain[disabled] {
    opacity: 0.55;
    cursor: default;
  }

  .plain.bad:hover {
    color: var(--danger);
  }

  @media (hover: hover) {
    .button:hover:not([disabled]) {
      background: var(--raised);
    }

    .button.main:hover:not([disabled]) {
      background: var(--brand-hover);
    }

    .button.grave:hover:not([disabled]) {
      background: light-dark(oklch(0.47 0.18 27), oklch(0.47 0.16 27));
    }

    .plain:hover:not([disabled]) {
      background: var(--raised-hover);
      color: var(--text);
    }

    .plain.bad:hover:not([disabled]) {
      color: var(--danger);
    }
  }

  @media (pointer: coarse) {
    .button,
    .plain {
      min-block-size: 40px;
    }

    .plain.brief {
      inline-size: 40px;
    }
  }

  a {
    color: var(--brand-ink);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
    border-radius: 2px;
  }

  svg {
    flex: none;
  }

  /* Backgrounds tell what is chosen; forced colours take them away. */
  @media (forced-colors: active) {
    :is([aria-current]:not([aria-current="false"]), [aria-pressed="true"], [aria-selected="true"]) {
      &,
      & * {
        forced-color-adjust: none;
        background: Highlight !important;
        color: HighlightText !important;
      }
    }
  }
`;

export const text = css`
  h1,
  h2,
  h3,
  p,
  dl,
  dd,
  pre,
  fieldset {
    margin: 0;
  }

  h1 {
    font-size: 20px;
    font-weight: 600;
    line-height: 28px;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }

  h2 {
    font-size: 15px;
    font-weight: 600;
    line-height: 22px;
  }

  h1:focus,
  h2:focus {
    outline: none;
  }

  .quiet {
    color: var(--quiet);
  }

  .unpublished {
    color: light-dark(oklch(0.5 0.11 75), oklch(0.82 0.12 85));
    font-size: 13px;
    font-weight: 500;
    text-decoration: none;
  }

  code,
  pre {
    font: 12.5px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  }

  code {
    overflow-wrap: anywhere;
  }

  .quiet code {
    white-space: nowrap;
  }

  .block {
    position: relative;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--raised);
  }

  .block pre {
    padding: 10px 96px 10px 12px;
    overflow-x: auto;
    border-radius: 8px;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
  }

  .block > studio-copy {
    position: absolute;
    inset-block-start: 5px;
    inset-inline-end: 5px;
    border-radius: 6px;
    background: var(--raised);
  }

  .pairs {
    display: grid;
    grid-template-columns: 136px minmax(0, 1fr);
    gap: 0 16px;
  }

  .pairs > dt {
    padding-block: 8px;
    color: var(--quiet);
  }

  .pairs > dd {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 4px;
    min-inline-size: 0;
    padding-block: 4px;
    min-block-size: 28px;
  }

  /* A value and its button: the button stays beside, however long the value is. */
  .pairs > dd.line {
    flex-wrap: nowrap;
    align-items: flex-start;
  }

  .pairs > dd.line > :is(code, a) {
    min-inline-size: 0;
    padding-block: 4px;
  }

  @media (pointer: coarse) {
    .pairs > dd.line > :is(code, a) {
      padding-block: 10px;
    }
  }

  .pairs > dd.line > studio-copy,
  .pairs > dd.line > .quiet {
    flex: none;
  }

  .pairs > dd > .block {
    inline-size: 100%;
  }

  .pairs > dd > .note {
    inline-size: 100%;
    color: var(--quiet);
    font-size: 13px;
    line-height: 18px;
    padding-block: 4px;
  }

  @container (max-width: 559px) {
    .pairs {
      display: block;
    }

    .pairs > dt {
      padding-block: 8px 0;
      font-size: 13px;
    }

    .block pre {
      padding-inline-end: 12px;
      padding-block-start: 40px;
    }
  }
`;

export const dialogs = css`
  dialog {
    inline-size: min(440px, calc(100vw - 32px));
    max-block-size: calc(100dvh - 32px);
    padding: 20px;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--panel);
    color: var(--text);
    box-shadow: 0 16px 48px var(--shadow);
    overflow-y: auto;
  }

  dialog[open] {
    animation: appear var(--quick) var(--ease);
  }

  dialog::backdrop {
    background: oklch(0 0 0 / 0.4);
  }

  dialog p {
    margin-block-start: 8px;
  }

  .acts {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
    margin-block-start: 20px;
  }

  .wrong {
    color: var(--danger);
    font-size: 13px;
    line-height: 18px;
  }

  @keyframes appear {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
`;

/** A room that is read like a page: one column in the middle. Rooms that use the whole pane leave it out. */
export const column = css`
  :host {
    display: block;
    max-inline-size: 960px;
    margin-inline: auto;
    padding: 32px 40px 96px;
    container-type: inline-size;
  }

  @media (max-width: 1099px) {
    :host {
      padding: 24px 28px 80px;
    }
  }

  @media (max-width: 719px) {
    :host {
      padding: 24px 16px 80px;
    }
  }
`;

/** What stands in place of something that is not there: nothing made yet, not found, not loaded. */
export const states = css`
  .problem {
    padding: 64px 16px 48px;
    text-align: center;
  }

  .problem :is(h1, h2) {
    font-size: 16px;
    line-height: 24px;
  }

  .problem p {
    max-inline-size: 48ch;
    margin: 8px auto 16px;
    text-wrap: balance;
  }
`;

/** Fields of forms, each with its label above. */
export const fields = css`
  .field {
    display: block;
    min-inline-size: 0;
    font-size: 13px;
    font-weight: 500;
    line-height: 18px;
  }

  .field > :is(input, select, textarea) {
    display: block;
    inline-size: 100%;
    min-block-size: 34px;
    margin-block-start: 4px;
    padding: 5px 10px;
    border: 1px solid var(--line-strong);
    border-radius: 8px;
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-weight: 400;
    line-height: 20px;
  }

  .field > select {
    padding-inline-end: 4px;
    text-overflow: ellipsis;
  }

  .field > textarea {
    resize: vertical;
  }

  @media (pointer: coarse) {
    /* Smaller, and phones zoom into the field. */
    .field > :is(input, select, textarea) {
      min-block-size: 44px;
      font-size: 16px;
    }
  }
`;
