// The styles of the launcher and of the line beside it. The window and the chat bring their own.

/** Marks the text for the build, which takes the space out of it. */
const css = (text: TemplateStringsArray): string => text[0] ?? "";

export const style = css`
  :host {
    /* What the page says of all its elements does not hold for this one. */
    all: initial !important;
    color-scheme: var(--scheme, light dark) !important;
    zoom: var(--zoom) !important;
    --brand: var(--dialoom-brand, var(--look-brand, oklch(0.51 0.19 264)));
    /* Black or white, whichever has the higher contrast (WCAG 2.2, relative luminance): they part at 0.179. */
    --brand-text: color(
      from var(--brand) xyz clamp(0, (0.179 - y) * 9999, 0.9505) clamp(0, (0.179 - y) * 9999, 1) clamp(0, (0.179 - y) * 9999, 1.089)
    );
    --surface: light-dark(#fff, #191d24);
    --text: light-dark(#1b212c, #e5e8ec);
    --line: light-dark(#e0e3e7, #292f38);
    --shadow: light-dark(#1a243d1f, #00000080);
    --side: 20px;
    --bottom: 20px;
    position: fixed !important;
    z-index: 2147483000 !important;
    inset-block-end: calc(var(--bottom) + env(safe-area-inset-bottom)) !important;
    inset-inline-end: var(--side) !important;
    display: grid !important;
    justify-items: end !important;
    gap: 12px !important;
  }

  /* Rules of the page for all its elements reach the host and would be inherited. */
  .launcher,
  .line {
    all: initial;
    color-scheme: inherit;
    font: 400 15px/22px system-ui, sans-serif;
    color: var(--text);
    cursor: pointer;
    overflow-wrap: anywhere;
    max-width: min(320px, 100vw - 2 * var(--side));
  }

  :host([side="left"]) {
    inset-inline: auto !important;
    left: var(--side) !important;
    justify-items: left !important;
  }

  :host([side="right"]) {
    inset-inline: auto !important;
    right: var(--side) !important;
    justify-items: right !important;
  }

  [hidden],
  span:empty {
    display: none !important;
  }

  * {
    box-sizing: border-box !important;
  }

  button {
    all: unset;
  }

  :focus-visible {
    outline: 2px solid var(--text);
    outline-offset: 2px;
  }

  .launcher {
    position: relative;
    display: flex;
    align-items: center;
    gap: 10px;
    min-height: 56px;
    padding: 8px 14px;
    border: 1px solid transparent;
    border-radius: 28px;
    background: var(--brand);
    color: var(--brand-text);
    font-weight: 500;
    box-shadow: 0 8px 24px var(--shadow);
  }

  svg {
    width: 20px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .launcher svg,
  .launcher img {
    flex: none;
    width: 26px;
  }

  [aria-busy="true"] {
    opacity: 0.7;
  }

  .badge {
    position: absolute;
    inset-block-start: -4px;
    inset-inline-end: -4px;
    min-width: 22px;
    padding: 0 5px;
    border: 1px solid transparent;
    border-radius: 11px;
    background: oklch(0.52 0.19 27);
    color: #fff;
    font-size: 12px;
    font-weight: 600;
    text-align: center;
    box-shadow: 0 0 0 2px var(--surface);
  }

  .line {
    display: flex;
    align-items: start;
    border: 1px solid var(--line);
    border-radius: 18px;
    background: var(--surface);
    box-shadow: 0 8px 24px var(--shadow);
    transition: opacity 200ms;

    @starting-style {
      opacity: 0;
    }
  }

  .line .text {
    flex: 1;
    padding: 11px 0;
    padding-inline-start: 16px;
    border-radius: 18px;
  }

  .round {
    flex: none;
    display: grid;
    place-items: center;
    width: 44px;
    height: 44px;
    border-radius: 50%;
  }
`;
