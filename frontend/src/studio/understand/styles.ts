// The styles that the parts of Understand and of Test share.

import { css } from "lit";

export const roomStyles = css`
  :host {
    display: grid;
    grid-template-rows: auto auto minmax(0, 1fr);
    position: sticky;
    inset-block-start: 0;
    block-size: calc(100dvh - var(--studio-bar));
    min-inline-size: 0;
    container: room / inline-size;
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    min-inline-size: 0;
    padding: 8px 16px;
    border-block-end: 1px solid var(--line);
  }

  header h1 {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  .gap {
    flex: 1;
  }

  .views {
    display: flex;
    gap: 2px;
    padding: 2px;
    border-radius: 9px;
    background: var(--raised);
  }

  .views button {
    min-block-size: 28px;
    padding: 3px 11px;
    border: 0;
    border-radius: 7px;
    background: none;
    color: var(--quiet);
    font-size: 13px;
    font-weight: 500;
    white-space: nowrap;
  }

  .views [aria-pressed="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 1px 2px var(--shadow);
  }

  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    padding: 7px 16px;
    border-block-end: 1px solid var(--line);
    background: light-dark(oklch(0.97 0.035 85), oklch(0.29 0.035 85));
    font-size: 13px;
  }

  .scroll {
    min-inline-size: 0;
    min-block-size: 0;
    overflow: hidden auto;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
  }

  @media (pointer: coarse) {
    .views button {
      min-block-size: 40px;
    }
  }
`;

export const tables = css`
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 13px;
    line-height: 20px;
  }

  th,
  thead td {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    padding: 6px 8px;
    background: var(--surface);
    box-shadow: inset 0 -1px var(--line);
    color: var(--quiet);
    font-size: 12px;
    font-weight: 500;
    text-align: start;
    white-space: nowrap;
  }

  tbody td {
    block-size: 34px;
    padding: 3px 8px;
    border-block-end: 1px solid var(--line);
    vertical-align: top;
    overflow-wrap: anywhere;
  }

  th:first-child,
  td:first-child {
    padding-inline-start: 16px;
  }

  th:last-child,
  td:last-child {
    padding-inline-end: 16px;
  }

  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  .good {
    color: light-dark(oklch(0.48 0.12 150), oklch(0.8 0.13 150));
  }

  .bad {
    color: var(--danger);
  }

  .empty {
    max-inline-size: 52ch;
    margin: 56px auto;
    padding-inline: 16px;
    text-align: center;
    text-wrap: balance;
  }

  .empty p {
    margin-block: 6px 14px;
    color: var(--quiet);
  }

  .input {
    min-inline-size: 0;
    min-block-size: 30px;
    padding: 3px 8px;
    border: 1px solid transparent;
    border-radius: 7px;
    background: transparent;
    color: inherit;
    font: inherit;
  }

  .input:hover {
    border-color: var(--line);
  }

  .input:focus {
    border-color: var(--line-strong);
    background: var(--surface);
  }

  @media (pointer: coarse) {
    .input {
      min-block-size: 44px;
      font-size: 16px;
    }
  }
`;
