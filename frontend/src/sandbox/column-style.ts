// The form of a column: head, messages, cards, keyboards, field. Colours come from looks.ts.

import { css } from "lit";

export const columnStyle = css`
  :host {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
    background: var(--ground);
    color: var(--text);
    font: 400 14px/20px var(--font);
  }

  header {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 52px;
    padding: 6px 12px;
    border-block-end: 1px solid var(--line);
    background: var(--panel);
  }

  .mark {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 32px;
    block-size: 32px;
    border-radius: 50%;
    background: var(--accent);
    color: oklch(1 0 0);
    font-size: 14px;
    font-weight: 600;
  }

  :host([platform="workplace-chat"]) .mark {
    border-radius: 6px;
  }

  h2 {
    margin: 0;
    font-size: 14px;
    font-weight: 600;
    line-height: 18px;
  }

  header p {
    margin: 0;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }

  .note {
    margin: 0;
    padding: 6px 12px;
    border-block-end: 1px solid var(--line);
    background: var(--panel);
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
    overflow-wrap: anywhere;
  }

  .note.bad {
    color: var(--danger);
  }

  .log {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 2px;
    min-block-size: 0;
    padding: 12px;
    overflow-y: auto;
    scrollbar-width: thin;
  }

  /* Few messages stand above the field, as in the platforms' own apps. */
  .log:has(.item)::before {
    content: "";
    margin-block-start: auto;
  }

  .log:focus-visible {
    outline-offset: -2px;
  }

  .empty {
    margin: auto;
    max-inline-size: 26ch;
    color: light-dark(oklch(0.42 0.02 264), oklch(0.75 0.014 264));
    text-align: center;
    text-wrap: balance;
  }

  .item {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 4px;
    max-inline-size: 88%;
  }

  .item + .item.turn {
    margin-block-start: 10px;
  }

  .item.user {
    align-items: flex-end;
    align-self: flex-end;
  }

  .bubble {
    max-inline-size: 100%;
    padding: 7px 12px;
    border-radius: var(--corner);
    background: var(--bot);
    color: var(--bot-text);
    overflow-wrap: anywhere;
    text-align: match-parent;
    white-space: pre-wrap;
  }

  .bot .bubble {
    border-end-start-radius: var(--tail);
  }

  .user .bubble {
    border-end-end-radius: var(--tail);
    background: var(--user);
    color: var(--user-text);
  }

  :host([platform="voice-assistant"]) .bot .bubble {
    padding: 2px 0;
    font-size: 16px;
    line-height: 24px;
  }

  :host([platform="voice-assistant"]) .bot .bubble::before {
    content: "";
    display: inline-block;
    inline-size: 10px;
    block-size: 10px;
    margin-inline-end: 8px;
    border: 2px solid var(--ink);
    border-radius: 50%;
  }

  :host([platform="voice-assistant"]) .user .bubble {
    padding-inline: 0;
    font-style: italic;
  }

  .bold {
    font-weight: 600;
  }

  .italic {
    font-style: italic;
  }

  .strike {
    text-decoration: line-through;
  }

  .code {
    font: 13px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  }

  a {
    color: var(--ink);
    text-underline-offset: 3px;
  }

  .bubble img,
  .photo {
    display: block;
    max-inline-size: 100%;
    border-radius: 10px;
  }

  .ended {
    color: light-dark(oklch(0.42 0.02 264), oklch(0.75 0.014 264));
    font-size: 12px;
  }

  .rows {
    display: grid;
    gap: 4px;
    inline-size: 100%;
    min-inline-size: 200px;
  }

  .row {
    display: grid;
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    gap: 4px;
  }

  .tap {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-block-size: 38px;
    padding: 6px 10px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--panel);
    color: var(--ink);
    font: inherit;
    font-weight: 500;
    line-height: 18px;
    overflow-wrap: anywhere;
    text-align: center;
    text-decoration: none;
  }

  .tap:hover {
    background: var(--raised);
  }

  .tap img {
    inline-size: 20px;
    block-size: 20px;
    border-radius: 50%;
    object-fit: cover;
  }

  .cards {
    display: flex;
    gap: 8px;
    inline-size: 100%;
    padding-block-end: 4px;
    overflow-x: auto;
    scroll-snap-type: x proximity;
    scrollbar-width: thin;
  }

  .item:has(.cards) {
    inline-size: 100%;
    max-inline-size: 100%;
  }

  .item:has(.rows, .cards) + .item {
    margin-block-start: 10px;
  }

  .card {
    flex: none;
    inline-size: min(232px, 100%);
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: min(var(--corner), 12px);
    background: var(--panel);
    scroll-snap-align: start;
  }

  .card.alone {
    inline-size: min(300px, 100%);
  }

  .card > img {
    display: block;
    inline-size: 100%;
    aspect-ratio: 3 / 2;
    object-fit: cover;
  }

  .card .words {
    padding: 8px 12px;
  }

  .card .words p {
    margin: 0;
    color: var(--quiet);
    font-size: 13px;
    line-height: 18px;
    overflow-wrap: anywhere;
  }

  .card .words p.title {
    color: var(--text);
    font-size: 14px;
    font-weight: 600;
  }

  .card .rows {
    min-inline-size: 0;
    padding: 0 8px 8px;
  }

  .replies {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    max-block-size: 152px;
    padding: 6px 12px;
    overflow-y: auto;
  }

  .replies .tap {
    min-block-size: 36px;
    padding-inline: 14px;
    border: 1px solid var(--ink);
    border-radius: 999px;
    background: var(--ground);
  }

  .keyboard {
    display: grid;
    gap: 4px;
    max-block-size: 204px;
    padding: 6px;
    overflow-y: auto;
    border-block-start: 1px solid var(--line);
    background: var(--raised);
  }

  .keyboard .row {
    grid-template-columns: repeat(6, minmax(0, 1fr));
    grid-auto-flow: row;
  }

  .keyboard .tap {
    grid-column: span 6;
    color: var(--text);
  }

  .keyboard .row.even .tap {
    grid-column: auto;
  }

  .keyboard .row.even {
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    grid-template-columns: none;
  }

  .keyboard .w1 {
    grid-column: span 1;
  }

  .keyboard .w2 {
    grid-column: span 2;
  }

  .keyboard .w3 {
    grid-column: span 3;
  }

  .keyboard .w4 {
    grid-column: span 4;
  }

  .keyboard .w5 {
    grid-column: span 5;
  }

  .compose {
    display: flex;
    gap: 8px;
    padding: 8px 12px;
    border-block-start: 1px solid var(--line);
    background: var(--panel);
  }

  .compose input {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 38px;
    padding: 6px 14px;
    border: 1px solid var(--line-strong);
    border-radius: 999px;
    background: var(--surface);
    color: var(--text);
  }

  .compose input::placeholder {
    color: var(--quiet);
    opacity: 1;
  }

  .compose button {
    min-inline-size: 60px;
    min-block-size: 38px;
    border: 0;
    border-radius: 999px;
    background: var(--accent);
    color: oklch(1 0 0);
    font-weight: 500;
  }

  .does {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 4px;
    padding: 4px 8px 8px;
    background: var(--panel);
  }

  .does button {
    min-block-size: 30px;
    padding: 3px 8px;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--ink);
    font-size: 13px;
  }

  .does button:hover {
    background: var(--raised);
  }

  @media (pointer: coarse) {
    .does button {
      min-block-size: 44px;
    }
  }
`;

