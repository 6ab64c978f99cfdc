// What the dialogs share in looks: the panel's rhythm, its fields and its one button.

import { buttons, css } from "../shared-with-dialogs";

/** What is chosen, in colours that stay where the user has forced theirs. */
export const markedColours = css`
  forced-color-adjust: none;
  border-color: Highlight;
  background: Highlight;
  color: HighlightText;
`;

const rhythm = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
  }

  .part {
    padding-inline: 16px;
  }

  /* In sight also where the panel is higher than its room. */
  .foot {
    position: var(--foot, sticky);
    inset-block-end: 0;
    flex: none;
    background: var(--panel);
    padding: 12px 16px 16px;
  }

  .act {
    inline-size: 100%;
    min-block-size: 44px;
  }

  .act:disabled {
    background: var(--raised);
    color: var(--quiet);
    cursor: default;
  }

  .act.soft {
    border: 1px solid var(--brand-line);
    background: none;
    color: var(--brand-ink);
  }

  .act.soft:hover {
    background: var(--brand-quiet);
  }

  .count {
    min-inline-size: 22px;
    padding-inline: 7px;
    border-radius: 11px;
    background: oklch(1 0 0 / 0.22);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }

  .input {
    inline-size: 100%;
    block-size: 44px;
    padding-inline: 14px;
    border: 1px solid var(--line-strong);
    border-radius: 12px;
    background: var(--surface);
    color: var(--text);
    font-size: 16px;
  }

  .input:focus {
    border-color: var(--focus);
    outline: 1px solid var(--focus);
    outline-offset: 0;
  }

  .input[aria-invalid="true"] {
    border-color: var(--danger);
  }

  .input::placeholder {
    color: var(--quiet);
    opacity: 1;
  }

  .part:dir(rtl) .input[dir="ltr"] {
    text-align: right;
  }

  .label {
    display: block;
    margin-block-end: 4px;
    color: var(--quiet);
    font-size: 13px;
    line-height: 18px;
  }

  .hint {
    margin: 6px 2px 0;
    min-block-size: 18px;
    color: var(--quiet);
    font-size: 13px;
    line-height: 18px;
  }

  .wrong {
    color: var(--danger);
  }

  /* The sheet's own room, or the window of the page that stands in for it: both scroll as a whole then. */
  @container (max-height: 320px) {
    .foot {
      padding-block: 8px;
    }
  }

  @media (forced-colors: active) {
    .act:disabled {
      border-color: GrayText;
      color: GrayText;
    }

    .foot {
      border-block-start: 1px solid CanvasText;
    }
  }
`;

export const panel = [buttons, rhythm];
