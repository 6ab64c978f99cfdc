// The chat's colours and measures as custom properties, for light and for dark. Everything drawn takes them from here.

import { css, unsafeCSS } from "lit";

/** White in XYZ (D65, CSS Color 4 section 10.8), whose second number is the relative luminance of WCAG 2.2. */
const [WHITE_X, WHITE_Z] = [0.9505, 1.089];

/** `color` with at most this luminance: its light is scaled down, which keeps the hue. */
const darkened = (color: string, most: number) => relative(color, (part) => `${part} * min(1, ${most} / y)`);

/** `color` with at least this luminance: mixed with as much white as it takes. */
const lightened = (color: string, least: number) => relative(color, (part, white) => mixed(part, white, least));

/** `color` with exactly this luminance. */
const levelled = (color: string, level: number) =>
  relative(color, (part, white) => `min(1, ${level} / y) * (${mixed(part, white, level)})`);

/** `color` where `test` (1 or 0 by its luminance) holds, else `other`, given as XYZ. */
const chosen = (color: string, test: string, other: readonly [number, number, number]) =>
  relative(color, (part, _, place) => `${part} * ${test} + ${other[place]} * (1 - ${test})`);

const mixed = (part: string, white: number, least: number) => `${part} + (${white} - ${part}) * clamp(0, (${least} - y) / (1 - y), 1)`;

/** 1 where the luminance is at least (below: at most) this, else 0. */
const isAbove = (level: number) => `clamp(0, (y - ${level}) * 100000, 1)`;
const isBelow = (level: number) => `clamp(0, (${level} - y) * 100000, 1)`;

function relative(color: string, part: (part: string, white: number, place: 0 | 1 | 2) => string) {
  const parts = [part("x", WHITE_X, 0), part("y", 1, 1), part("z", WHITE_Z, 2)];
  return unsafeCSS(`color(from ${color} xyz-d65 ${parts.map((one) => `calc(${one})`).join(" ")})`);
}

/** At this luminance black and white have the same contrast to a colour, 4.58:1; no colour gives both less. */
const EVEN = 0.179;
const BRAND = "var(--brand-given)";
const BACKGROUND = "var(--background-given)";
/** Backgrounds between these are left out: no quiet text can be read on them. `look.py` of the service has the same. */
const LIGHT_FROM = 0.8;
const DARK_TO = 0.025;

/**
 * The brand and the background are the page's (`--dialoom-brand`), else the bot's own (`--look-brand`, from its `look`). Fills have the
 * brand as it is, with black or white on them, whichever has more contrast. As ink it keeps 4.5:1 to every surface; lines,
 * rings and the edges of fills keep 3:1.
 */
export const tokens = css`
  :host {
    color-scheme: light dark !important;
    --brand-given: var(--dialoom-brand, var(--look-brand, oklch(0.51 0.19 264)));
    --background-given: var(--dialoom-background, var(--look-background, oklch(1 0 0)));
    --brand: var(--brand-given);
    --brand-text: ${relative(BRAND, (_, white, place) => `${isBelow(EVEN)} * ${place === 1 ? 1 : white}`)};
    --brand-hover: color-mix(in oklab, var(--brand) 90%, ${relative(BRAND, (_, white, place) => `${isAbove(EVEN)} * ${place === 1 ? 1 : white}`)});
    --brand-ink: light-dark(${darkened(BRAND, 0.12)}, ${lightened(BRAND, 0.4)});
    --brand-line: light-dark(${levelled(BRAND, 0.23)}, ${levelled(BRAND, 0.19)});
    --brand-edge: light-dark(${darkened(BRAND, 0.23)}, ${lightened(BRAND, 0.19)});
    --brand-quiet: light-dark(oklch(from var(--brand) 0.955 min(c, 0.022) h), oklch(from var(--brand) 0.32 min(c, 0.06) h));

    --surface: light-dark(${chosen(BACKGROUND, isAbove(LIGHT_FROM), [WHITE_X, 1, WHITE_Z])}, ${chosen(BACKGROUND, isBelow(DARK_TO), [0.0067, 0.0069, 0.0095])});
    --panel: light-dark(var(--surface), color-mix(in oklab, var(--surface), var(--text) 4%));
    --raised: light-dark(color-mix(in oklab, var(--surface), oklch(0.25 0.09 264) 5%), color-mix(in oklab, var(--surface), oklch(0.93 0.03 264) 10.5%));
    --raised-hover: light-dark(color-mix(in oklab, var(--surface), oklch(0.25 0.09 264) 8.7%), color-mix(in oklab, var(--surface), oklch(0.93 0.03 264) 16%));
    --text: light-dark(oklch(0.25 0.02 264), oklch(0.93 0.006 264));
    --quiet: light-dark(oklch(0.48 0.018 264), oklch(0.74 0.014 264));
    --line: light-dark(color-mix(in oklab, var(--surface), var(--text) 11.3%), color-mix(in oklab, var(--surface), var(--text) 14.3%));
    --line-strong: light-dark(color-mix(in oklab, var(--surface), var(--text) 50%), color-mix(in oklab, var(--surface), var(--text) 44%));
    --danger: light-dark(oklch(0.5 0.19 27), oklch(0.77 0.13 24));
    --focus: light-dark(${darkened(BRAND, 0.18)}, ${lightened(BRAND, 0.3)});
    --shadow: light-dark(oklch(0.25 0.03 264 / 0.12), oklch(0 0 0 / 0.5));

    /* What is pressed: large enough for a finger where there is one. */
    --target: 40px;
    --small-target: 32px;
    --round: var(--dialoom-radius, var(--look-radius, 18px));
    --joined: min(6px, var(--round));
    --quick: 140ms;
    --slow: 200ms;
    --ease: cubic-bezier(0.2, 0, 0, 1);
    --font: var(--dialoom-font, var(--look-font, system-ui)), system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  }

  @media (pointer: coarse) {
    :host {
      --target: 44px;
      --small-target: 44px;
    }
  }

  :host([theme="light"]) {
    color-scheme: light !important;
  }

  :host([theme="dark"]) {
    color-scheme: dark !important;
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

  /* A title or subtitle whose words run the other way: they stand on the side of the rest all the same. */
  .titled {
    text-align: -webkit-match-parent;
    text-align: match-parent;
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
