// The styles of the launcher and of the line beside it. The window and the chat bring their own.

/** Marks the text for the build, which takes the space out of it. */
const css = (text: TemplateStringsArray): string => text[0] ?? "";

export const style = css`
  :host {
    color-scheme: light dark;
    --brand: var(--dialoom-brand, var(--look-brand, oklch(0.51 0.19 264)));
    /* Black or white, whichever has the higher contrast (WCAG 2.2, relative luminance): they part at 0.179. */
    --brand-text: color(
      from var(--brand) xyz-d65 clamp(0, (0.179 - y) * 9999, 0.9505) clamp(0, (0.179 - y) * 9999, 1) clamp(0, (0.179 - y) * 9999, 1.089)
    );
    --surface: light-dark(#fff, #191d24);
    --text: light-dark(#1b212c, #e5e8ec);
    --line: light-dark(#e0e3e7, #292f38);
    --shadow: light-dark(#1a243d1f, #00000080);
    --side: 20px;
    --bottom: 20px;
    position: fixed !important;
    transform: none !important;
    filter: none !important;
    opacity: 1 !important;
    z-index: 2147483000 !important;
    inset-block-end: calc(var(--bottom) + env(safe-area-inset-bottom));
    inset-inline-end: var(--side);
    display: flex;
    flex-direction: column;
    align-items: end;
    gap: 12px;
  }

  /* Rules of the page for all its elements reach the host and would be inherited. */
  .launcher,
  .line {
    all: initial;
    color-scheme: inherit;
    font: 400 15px/22px system-ui, sans-serif;
    color: var(--text);
    cursor: pointer;
  }

  :host([side="left"]) {
    inset-inline: auto;
    left: var(--side);
  }

  :host([side="right"]) {
    inset-inline: auto;
    right: var(--side);
  }

  :host([side="left"]:dir(ltr)),
  :host([side="right"]:dir(rtl)) {
    align-items: start;
  }

  [hidden],
  span:empty {
    display: none !important;
  }

  * {
    box-sizing: border-box !important;
  }

  button {
    padding: 0;
    border: 0;
    background: none;
    font: inherit;
    color: inherit;
    cursor: inherit;
  }

  :focus-visible {
    outline: 2px solid var(--text) !important;
    outline-offset: 2px;
  }

  .launcher {
    position: relative;
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 56px;
    padding: 0 14px;
    border: 1px solid transparent;
    border-radius: 28px;
    background: var(--brand);
    color: var(--brand-text);
    font-weight: 500;
    box-shadow: 0 8px 24px var(--shadow);
  }

  svg {
    inline-size: 20px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .launcher svg,
  .launcher img {
    inline-size: 26px;
  }

  .busy {
    opacity: 0.7;
  }

  .badge {
    position: absolute;
    inset-block-start: -4px;
    inset-inline-end: -4px;
    min-inline-size: 22px;
    padding-inline: 6px;
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
    max-inline-size: min(300px, 100vw - 2 * var(--side));
    border: 1px solid var(--line);
    border-radius: 18px;
    background: var(--surface);
    box-shadow: 0 8px 24px var(--shadow);
    animation: rise 200ms cubic-bezier(0.2, 0, 0, 1);
  }

  .line .text {
    flex: 1;
    min-inline-size: 0;
    padding: 11px 0;
    padding-inline-start: 16px;
    border-radius: 18px;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .round {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    border-radius: 50%;
  }

  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(12px);
    }
  }

  @media (forced-colors: active) {
    .launcher,
    .badge {
      border: 1px solid ButtonBorder;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .line {
      animation: none;
    }
  }
`;
