// The styles of the studio's frame: rail, main pane, side pane, notices, progress.

import { css } from "lit";

export const frame = css`
  :host {
    display: block;
    background: var(--surface);
    color: var(--text);
    font: 400 14px/20px var(--font);
    --rail: 208px;
    --side: 400px;
    /* Height of the rail where it lies above the room. */
    --studio-bar: 0px;
  }

  .frame {
    display: grid;
    grid-template-columns: var(--rail) minmax(0, 1fr);
    min-block-size: 100dvh;
  }

  .frame.beside {
    grid-template-columns: var(--rail) minmax(0, 1fr) var(--side);
  }

  main {
    position: relative;
    min-inline-size: 0;
  }

  main:focus {
    outline: none;
  }

  .side {
    position: sticky;
    inset-block-start: 0;
    min-inline-size: 0;
    block-size: 100dvh;
    border-inline-start: 1px solid var(--line);
    background: var(--surface);
  }

  .side > * {
    block-size: 100%;
  }

  .waiting {
    position: fixed;
    inset: 0 0 auto;
    z-index: 3;
    block-size: 2px;
    overflow: hidden;
  }

  .waiting::before {
    content: "";
    position: absolute;
    inset-block: 0;
    inline-size: 30%;
    background: var(--brand-line);
    animation: pass 1.1s infinite ease-in-out;
  }

  @keyframes pass {
    from {
      inset-inline-start: -30%;
    }
    to {
      inset-inline-start: 100%;
    }
  }

  .notice {
    position: fixed;
    inset-block-end: 20px;
    inset-inline: 16px;
    z-index: 6;
    display: flex;
    justify-content: center;
    pointer-events: none;
  }

  .notice p {
    max-inline-size: 56ch;
    padding: 9px 16px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--panel);
    box-shadow: 0 8px 28px var(--shadow);
    animation: arrive var(--slow) var(--ease);
  }

  .notice .bad {
    border-color: var(--danger);
    color: var(--danger);
  }

  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(8px);
    }
  }

  @media (max-width: 1099px) {
    :host {
      --rail: 56px;
    }

    /* No room for three columns: the try-out lies over the room. */
    .frame.beside {
      grid-template-columns: var(--rail) minmax(0, 1fr);
    }

    .side {
      position: fixed;
      inset: 0 0 0 auto;
      z-index: 4;
      inline-size: min(var(--side), 100vw);
      box-shadow: 0 0 40px var(--shadow);
    }
  }

  @media (max-width: 719px) {
    :host {
      --studio-bar: 97px;
    }

    .frame,
    .frame.beside {
      display: block;
    }
  }
`;

export const rail = css`
  .rail {
    position: sticky;
    inset-block-start: 0;
    display: flex;
    flex-direction: column;
    gap: 4px;
    block-size: 100dvh;
    padding: 12px 8px;
    border-inline-end: 1px solid var(--line);
    background: light-dark(oklch(0.982 0.003 264), oklch(0.215 0.012 264));
  }

  .item {
    display: flex;
    align-items: center;
    gap: 9px;
    inline-size: 100%;
    min-block-size: 32px;
    padding: 4px 8px;
    border: 0;
    border-radius: 7px;
    background: none;
    color: var(--quiet);
    line-height: 20px;
    text-align: start;
    text-decoration: none;
    transition: background var(--quick) var(--ease);
  }

  .item:focus-visible {
    outline-offset: -2px;
  }

  .item > .title {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .item > kbd {
    color: var(--quiet);
    font: 11px/16px var(--font);
  }

  .item[aria-current="page"],
  .item[aria-pressed="true"] {
    background: var(--raised-hover);
    color: var(--text);
  }

  .item[aria-current="page"] {
    font-weight: 500;
  }

  .brand {
    color: var(--text);
    font-size: 15px;
    font-weight: 600;
  }

  .brand svg {
    inline-size: 20px;
    block-size: 20px;
    margin-inline: -2px;
  }

  .brand[aria-current="page"] {
    background: none;
    font-weight: 600;
  }

  .switch {
    color: var(--text);
    font-weight: 600;
    border: 1px solid var(--line);
    background: var(--surface);
  }

  .initial {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 20px;
    block-size: 20px;
    margin-inline: -2px;
    border-radius: 6px;
    background: var(--brand-quiet);
    color: var(--brand-ink);
    font-size: 11px;
    font-weight: 600;
  }

  .bots {
    position: fixed;
    inset: 88px auto auto 8px;
    inline-size: 280px;
    max-inline-size: calc(100vw - 16px);
    max-block-size: min(480px, calc(100dvh - 104px));
    margin: 0;
    padding: 6px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--panel);
    color: var(--text);
    box-shadow: 0 12px 36px var(--shadow);
    overflow-y: auto;
  }

  .bots .item {
    color: var(--text);
  }

  .bots .item[aria-current="true"] {
    font-weight: 600;
  }

  .bots .none {
    padding: 8px;
  }

  .bots input {
    inline-size: 100%;
    min-block-size: 34px;
    margin-block-end: 4px;
    padding: 4px 10px;
    border: 1px solid var(--line-strong);
    border-radius: 7px;
    background: var(--surface);
    font-size: 13px;
  }

  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .rooms {
    flex: 1;
    min-block-size: 0;
    padding-block-start: 8px;
    overflow-y: auto;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
  }

  .rooms ul {
    display: flex;
    flex-direction: column;
    gap: 1px;
  }

  .foot {
    display: flex;
    flex-direction: column;
    gap: 1px;
    padding-block-start: 8px;
    border-block-start: 1px solid var(--line);
  }

  .foot p {
    padding: 6px 8px 0;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }

  @media (hover: hover) {
    .item:hover {
      background: var(--raised);
    }

    .item[aria-current="page"]:hover,
    .item[aria-pressed="true"]:hover {
      background: var(--raised-hover);
    }
  }

  @media (pointer: coarse) {
    .item {
      min-block-size: 44px;
    }
  }

  @media (max-width: 1099px) {
    .rail .item:not(.bot) {
      justify-content: center;
      padding-inline: 0;
    }

    .rail .item:not(.bot) > .title {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      clip-path: inset(50%);
    }

    .rail .item > kbd,
    .switch > svg:last-child,
    .foot p {
      display: none;
    }
  }

  @media (max-width: 719px) {
    .rail {
      position: static;
      flex-flow: row wrap;
      gap: 4px;
      block-size: auto;
      padding: 6px 8px;
      border-inline-end: 0;
      border-block-end: 1px solid var(--line);
    }

    .rail .item:not(.bot) {
      inline-size: 44px;
      min-block-size: 40px;
    }

    .rooms {
      order: 3;
      flex: 1 0 100%;
      padding: 0;
    }

    .rooms ul {
      flex-direction: row;
    }

    .rooms li {
      flex: 0 1 64px;
    }

    .rail .rooms .item {
      inline-size: 100%;
    }

    .foot {
      flex-direction: row;
      margin-inline-start: auto;
      padding: 0;
      border: 0;
    }
  }
`;
