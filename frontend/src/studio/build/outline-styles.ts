// The styles of the outline's rows and of the menu that adds a step.

import { css } from "lit";

export const outlineStyles = css`
  :host {
    display: block;
    position: relative;
    min-block-size: 0;
    container-type: inline-size;
  }

  .list {
    block-size: 100%;
    overflow: hidden auto;
    overflow-anchor: none;
    padding-inline: 8px;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
  }

  .list:focus-visible {
    outline-offset: -2px;
  }

  /* The row is where the keys are; the list as a whole has the ring while none is chosen. */
  .list:focus-visible:has([aria-selected="true"]) {
    outline: none;
  }

  .list:focus-visible [aria-selected="true"] {
    outline: 2px solid var(--focus);
    outline-offset: -2px;
  }

  .heading,
  .none,
  .row {
    position: relative;
    display: flex;
    align-items: center;
    gap: 8px;
    block-size: var(--row);
    padding-inline: 8px;
    border-radius: 7px;
    white-space: nowrap;
  }

  .heading {
    align-items: end;
    padding-block-end: 6px;
    color: var(--quiet);
    font-size: 12px;
  }

  .none {
    padding-inline-start: 34px;
    color: var(--quiet);
    font-size: 13px;
  }

  .row {
    cursor: default;
  }

  .row.step {
    padding-inline-start: 30px;
  }

  .row strong {
    overflow: hidden;
    font-weight: 600;
    text-overflow: ellipsis;
  }

  .row[aria-selected="true"] {
    background: var(--raised-hover);
  }

  .list:focus-within .row[aria-selected="true"],
  .list:focus .row[aria-selected="true"] {
    background: var(--brand-quiet);
  }

  @media (hover: hover) {
    .row:hover:not([aria-selected="true"]) {
      background: var(--raised);
    }
  }

  .row.before::before,
  .row.after::after,
  .none.before::before,
  .none.after::after,
  .heading.before::before {
    content: "";
    position: absolute;
    inset-inline: 4px;
    inset-block-start: -1px;
    block-size: 2px;
    border-radius: 1px;
    background: var(--brand-line);
  }

  .row.after::after,
  .none.after::after {
    inset-block: auto -1px;
  }

  .fold {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 18px;
    block-size: 24px;
    margin-inline-start: -4px;
    color: var(--quiet);
  }

  .fold svg {
    inline-size: 12px;
    transition: transform var(--quick) var(--ease);
  }

  [aria-expanded="true"] .fold svg {
    transform: rotate(90deg);
  }

  .conversation code {
    overflow: hidden;
    color: var(--quiet);
    font-size: 12px;
    text-overflow: ellipsis;
  }

  .type {
    display: flex;
    align-items: center;
    gap: 7px;
    flex: none;
    inline-size: 92px;
    color: var(--quiet);
    font-size: 13px;
  }

  [data-type="question"] .type svg,
  [data-type="confirmation"] .type svg,
  [data-type="entities-confirmation"] .type svg {
    color: var(--brand-ink);
  }

  .text {
    flex: 0 1 auto;
    min-inline-size: 48px;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .more {
    flex: none;
    color: var(--quiet);
    font-size: 12px;
  }

  .end {
    display: flex;
    align-items: center;
    justify-content: end;
    gap: 6px;
    flex: 1 0 auto;
    max-inline-size: 58%;
    min-inline-size: 0;
    margin-inline-start: auto;
    overflow: hidden;
  }

  .chip,
  .entity {
    flex: 0 1 auto;
    min-inline-size: 0;
    max-inline-size: 22ch;
    overflow: hidden;
    padding: 1px 7px;
    border-radius: 6px;
    background: var(--raised);
    font-size: 12px;
    line-height: 18px;
    text-overflow: ellipsis;
  }

  .row[aria-selected="true"] :is(.chip, .entity) {
    background: var(--surface);
  }

  .chip.if {
    flex-shrink: 3;
  }

  .chip svg {
    inline-size: 12px;
    block-size: 12px;
    vertical-align: -2px;
  }

  .jump {
    background: none;
    color: var(--brand-ink);
  }

  .quiet {
    color: var(--quiet);
  }

  .count {
    color: var(--quiet);
    font-size: 12px;
  }

  .add {
    display: grid;
    place-items: center;
    inline-size: 28px;
    block-size: 28px;
    border-radius: 6px;
    color: var(--quiet);
    opacity: 0;
  }

  .row:hover .add,
  .row[aria-selected="true"] .add {
    opacity: 1;
  }

  @media (hover: none) {
    .add {
      opacity: 1;
    }
  }

  .add:hover {
    background: var(--raised-hover);
    color: var(--text);
  }

  .mark {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    flex: none;
    color: light-dark(oklch(0.5 0.11 75), oklch(0.82 0.12 85));
    font-size: 12px;
  }

  .mark.bad {
    color: var(--danger);
  }

  .mark svg {
    inline-size: 14px;
  }

  .menu {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: 4px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--panel);
    color: var(--text);
    box-shadow: 0 8px 28px var(--shadow);
  }

  .menu button {
    display: flex;
    align-items: center;
    gap: 10px;
    inline-size: 100%;
    min-block-size: 34px;
    padding: 4px 10px;
    border: 0;
    border-radius: 7px;
    background: none;
    text-align: start;
  }

  .menu button:hover,
  .menu button:focus-visible {
    background: var(--raised-hover);
    outline-offset: -2px;
  }

  .menu strong {
    display: inline-block;
    min-inline-size: 64px;
    font-weight: 500;
  }

  @container (max-width: 520px) {
    .type {
      inline-size: auto;
    }

    .type > span,
    .chip.if,
    .conversation code {
      display: none;
    }

    .row.step {
      padding-inline-start: 26px;
    }

    .entity {
      max-inline-size: 13ch;
    }
  }
`;