export const adaptiveStyle = css`
  .adaptive {
    display: grid;
    gap: 8px;
    padding: 12px;
  }

  .adaptive > img,
  .adaptive .box img {
    max-inline-size: 100%;
    border-radius: 6px;
  }

  .block {
    margin: 0;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .block.bolder,
  .block.Bolder {
    font-weight: 600;
  }

  .block.subtle {
    color: var(--quiet);
  }

  .box {
    display: grid;
    flex: 1;
    gap: 6px;
    min-inline-size: 0;
  }

  .columns {
    display: flex;
    gap: 8px;
  }

  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 2px 10px;
    margin: 0;
  }

  dt {
    font-weight: 600;
  }

  dd {
    margin: 0;
  }

  .input,
  fieldset {
    display: grid;
    gap: 4px;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .input span,
  legend {
    padding: 0;
    color: var(--quiet);
    font-size: 13px;
  }

  .input input,
  .input select {
    min-block-size: 36px;
    padding: 4px 8px;
    border: 1px solid var(--line-strong);
    border-radius: 4px;
    background: var(--surface);
    color: var(--text);
    font: inherit;
  }

  .choice {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 30px;
  }

  .choice input {
    flex: none;
    inline-size: 16px;
    block-size: 16px;
    accent-color: var(--accent);
  }

  .acts {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }

  .acts .tap {
    min-block-size: 32px;
    border-color: var(--line-strong);
    border-radius: 4px;
  }
`;
