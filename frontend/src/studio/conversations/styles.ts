// The styles that the list, its filter and Insights share: fields, switches, the status of a conversation.

import { css } from "lit";

export const fields = css`
  select,
  input[type="search"],
  input[type="date"] {
    min-block-size: 32px;
    padding: 4px 8px;
    border: 1px solid var(--line-strong);
    border-radius: 8px;
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-size: 13px;
  }

  select {
    max-inline-size: 180px;
    text-overflow: ellipsis;
  }

  select.on,
  .toggle[aria-pressed="true"] {
    border-color: var(--brand-edge);
    background: var(--brand-quiet);
    color: var(--brand-ink);
  }

  .toggle {
    min-block-size: 32px;
    padding: 4px 10px;
    border: 1px solid var(--line-strong);
    border-radius: 8px;
    background: var(--surface);
    font-size: 13px;
    white-space: nowrap;
  }

  @media (hover: hover) {
    .toggle:hover:not([aria-pressed="true"]) {
      background: var(--raised);
    }
  }

  @media (pointer: coarse) {
    select,
    input[type="search"],
    input[type="date"],
    .toggle {
      min-block-size: 44px;
    }
  }
`;

export const status = css`
  .status {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    white-space: nowrap;
  }

  .status::before {
    content: "";
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    border-radius: 4px;
    background: var(--line-strong);
  }

  .status.success::before {
    background: light-dark(oklch(0.58 0.14 152), oklch(0.74 0.14 152));
  }

  .status.failure::before {
    background: var(--danger);
  }

  .status.active::before {
    background: var(--brand-ink);
  }

  .status.handed-over::before {
    background: light-dark(oklch(0.62 0.13 70), oklch(0.78 0.12 75));
  }

  .status.abandoned::before {
    border: 2px solid var(--line-strong);
    background: none;
  }

  .status.closed::before {
    opacity: 0.5;
  }

  .bad {
    color: var(--danger);
  }
`;
