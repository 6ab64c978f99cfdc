// The styles of the form of a row.

import { css } from "lit";

export const formStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 16px;
  }

  p {
    margin: 0;
  }

  .field,
  .group {
    display: flex;
    flex-direction: column;
    gap: 5px;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  label,
  .label,
  legend {
    padding: 0;
    color: var(--quiet);
    font-size: 12.5px;
    line-height: 18px;
  }

  legend {
    margin-block-end: 5px;
  }

  input:not([type="checkbox"], [type="radio"]),
  select,
  .lines {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 34px;
    padding: 6px 10px;
    border: 1px solid var(--line-strong);
    border-radius: 8px;
    background: var(--surface);
    color: inherit;
    font: inherit;
    line-height: 20px;
  }

  .lines {
    field-sizing: content;
    max-block-size: 240px;
    resize: vertical;
  }

  .code {
    font: 12.5px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace !important;
  }

  :is(input, select, .lines):focus {
    outline: 2px solid var(--focus);
    outline-offset: -1px;
    border-color: transparent;
  }

  input[aria-invalid="true"] {
    border-color: var(--danger);
  }

  .entry {
    display: flex;
    gap: 4px;
    align-items: start;
  }

  .entry > :first-child {
    flex: 1;
    min-inline-size: 0;
  }

  .entry > .plain {
    margin-block-start: 3px;
  }

  .plain.add {
    align-self: start;
    margin-inline-start: -8px;
  }

  .sequence {
    display: flex;
    flex-direction: column;
    gap: 4px;
    padding: 6px 8px 8px;
    border: 1px solid var(--line);
    border-radius: 10px;
  }

  .pair {
    display: grid;
    grid-template-columns: 96px minmax(0, 1fr);
    gap: 6px;
  }

  .flags {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
    gap: 8px 16px;
  }

  .flag {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 24px;
    color: var(--text);
    font-size: 13.5px;
  }

  .flag input {
    inline-size: 15px;
    block-size: 15px;
    margin: 0;
    accent-color: var(--brand);
  }

  .help {
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }

  .bad,
  .doubt {
    color: var(--danger);
    font-size: 12.5px;
    line-height: 17px;
  }

  .doubt {
    color: light-dark(oklch(0.47 0.1 75), oklch(0.82 0.12 85));
  }

  .finding {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 2px 6px;
  }

  .finding > svg {
    inline-size: 14px;
    block-size: 17px;
  }

  .finding > span {
    flex: 1 1 160px;
    overflow-wrap: anywhere;
  }

  .finding > .plain {
    min-block-size: 26px;
    margin-block: -5px;
    padding-block: 2px;
    color: var(--text);
    font-weight: 500;
  }

  kbd {
    font: 11px/16px var(--font);
  }

  @media (pointer: coarse) {
    input:not([type="checkbox"], [type="radio"]),
    select,
    .flag {
      min-block-size: 44px;
    }
  }
`;
