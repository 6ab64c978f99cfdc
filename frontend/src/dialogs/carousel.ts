// Cards side by side, each with a button that chooses it. Swiped on touch, arrows beside them where there is a mouse.

import { backward, base, css, forward, html, imageSource, leaveOut, nothing, plain, title } from "../shared-with-dialogs";
import type { Option } from "../protocol/wire";
import { Panel } from "./panel";
import { panel } from "./style";

const CARD = 240 + 12;
/** Cards drawn at first, and more whenever the end comes near. */
const SOME = 20;

export class DialoomCarousel extends Panel {
  static override properties = { ...Panel.properties, count: { state: true }, isAtStart: { state: true }, isAtEnd: { state: true } };

  static override styles = [
    base,
    panel,
    css`
      :host {
        position: relative;
      }

      ul {
        display: flex;
        gap: 12px;
        margin: 0;
        padding: 2px 16px 2px 2px;
        padding-inline: 2px 16px;
        overflow: auto hidden;
        overscroll-behavior-inline: contain;
        scroll-snap-type: inline mandatory;
        scroll-padding-inline: 2px;
        scrollbar-width: none;
        list-style: none;
      }

      @media (forced-colors: active) {
        .image {
          border-block-end: 1px solid;
        }
      }

      li {
        flex: none;
        display: flex;
        flex-direction: column;
        inline-size: 240px;
        border: 1px solid var(--line);
        border-radius: 16px;
        background: light-dark(var(--surface), var(--raised));
        overflow: hidden;
        scroll-snap-align: start;
      }

      /* The picture is laid over its place: its own shape never changes that of the card. */
      .image {
        position: relative;
        flex: none;
        aspect-ratio: 3 / 2;
        background: var(--raised-hover);
      }

      img {
        position: absolute;
        inset: 0;
        inline-size: 100%;
        block-size: 100%;
        object-fit: cover;
      }

      .texts {
        flex: 1;
        padding: 12px 14px 0;
        overflow-wrap: anywhere;
      }

      .texts > * {
        text-align: -webkit-match-parent;
        text-align: match-parent;
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
      }

      b {
        font-weight: 600;
        line-height: 20px;
      }

      small {
        margin-block-start: 2px;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .act {
        inline-size: auto;
        min-block-size: var(--target);
        margin: 12px;
      }

      .arrow {
        position: absolute;
        inset-block-start: 82px;
        inline-size: 36px;
        block-size: 36px;
        border: 1px solid var(--line);
        background: light-dark(var(--surface), var(--raised));
        color: var(--text);
        box-shadow: 0 4px 16px var(--shadow);
        transform: translateY(-50%);
      }

      .arrow:disabled {
        display: none;
      }

      .before {
        inset-inline-start: -14px;
      }

      .after {
        inset-inline-end: 4px;
      }

      .arrow:hover {
        background: light-dark(var(--raised), var(--raised-hover));
      }

      @media (pointer: coarse) {
        .act {
          min-block-size: 44px;
        }
      }

      @media (hover: none) {
        .arrow {
          display: none;
        }
      }
    `,
  ];

  declare count: number;
  declare isAtStart: boolean;
  declare isAtEnd: boolean;
  #sizes = new ResizeObserver(() => this.#look());

  constructor() {
    super();
    this.count = SOME;
    this.isAtStart = true;
    this.isAtEnd = true;
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>("li button")?.focus(options);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  protected override firstUpdated(): void {
    if (this.#row) this.#sizes.observe(this.#row);
  }

  get #row(): HTMLElement | null {
    return this.renderRoot.querySelector("ul");
  }

  override render() {
    const { words } = this;
    // Cards line up: where one has an image or a subtitle, all leave room for it.
    const hasImages = this.dialog.options.some((option) => option.image);
    return html`
      <ul role="list" aria-label=${plain(this.dialog.title) || words.options} @scroll=${this.#look} @keydown=${this.#pressed}>
        ${this.dialog.options.slice(0, this.count).map((option, index) => this.#card(option, index, hasImages))}
      </ul>
      ${this.#arrow(-1, "before", words.previousCards, backward, this.isAtStart)}
      ${this.#arrow(1, "after", words.nextCards, forward, this.isAtEnd)}
    `;
  }

  #card(option: Option, index: number, hasImages: boolean) {
    const image = imageSource(option.image);
    const pick = (event: MouseEvent) => {
      const choice = option.key ? { key: option.key } : { value: option.value ?? option.title };
      this.hand({ option: choice }, plain(option.title), event.detail === 0);
    };
    return html`<li>
      ${
        hasImages
          ? html`<div class="image">${image ? html`<img src=${image} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${leaveOut} />` : nothing}</div>`
          : nothing
      }
      <div class="texts">
        <b class="titled" dir="auto" id=${`title-${index}`}>${title(option.title)}</b>
        ${option.subtitle ? html`<small class="titled" dir="auto">${plain(option.subtitle)}</small>` : nothing}
      </div>
      <button type="button" class="act soft" id=${`pick-${index}`} aria-labelledby=${`pick-${index} title-${index}`} @click=${pick}>
        ${plain(this.dialog.buttonText) || this.words.submit}
      </button>
    </li>`;
  }

  // Tab and arrow keys reach every card by themselves: these are for the mouse alone.
  #arrow(side: number, place: string, label: string, picture: unknown, isHidden: boolean) {
    return html`<button
      type="button"
      class="round arrow directed ${place}"
      tabindex="-1"
      aria-label=${label}
      title=${label}
      ?disabled=${isHidden}
      @click=${() => this.#roll(side)}
    >
      ${picture}
    </button>`;
  }

  #look(): void {
    const row = this.#row;
    if (!row) return;
    const at = Math.abs(row.scrollLeft);
    const left = row.scrollWidth - row.clientWidth - at;
    this.isAtStart = at < 4;
    this.isAtEnd = left < 4;
    if (left < 4 * CARD && this.count < this.dialog.options.length) this.count += SOME;
  }

  #roll(side: number): void {
    const row = this.#row;
    if (!row) return;
    const cards = Math.max(1, Math.floor(row.clientWidth / CARD));
    const direction = getComputedStyle(row).direction === "rtl" ? -side : side;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    row.scrollBy({ left: direction * cards * CARD, behavior: isCalm ? "instant" : "smooth" });
  }

  #pressed(event: KeyboardEvent): void {
    const side = getComputedStyle(this).direction === "rtl" ? -1 : 1;
    const buttons = [...this.renderRoot.querySelectorAll<HTMLElement>("li button")];
    const here = buttons.indexOf(event.target as HTMLElement);
    const moves: Record<string, number> = { ArrowRight: here + side, ArrowLeft: here - side, Home: 0, End: buttons.length - 1 };
    const there = moves[event.key];
    if (there === undefined || here < 0) return;
    event.preventDefault();
    buttons[there]?.focus();
  }
}
