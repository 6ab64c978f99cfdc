// Where a dialog opens in the chat: a sheet from below in a narrow chat, a popover beside its button in a wide one. The
// browser's own modal dialog keeps the focus inside, closes on Esc and gives the focus back.

import { base, buttons, cross, css, html, LitElement, plain } from "../shared-with-dialogs";
import type { Dialog } from "../protocol/wire";
import type { Words } from "../texts";

/** A question of more characters is set as running text. */
const LONG_QUESTION = 120;
/** A chat narrower than this gets a sheet. */
const WIDE = 560;
const GAP = 8;
const MAX_HEIGHT = 600;

export class CloseEvent extends Event {
  constructor() {
    super("dialoom-close", { bubbles: true, composed: true });
  }
}

export class DialoomSheet extends LitElement {
  static override properties = { dialog: { attribute: false }, words: { attribute: false }, content: { attribute: false }, question: {} };

  static override styles = [
    base,
    buttons,
    css`
      dialog {
        position: fixed;
        inset: auto;
        max-inline-size: none;
        max-block-size: none;
        margin: 0;
        padding: 0;
        border: 0;
        border-radius: var(--frame-round, 0);
        background: none;
        color: var(--text);
        overflow: hidden;
        container-type: size;
      }

      dialog::backdrop {
        background: none;
      }

      .panel {
        position: absolute;
        display: flex;
        flex-direction: column;
        inset: auto 0 0;
        max-block-size: min(88%, 100% - 40px);
        padding-block-end: env(safe-area-inset-bottom);
        border-radius: 18px 18px 0 0;
        background: var(--panel);
        box-shadow: 0 -8px 40px var(--shadow);
        animation: rise var(--slow) var(--ease);
      }

      .dim {
        background: oklch(0 0 0 / 0.4);
        animation: dim var(--slow) var(--ease);
      }

      .popover .panel {
        inset: auto;
        inline-size: 384px;
        border: 1px solid var(--line);
        border-radius: 18px;
        box-shadow: 0 12px 40px var(--shadow);
        animation: appear var(--quick) var(--ease);
      }

      .popover .content {
        border-radius: 0 0 17px 17px;
      }

      @keyframes rise {
        from {
          transform: translateY(40px);
          opacity: 0;
        }
      }

      @keyframes dim {
        from {
          background: oklch(0 0 0 / 0);
        }
      }

      @keyframes appear {
        from {
          transform: translateY(6px);
          opacity: 0;
        }
      }

      header {
        flex: none;
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 10px 8px 8px 16px;
        padding-inline: 16px 8px;
      }

      .close {
        align-self: flex-start;
      }

      h2 {
        flex: 1;
        /* Of a question that fills the half of the sheet the rest is scrolled to. */
        max-block-size: 30cqb;
        margin: 0;
        overflow-y: auto;
        font-size: 16px;
        font-weight: 600;
        line-height: 22px;
        white-space: pre-line;
        text-align: -webkit-match-parent;
        text-align: match-parent;
        overflow-wrap: anywhere;
      }

      h2.long {
        font-size: 15px;
        font-weight: 400;
      }

      .content {
        display: flex;
        flex-direction: column;
        min-block-size: 0;
        overflow-y: auto;
      }

      .content > * {
        flex: 0 1 auto;
        min-block-size: 0;
      }

      /* At 400 % zoom (320 × 200) head, rows and button do not fit one above the other: they scroll together. */
      @container (max-height: 320px) {
        .panel {
          display: block;
          max-block-size: 100% !important;
          border-radius: 0;
          overflow-y: auto;
          scroll-padding-block-end: 60px;
        }

        header {
          padding-block: 4px;
        }

        h2 {
          max-block-size: none;
          font-size: 14px;
          line-height: 18px;
        }

        .content {
          overflow: visible;
        }
      }

      @media (forced-colors: active) {
        .panel {
          border: 1px solid CanvasText;
        }
      }
    `,
  ];

  declare dialog: Dialog;
  declare words: Words;
  /** The bot's question, which the sheet covers: it stands in the head. Markdown. */
  declare question: string;
  /** What stands in the sheet: one of the panels. */
  declare content: unknown;
  /** The button that it opens from. */
  anchor: HTMLElement | null = null;
  /** The chat that it lies over. */
  frame: HTMLElement | null = null;

