// How the list of conversations and its two panes look; the transcript has styles of its own.

import { css } from "lit";

export const listStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    block-size: calc(100dvh - var(--studio-bar));
    container: room / inline-size;
  }

  .top {
    padding: 16px 20px 12px;
    border-block-end: 1px solid var(--line);
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 10px;
    margin-block-end: 10px;
  }

  h1 {
    white-space: nowrap;
  }

  .live {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    margin-inline-start: auto;
    color: var(--quiet);
    font-size: 12.5px;
  }

  .live::before {
    content: "";
    inline-size: 7px;
    block-size: 7px;
    border-radius: 4px;
    background: light-dark(oklch(0.58 0.14 152), oklch(0.74 0.14 152));
  }

  .live.away::before {
    background: var(--danger);
  }

  .panes {
    flex: 1;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    min-block-size: 0;
  }

  .panes.two {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr);
  }

  .list {
    position: relative;
    min-block-size: 0;
    overflow: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
    container: list / inline-size;
  }

  .two > studio-transcript {
    border-inline-start: 1px solid var(--line);
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
    table-layout: fixed;
    font-size: 13px;
  }

  th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    padding: 6px 8px;
    background: var(--surface);
    box-shadow: 0 1px 0 var(--line);
    color: var(--quiet);
    font-size: 12px;
    font-weight: 500;
    text-align: start;
  }

  td {
    block-size: 36px;
    padding: 0 8px;
    border-block-end: 1px solid var(--line);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  :is(th, td):first-child {
    padding-inline-start: 20px;
  }

  tr.chosen td {
    background: var(--brand-quiet);
  }

  tbody tr {
    cursor: pointer;
  }

  @media (hover: hover) {
    tbody tr:hover:not(.chosen) td {
      background: var(--raised);
    }
  }

  td a {
    color: var(--text);
    font-weight: 500;
    text-decoration: none;
  }

  td a:focus-visible {
    outline: none;
  }

  tr:has(a:focus-visible) {
    outline: 2px solid var(--focus);
    outline-offset: -2px;
  }

  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  .who {
    inline-size: 24%;
  }

  .status-column {
    inline-size: 148px;
  }

  .messages {
    inline-size: 92px;
  }

  .channel {
    inline-size: 96px;
  }

  .started {
    inline-size: 128px;
  }

  @container list (max-width: 879px) {
    .messages,
    .channel {
      display: none;
    }
  }

  @container list (max-width: 659px) {
    .goal {
      display: none;
    }

    .status-column {
      inline-size: 140px;
    }
  }

  @container list (max-width: 519px) {
    .notes {
      display: none;
    }

    .who {
      inline-size: auto;
    }

    .status-column {
      inline-size: 126px;
    }

    .started {
      inline-size: 116px;
    }

    :is(th, td):first-child {
      padding-inline-start: 16px;
    }
  }

  .fresh {
    position: sticky;
    inset-block-start: 36px;
    z-index: 2;
    block-size: 0;
    text-align: center;
  }

  .fresh button {
    position: relative;
    inset-block-start: 8px;
    border-radius: 16px;
    box-shadow: 0 4px 14px var(--shadow);
  }

  .more {
    padding: 14px;
    text-align: center;
  }

  .cut {
    margin: 8px 0 0;
    font-size: 13px;
  }

  .bar {
    block-size: 12px;
    margin: 12px 20px;
    border-radius: 6px;
    background: var(--raised);
  }

  .bar:nth-of-type(odd) {
    inline-size: 70%;
  }

  /* One thing at a time: the list, then the transcript. */
  @container room (max-width: 799px) {
    .panes.two {
      grid-template-columns: minmax(0, 1fr);
    }

    .panes.two > .list,
    .top.behind {
      display: none;
    }

    .top {
      padding-inline: 16px;
    }

    .two > studio-transcript {
      border: 0;
    }
  }

  @media (max-width: 719px) {
    :host {
      block-size: auto;
      min-block-size: calc(100dvh - var(--studio-bar));
    }

    .list {
      overflow: visible;
    }

    th {
      position: static;
    }
  }

  @media (pointer: coarse) {
    td {
      block-size: 44px;
    }
  }
`;
