// The chat's colours and measures as custom properties, for light and for dark. Everything drawn takes them from here.

import { css } from "lit";

/**
 * A page sets `--dialoom-brand` to its own colour. Its lightness is held at 0.54 at most, so that white on it keeps 4.5:1;
 * as ink on the surface it is darkened or lightened until it can be read.
 */
export const tokens = css`
  :host {
    color-scheme: light dark;
    --brand-given: var(--dialoom-brand, oklch(0.51 0.19 264));
    --brand: oklch(from var(--brand-given) min(l, 0.54) c h);
    --brand-hover: oklch(from var(--brand) calc(l - 0.05) c h);
    --brand-text: oklch(1 0 0);
    --brand-ink: light-dark(oklch(from var(--brand) min(l, 0.5) c h), oklch(from var(--brand) 0.8 min(c, 0.1) h));
    --brand-quiet: light-dark(oklch(from var(--brand) 0.955 min(c, 0.022) h), oklch(from var(--brand) 0.32 min(c, 0.06) h));
    --brand-line: light-dark(oklch(from var(--brand) 0.64 min(c, 0.12) h), oklch(from var(--brand) 0.56 min(c, 0.1) h));

    --surface: light-dark(oklch(1 0 0), oklch(0.195 0.012 264));
    --panel: light-dark(oklch(1 0 0), oklch(0.225 0.013 264));
    --raised: light-dark(oklch(0.962 0.005 264), oklch(0.272 0.015 264));
    --raised-hover: light-dark(oklch(0.935 0.007 264), oklch(0.315 0.017 264));
    --text: light-dark(oklch(0.25 0.02 264), oklch(0.93 0.006 264));
    --quiet: light-dark(oklch(0.5 0.018 264), oklch(0.72 0.014 264));
    --line: light-dark(oklch(0.915 0.006 264), oklch(0.3 0.014 264));
    --line-strong: light-dark(oklch(0.64 0.012 264), oklch(0.52 0.016 264));
    --danger: light-dark(oklch(0.52 0.19 27), oklch(0.76 0.13 24));
    --focus: light-dark(oklch(0.55 0.2 264), oklch(0.8 0.11 264));
    --shadow: light-dark(oklch(0.25 0.03 264 / 0.12), oklch(0 0 0 / 0.5));

    --round: 18px;
    --joined: 6px;
    --quick: 140ms;
    --slow: 200ms;
    --ease: cubic-bezier(0.2, 0, 0, 1);
    --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  }

  :host([theme="light"]) {
    color-scheme: light;
  }

  :host([theme="dark"]) {
    color-scheme: dark;
  }
`;

/** What every shadow root of the chat starts from. */
export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  [hidden] {
    display: none !important;
  }

  button,
  input,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }

  strong {
    font-weight: 700;
  }

  code {
    font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  }

  button {
    -webkit-tap-highlight-color: transparent;
    touch-action: manipulation;
    cursor: pointer;
  }

  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }

  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .directed:dir(rtl) svg {
    transform: scaleX(-1);
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
