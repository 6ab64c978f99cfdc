// The styles of Hand-off: queue, chat and notes beside each other; on narrow screens one of them at a time.

import { css } from "lit";

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    block-size: calc(100dvh - var(--studio-bar));
    min-block-size: 420px;
    container-type: inline-size;
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
    padding: 12px 20px;
    border-block-end: 1px solid var(--line);
  }

  .head h1 {
    margin-inline-end: auto;
  }

  .away {
    color: var(--danger);
    font-size: 13px;
  }

  .head label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    color: var(--quiet);
    font-size: 13px;
  }

  .head input[type="text"] {
    inline-size: 140px;
  }

  .panes {
    flex: 1;
    display: grid;
    grid-template-columns: 272px minmax(0, 1fr) 264px;
    min-block-size: 0;
  }

  .panes:not(.open) {
    grid-template-columns: 272px minmax(0, 1fr);
  }

  .panes.alone {
    grid-template-columns: minmax(0, 1fr);
  }

  .queue,
  .about {
    overflow-y: auto;
    padding: 12px;
  }

  .queue {
    border-inline-end: 1px solid var(--line);
  }

  .about {
    border-inline-start: 1px solid var(--line);
  }

  h2 {
    padding-block: 8px 4px;
    color: var(--quiet);
    font-size: 13px;
  }

  .row {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 8px;
    inline-size: 100%;
    padding: 8px 10px;
    border: 0;
    border-radius: 8px;
    background: none;
    font-size: 13px;
    line-height: 18px;
    text-align: start;
  }

  .row:hover {
    background: var(--raised);
  }

  .row[aria-current="true"] {
    background: var(--raised-hover);
  }

  .row > * {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .row .name {
    font-weight: 500;
  }

  .unread {
    justify-self: end;
    min-inline-size: 20px;
    padding-inline: 6px;
    border-radius: 10px;
    background: var(--brand);
    color: var(--brand-text);
    font-size: 12px;
    text-align: center;
  }

  .chat {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
    padding: 10px 16px;
    border-block-end: 1px solid var(--line);
  }

  .bar .name {
    margin-inline-end: auto;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  .bar .back {
    display: none;
  }

  .lines {
    flex: 1;
    overflow-y: auto;
    margin: 0;
    padding: 16px;
    list-style: none;
  }

  .line-of {
    max-inline-size: 80%;
    inline-size: fit-content;
    margin-block-end: 8px;
    padding: 8px 12px;
    border-radius: 12px;
    background: var(--raised);
    font-size: 14px;
    line-height: 20px;
    overflow-wrap: anywhere;
  }

  .said {
    white-space: pre-line;
  }

  .line-of.bot {
    margin-inline-start: auto;
  }

  .line-of.person {
    background: var(--brand);
    color: var(--brand-text);
  }

  .by {
    display: block;
    font-size: 12px;
    line-height: 16px;
  }

  .line-of:not(.person) .by {
    color: var(--quiet);
  }

  .write {
    display: grid;
    gap: 6px;
    padding: 12px 16px 16px;
    border-block-start: 1px solid var(--line);
  }

  .write .line {
    display: flex;
    align-items: end;
    gap: 8px;
  }

  textarea {
    flex: 1;
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 40px;
    resize: vertical;
  }

  :is(textarea, select, .head input[type="text"]) {
    min-block-size: 32px;
    padding: 5px 10px;
    border: 1px solid var(--line-strong);
    border-radius: 8px;
    background: var(--panel);
    color: var(--text);
    font: inherit;
    font-size: 13px;
  }

  .hint {
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }

  .about p,
  .about dl {
    padding-block: 4px;
    font-size: 13px;
    line-height: 18px;
    overflow-wrap: anywhere;
  }

  .about dt {
    color: var(--quiet);
    font-size: 12px;
  }

  .about dd {
    margin-block-end: 6px;
  }

  .note {
    margin-block-end: 6px;
    padding: 8px 10px;
    border-radius: 8px;
    background: light-dark(oklch(0.96 0.04 90), oklch(0.3 0.04 90));
  }

  .empty {
    max-inline-size: 48ch;
    margin: auto;
    padding: 32px 20px;
    text-align: center;
    text-wrap: balance;
  }

  @container (max-width: 899px) {
    .panes {
      grid-template-columns: 232px minmax(0, 1fr);
      grid-template-rows: minmax(0, 1fr) auto;
    }

    .queue {
      grid-row: 1 / 3;
    }

    .about {
      max-block-size: 30cqh;
      border-block-start: 1px solid var(--line);
      border-inline-start: 0;
    }
  }

  @container (max-width: 619px) {
    .head {
      padding: 10px 14px;
    }

    .panes {
      grid-template-columns: minmax(0, 1fr);
    }

    .queue {
      grid-row: 1;
      border: 0;
    }

    .panes:not(.open, .alone) > :not(.queue),
    .panes.open > .queue,
    .head:has(+ .open) {
      display: none;
    }

    .bar {
      padding: 8px 14px;
    }

    .bar .back {
      display: inline-flex;
      margin-inline-start: -8px;
    }

    /* The name beside the way back; what one does with the chat in a row below. */
    .bar .name {
      flex: 1 1 50%;
    }

    .write {
      padding: 8px 14px 12px;
    }

    .about {
      max-block-size: 24dvh;
      padding-inline: 14px;
    }
  }

  @media (pointer: coarse) {
    .row {
      min-block-size: 44px;
    }

    :is(textarea, select, .head input[type="text"]) {
      min-block-size: 44px;
      font-size: 16px;
    }
  }
`;
