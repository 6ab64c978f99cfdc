// The styles of the try-out's pane.

import { css } from "lit";

/** What is to be noticed before one goes on. */
export const amber = css`
  :host {
    --amber: light-dark(oklch(0.5 0.11 75), oklch(0.82 0.12 85));
    --amber-line: light-dark(oklch(0.66 0.13 75), oklch(0.62 0.1 80));
    --amber-quiet: light-dark(oklch(0.97 0.035 85), oklch(0.29 0.035 85));
  }
`;

export const pane = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
  }

  header {
    display: flex;
    align-items: center;
    gap: 2px;
    padding: 10px 10px 4px 16px;
  }

  h2 {
    flex: 1;
  }

  h3 {
    margin-block: 8px 2px;
    color: var(--quiet);
    font-size: 12px;
    font-weight: 500;
    line-height: 16px;
  }

  .setup > summary {
    display: flex;
    flex-wrap: wrap;
    gap: 0 6px;
    padding: 2px 16px 8px;
    color: var(--quiet);
    cursor: pointer;
    font-size: 12px;
    line-height: 18px;
    list-style: none;
  }

  .setup > summary::-webkit-details-marker {
    display: none;
  }

  .setup > summary strong {
    color: var(--text);
    font-weight: 500;
  }

  .setup > summary span:not(.unseen)::before {
    content: "· ";
  }

  .setup > summary:focus-visible {
    outline-offset: -2px;
  }

  .setup > summary::after {
    content: "";
    align-self: center;
    inline-size: 5px;
    block-size: 5px;
    margin-inline-start: 2px;
    border: solid var(--quiet);
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
  }

  .setup[open] > summary::after {
    rotate: 225deg;
  }

  .setup[open] {
    max-block-size: 60%;
    overflow-y: auto;
    flex: none;
  }

  /* As long as real calls hold. */
  .acting {
    display: flex;
    align-items: center;
    gap: 8px;
    margin-block-end: 8px;
    padding: 4px 8px 4px 16px;
    border-block: 1px solid var(--amber-line);
    background: var(--amber-quiet);
    font-size: 13px;
    line-height: 18px;
  }

  .acting svg {
    color: var(--amber);
  }

  .acting p {
    flex: 1;
    min-inline-size: 0;
  }

  .note {
    margin: 0 12px 8px;
    padding: 8px 12px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--raised);
    font-size: 13px;
    line-height: 18px;
  }

  .note.bad {
    border-color: var(--danger);
    color: var(--danger);
  }

  .note .quiet {
    overflow-wrap: anywhere;
  }

  .note summary {
    cursor: pointer;
    font-weight: 500;
  }

  .note.differs {
    border-color: var(--brand-line);
    background: var(--brand-quiet);
  }

  .before {
    max-block-size: 7em;
    overflow-y: auto;
    white-space: pre-line;
  }

  .note .field {
    margin-block-start: 8px;
  }

  .row {
    display: flex;
    justify-content: flex-end;
    gap: 8px;
    margin-block-start: 8px;
  }

  .tabs {
    display: flex;
    gap: 16px;
    padding-inline: 16px;
    border-block-end: 1px solid var(--line);
  }

  .tabs button {
    min-block-size: 34px;
    margin-block-end: -1px;
    padding: 0;
    border: 0;
    border-block-end: 2px solid transparent;
    background: none;
    color: var(--quiet);
    font-size: 13px;
  }

  .tabs button[aria-selected="true"] {
    border-color: var(--brand-line);
    color: var(--text);
    font-weight: 500;
  }

  @media (pointer: coarse) {
    .tabs button {
      min-block-size: 44px;
    }
  }

  .view {
    flex: 1;
    min-block-size: 0;
    overflow: hidden auto;
  }

  .view:focus-visible {
    outline-offset: -2px;
  }

  .view.chat {
    overflow: hidden;
  }

  .held:not(:empty) {
    padding: 4px 16px;
    font-size: 13px;
  }

  dialoom-chat {
    display: block;
    block-size: 100%;
  }

  .memory {
    padding: 10px 16px;
    font-size: 13px;
  }

  .memory summary {
    color: var(--quiet);
    cursor: pointer;
  }

  .memory dl {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 12px;
    padding-block: 6px;
  }

  .memory dt {
    color: var(--quiet);
    overflow-wrap: anywhere;
  }

  footer {
    display: flex;
    gap: 4px;
    padding: 6px 8px;
    border-block-start: 1px solid var(--line);
  }

  dialog ul {
    margin-block: 4px 0;
    padding-inline-start: 20px;
    font-size: 13px;
  }

  dialog .field {
    margin-block-start: 16px;
  }
`;