  #sizes = new ResizeObserver(() => this.#place());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("resize", this.#place);
    window.visualViewport?.addEventListener("resize", this.#place);
    window.visualViewport?.addEventListener("scroll", this.#place);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("resize", this.#place);
    window.visualViewport?.removeEventListener("resize", this.#place);
    window.visualViewport?.removeEventListener("scroll", this.#place);
    this.#sizes.disconnect();
    this.#cover?.close();
  }

  override render() {
    const title = plain(this.question ?? "").trim() || plain(this.dialog.title) || this.words.options;
    return html`<dialog aria-labelledby="title" @cancel=${this.#cancelled} @pointerdown=${this.#aimed} @click=${this.#clicked}>
      <div class="panel">
        <header>
          <h2 id="title" class=${title.length > LONG_QUESTION ? "long" : ""} dir="auto">${title}</h2>
          <button type="button" class="round close" aria-label=${this.words.close} title=${this.words.close} @click=${this.close}>${cross}</button>
        </header>
        <div class="content">${this.content}</div>
      </div>
    </dialog>`;
  }

  get #cover(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  protected override async firstUpdated(): Promise<void> {
    this.#place();
    this.#cover?.showModal();
    const panel = this.renderRoot.querySelector(".content")?.firstElementChild as LitElement | null;
    await panel?.updateComplete;
    this.#place();
    const sheet = this.renderRoot.querySelector(".panel");
    if (sheet) this.#sizes.observe(sheet);
    // On a phone a field with the focus would bring the keyboard up over the half of the sheet: the title takes it.
    if (matchMedia("(pointer: fine)").matches) panel?.focus();
    else this.#focusQuietly();
  }

  #focusQuietly(): void {
    const panel = this.renderRoot.querySelector<HTMLElement>(".panel");
    if (!panel) return;
    panel.tabIndex = -1;
    panel.style.outline = "none";
    panel.focus();
  }

  /** Closes and gives the focus back to where it was. */
  close = (): void => {
    this.#cover?.close();
    this.dispatchEvent(new CloseEvent());
  };

  #cancelled(event: Event): void {
    event.preventDefault();
    this.close();
  }

  #isOutside = false;

  /** A press that begins inside and ends outside, as marking text may, closes nothing. */
  #aimed(event: PointerEvent): void {
    this.#isOutside = event.target === this.#cover;
  }

  #clicked(event: MouseEvent): void {
    if (event.target === this.#cover && this.#isOutside) this.close();
  }

  /** Lays the dialog over what is seen of the chat; `inset` by the CSSOM, since a policy may forbid style attributes. */
  #place = (): void => {
    const cover = this.#cover;
    const panel = cover?.querySelector<HTMLElement>(".panel");
    if (!cover || !panel) return;
    const area = seen(this.frame);
    Object.assign(cover.style, { left: px(area.left), top: px(area.top), width: px(area.width), height: px(area.height) });
    const isWide = area.width >= WIDE;
    cover.className = isWide ? "popover" : "dim";
    Object.assign(panel.style, isWide ? this.#beside(area, panel) : { left: "", top: "", bottom: "", maxHeight: "" });
  };

  #beside(area: DOMRect, panel: HTMLElement): Record<string, string> {
    const anchor = this.anchor?.getBoundingClientRect() ?? area;
    const isRightToLeft = getComputedStyle(panel).direction === "rtl";
    const start = isRightToLeft ? anchor.right - panel.offsetWidth : anchor.left;
    const left = clamp(start - area.left, GAP, area.width - panel.offsetWidth - GAP);
    const above = anchor.top - area.top - 2 * GAP;
    const below = area.bottom - anchor.bottom - 2 * GAP;
    const room = area.height - 2 * GAP;
    // What it would like to have shows only when nothing holds it.
    panel.style.maxHeight = "none";
    const height = Math.min(MAX_HEIGHT, room, panel.offsetHeight);
    const most = Math.min(MAX_HEIGHT, room);
    if (below >= height) return { left: px(left), top: px(anchor.bottom - area.top + GAP), bottom: "", maxHeight: px(Math.min(most, below)) };
    // Held at its lower edge, it grows and shrinks away from its button.
    if (above >= height) return { left: px(left), top: "", bottom: px(area.bottom - anchor.top + GAP), maxHeight: px(Math.min(most, above)) };
    return { left: px(left), top: "", bottom: px(GAP), maxHeight: px(most) };
  }
}

/** The part of an element that the on-screen keyboard and zooming leave in sight. */
function seen(frame: HTMLElement | null): DOMRect {
  const whole = window.visualViewport ?? { offsetLeft: 0, offsetTop: 0, width: innerWidth, height: innerHeight };
  const rect = frame?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const left = Math.max(rect.left, whole.offsetLeft);
  const top = Math.max(rect.top, whole.offsetTop);
  const right = Math.min(rect.right, whole.offsetLeft + whole.width);
  const bottom = Math.min(rect.bottom, whole.offsetTop + whole.height);
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

const px = (size: number) => `${size}px`;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));
