// The styles of two kinds of buttons: the main one, in the brand's colour, and the round one with an icon alone. Each element
// sets their place and size.

import { css } from "lit";

export const buttons = css`
  .act {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-block-size: var(--target);
    padding: 8px 20px;
    border: 0;
    border-radius: 22px;
    background: var(--brand);
    color: var(--brand-text);
    box-shadow: inset 0 0 0 1px var(--brand-edge);
    font-weight: 500;
    text-align: center;
    text-decoration: none;
    overflow-wrap: anywhere;
    transition: background var(--quick) var(--ease);
  }

  .round {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: var(--target);
    block-size: var(--target);
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: none;
    color: var(--quiet);
    transition:
      background var(--quick) var(--ease),
      color var(--quick) var(--ease);
  }

  .act.soft,
  .act:disabled {
    box-shadow: none;
  }

  @media (forced-colors: active) {
    .act {
      border: 1px solid;
    }
  }

  /* A finger leaves its hover behind, and the next question's button would look chosen. */
  @media (hover: hover) {
    .act:hover {
      background: var(--brand-hover);
    }

    .round:hover {
      background: var(--raised);
      color: var(--text);
    }
  }
`;
