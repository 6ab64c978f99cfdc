// The frame around a chat in a window: above the launcher's corner, on phones the whole screen.

import { isolate } from "./isolate";

/** Marks the text for the build, which takes the space out of it. */
const css = (text: TemplateStringsArray): string => text[0] ?? "";

const style = css`
  .window {
    /* Rules of the page for all its elements reach the host and would be inherited. */
    all: initial;
    color-scheme: inherit;
    display: block;
    box-sizing: border-box;
    position: fixed;
    inset-block-end: calc(var(--bottom) + env(safe-area-inset-bottom));
    inset-inline-end: var(--side);
    inline-size: 400px;
    block-size: min(680px, calc(100dvh - var(--bottom) - 20px));
    --frame-round: 18px;
    border-radius: var(--frame-round);
    overflow: hidden;
    background: light-dark(oklch(1 0 0), oklch(0.195 0.012 264));
    box-shadow:
      0 0 0 1px var(--line),
      0 16px 48px var(--shadow);
    animation: rise 200ms cubic-bezier(0.2, 0, 0, 1);
  }

  :host([side="left"]) .window {
    inset-inline: auto;
    left: var(--side);
  }

  :host([side="right"]) .window {
    inset-inline: auto;
    right: var(--side);
  }

  @media (max-width: 479px) {
    .window,
    :host([side]) .window {
      inset: 0;
      inline-size: auto;
      block-size: 100dvh;
      --frame-round: 0;
    }
  }

  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(12px);
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .window {
      animation: none;
    }
  }
`;

/** The width up to which the window is the whole screen, as in the styles. */
const PHONE = "(max-width: 479px)";

export class Frame {
  readonly element = document.createElement("div");
  readonly #phone = matchMedia(PHONE);
  #isOpen = false;
  #release = () => {};

  constructor(chat: HTMLElement, label: string) {
    this.element.className = "window";
    this.element.role = "dialog";
    this.element.ariaLabel = label;
    this.element.hidden = true;
    this.element.append(chat);
    this.#phone.addEventListener("change", this.#hold);
  }

  /** Stands in the shadow root of the widget from now on. */
  enter(root: ShadowRoot): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets.unshift(sheet);
    root.prepend(this.element);
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    this.element.hidden = !isOpen;
    this.#hold();
  }

  remove(): void {
    this.#phone.removeEventListener("change", this.#hold);
    this.#release();
    this.element.remove();
  }

  /** On a phone the open window is the whole screen: what is behind it must not be reached. */
  #hold = (): void => {
    this.#release();
    const { host } = this.element.getRootNode() as ShadowRoot;
    const isWhole = this.#isOpen && this.#phone.matches && host instanceof HTMLElement;
    this.#release = isWhole ? isolate(host) : () => {};
    this.element.ariaModal = String(isWhole);
  };
}
