// The styles of the Build room: its head, its panes, its list of findings.

import { css } from "lit";

export const buildStyles = css`
  :host {
    display: grid;
    grid-template-rows: auto auto minmax(0, 1fr);
    position: sticky;
    inset-block-start: 0;
    block-size: calc(100dvh - var(--studio-bar));
    min-inline-size: 0;
    container: build / inline-size;
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
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

  .views [aria-pressed="true"],
  .views [aria-selected="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 1px 2px var(--shadow);
  }

  .gap {
    flex: 1;
  }

  .count {
    font-variant-numeric: tabular-nums;
  }

  .count.bad {
    color: var(--danger);
  }

  .count.doubt {
    color: light-dark(oklch(0.5 0.11 75), oklch(0.82 0.12 85));
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

  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    min-block-size: 0;
  }

  .body.split {
    grid-template-columns: minmax(0, 1fr) minmax(300px, min(44%, 480px));
  }

  .pane {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .foot {
    display: flex;
    align-items: center;
    gap: 12px;
    min-inline-size: 0;
    padding: 6px 16px;
    border-block-start: 1px solid var(--line);
    color: var(--quiet);
    font-size: 12px;
  }

  .foot > span {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .detail {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    border-inline-start: 1px solid var(--line);
  }

  .detail {
    container: detail / inline-size;
  }

  .detail > .top {
    display: flex;
    align-items: center;
    gap: 4px 6px;
    min-inline-size: 0;
    padding: 8px 8px 8px 16px;
  }

  .detail > .top > strong {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    font-weight: 600;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  @container detail (max-width: 359px) {
    .detail > .top {
      flex-wrap: wrap;
    }

    .detail > .top > .views {
      order: 1;
      flex-basis: 100%;
    }

    .detail > .top > .views > * {
      flex: 1;
    }
  }

  .scroll {
    overflow: hidden auto;
    padding: 8px 16px 48px;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
  }

  .findings {
    margin: 0;
    padding: 4px;
    list-style: none;
  }

  .found {
    display: flex;
    gap: 8px;
    align-items: start;
    padding: 7px 8px;
    border-radius: 8px;
    font-size: 13px;
    line-height: 18px;
  }

  .found > svg {
    inline-size: 15px;
    margin-block-start: 1px;
    color: light-dark(oklch(0.5 0.11 75), oklch(0.82 0.12 85));
  }

  .found.error > svg {
    color: var(--danger);
  }

  .found > .said {
    flex: 1;
    min-inline-size: 0;
    padding: 0;
    border: 0;
    background: none;
    overflow-wrap: anywhere;
    text-align: start;
  }

  .found .place {
    display: block;
    color: var(--quiet);
    font-size: 12px;
  }

  .findings .found:hover {
    background: var(--raised);
  }

  .found .plain {
    margin-block: -4px;
  }

  .found kbd,
  .button kbd {
    color: inherit;
    font: 11px/16px var(--font);
  }

  .empty {
    padding: 48px 20px;
    color: var(--quiet);
    text-align: center;
  }

  .empty p {
    max-inline-size: 46ch;
    margin: 6px auto 14px;
    text-wrap: balance;
  }

  .empty h2 {
    color: var(--text);
  }

  .undo-bar {
    position: absolute;
    inset-block-end: 44px;
    inset-inline: 16px;
    z-index: 2;
    display: flex;
    justify-content: center;
    pointer-events: none;
  }

  .undo-bar > div {
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 5px 6px 5px 14px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--panel);
    box-shadow: 0 8px 28px var(--shadow);
    font-size: 13px;
    pointer-events: auto;
  }

  .undo-bar .plain {
    color: var(--brand-ink);
    font-weight: 500;
  }

  .files {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-block-size: 0;
  }

  .file-tabs {
    display: flex;
    gap: 2px;
    padding: 6px 12px;
    overflow-x: auto;
    scrollbar-width: thin;
  }

  .file-tabs > div {
    display: flex;
    gap: 2px;
  }

  .file-tabs [role="tab"] {
    padding: 4px 10px;
    border: 0;
    border-radius: 7px;
    background: none;
    color: var(--quiet);
    font-size: 13px;
    white-space: nowrap;
  }

  .file-tabs [aria-selected="true"] {
    background: var(--raised-hover);
    color: var(--text);
  }

  .file-tabs .dot::after {
    content: "•";
    margin-inline-start: 5px;
    color: var(--brand-ink);
  }

  build-json {
    display: block;
    min-block-size: 0;
    block-size: 100%;
  }

  .detail build-json {
    border-block-start: 1px solid var(--line);
  }


  .narrow-word {
    display: none;
  }

  @container build (max-width: 760px) {
    .narrow-word {
      display: inline;
    }

    header {
      padding-inline: 10px;
    }

    .wide-word {
      display: none;
    }

    .foot > span {
      visibility: hidden;
    }
  }

  @container build (max-width: 619px) {
    header > .unpublished {
      flex: 1;
    }

    .body.split {
      grid-template-columns: minmax(0, 1fr);
    }

    .body.split > .pane {
      display: none;
    }

    .detail {
      border: 0;
    }

  }
`;
