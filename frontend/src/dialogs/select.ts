// One option or several from a list: search from eight on, all keys of a list box, and only the rows in sight drawn when
// there are many.

import { base, css, figures, fill, html, imageSource, leaveOut, nothing, plain, tick, title } from "../shared-with-dialogs";
import type { Option } from "../protocol/wire";
import { Panel } from "./panel";
import { folded, search } from "./search";
import { markedColours, panel } from "./style";

const SEARCH_FROM = 8;
/** More rows than this are drawn only where they are seen, and have one height. */
const ALL_UP_TO = 100;
const ROW = 52;
const TALL_ROW = 64;
/** Rows drawn beyond both edges, so that none is missing while the list is thrown. */
const BEYOND = 12;
const TYPED_FOR = 700;

export class DialoomSelect extends Panel {
  static override properties = {
    ...Panel.properties,
    query: { state: true },
    active: { state: true },
    chosen: { state: true },
    first: { state: true },
    isKeyed: { state: true },
  };

  static override styles = [
    base,
    panel,
    css`
      .search {
        padding-block: 0 12px;
      }

      .room {
        position: relative;
        flex: 0 1 auto;
        display: flex;
        flex-direction: column;
        min-block-size: 96px;
      }

      .list {
        flex: 1;
        min-block-size: 0;
        padding: 4px 8px;
        overflow-y: auto;
        overscroll-behavior: contain;
        border-block: 1px solid var(--line);
        scrollbar-width: thin;
        scrollbar-color: var(--line-strong) transparent;
      }

      .list:focus-visible {
        outline-offset: -2px;
      }

      .option {
        display: flex;
        align-items: center;
        gap: 12px;
        min-block-size: 48px;
        padding: 6px 8px;
        border-radius: 10px;
        cursor: pointer;
        user-select: none;
        -webkit-tap-highlight-color: transparent;
      }

      .even .option {
        block-size: 52px;
      }

      .tall .option {
        block-size: 64px;
      }

      @media (hover: hover) {
        .option:hover {
          background: var(--raised);
        }
      }

      .option.active {
        background: var(--raised);
        outline: 2px solid var(--focus);
        outline-offset: -2px;
      }

      .option img {
        flex: none;
        inline-size: 44px;
        block-size: 44px;
        border-radius: 8px;
        background: var(--raised);
        object-fit: cover;
      }

      .texts {
        flex: 1;
        min-inline-size: 0;
        overflow-wrap: anywhere;
        hyphens: auto;
      }

      /* A row keeps to the list's side, whichever way its own text runs. */
      .texts > * {
        text-align: -webkit-match-parent;
        text-align: match-parent;
      }

      .texts b {
        display: block;
        font-weight: 500;
        line-height: 20px;
      }

      .texts small {
        display: block;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .even .texts b,
      .even .texts small {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
      }

      .even .texts b:not(:only-child),
      .even .texts small {
        -webkit-line-clamp: 1;
      }

      .mark {
        flex: none;
        display: grid;
        place-items: center;
        inline-size: 22px;
        block-size: 22px;
        border: 1.5px solid var(--line-strong);
        border-radius: 50%;
      }

      .several .mark {
        border-radius: 6px;
      }

      /* A tick is drawn only where it is meant: forced colours would show one that is merely transparent. */
      .mark svg {
        visibility: hidden;
        inline-size: 16px;
        block-size: 16px;
        stroke-width: 2.25;
      }

      [aria-selected="true"] .mark {
        border-color: var(--brand-edge);
        background: var(--brand);
        color: var(--brand-text);
      }

      [aria-selected="true"] .mark svg {
        visibility: visible;
      }

      .nothing {
        position: absolute;
        inset: 0;
        display: grid;
        place-items: center;
        margin: 0;
        color: var(--quiet);
        pointer-events: none;
      }

      @container (max-height: 320px) {
        .search {
          padding-block-end: 4px;
        }

        .search .input {
          block-size: 40px;
        }

        .list {
          border-block: 0;
          scroll-padding: inherit;
        }

        .list:not(.even) {
          overflow: visible;
        }

        .even {
          max-block-size: 128px;
        }
      }

      @media (forced-colors: active) {
        [aria-selected="true"] .mark {
          ${markedColours}
        }
      }
    `,
  ];

  declare query: string;
  /** The row that the keys are at, -1 for none. */
  declare active: number;
  declare chosen: ReadonlySet<Option>;
  /** The first row drawn, where not all are. */
  declare first: number;
  declare isKeyed: boolean;

  #titles: string[] = [];
  #folded: string[] | null = null;
  #found: readonly number[] = [];
  #typed = "";
  #typedAt = 0;
  #height = 0;

  constructor() {
    super();
    this.query = "";
    this.active = -1;
    this.chosen = new Set();
    this.first = 0;
    this.isKeyed = false;
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>(".input, .list")?.focus(options);
  }

  get #isMulti(): boolean {
    return this.dialog.type === "multi-select";
  }

  get #hasSearch(): boolean {
    return this.dialog.options.length >= SEARCH_FROM;
  }

  get #isEven(): boolean {
    return this.dialog.options.length > ALL_UP_TO;
  }

  get #row(): number {
    return this.#isTall ? TALL_ROW : ROW;
  }

  #isTall = false;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("dialog")) {
      const { options } = this.dialog;
      this.#titles = options.map((option) => plain(option.title));
      this.#isTall = options.some((option) => option.subtitle || option.image);
      this.#folded = null;
      this.chosen = new Set();
    }
    // Fewer rows must not make the panel jump under the finger: from the first letter on the list keeps its height. Not from
    // the start, when the sheet has not found its place yet.
    const list = this.#list;
    if (list?.clientHeight && changed.has("query") && !list.style.flexBasis) list.style.flexBasis = `${list.offsetHeight}px`;
    if (changed.has("dialog") || changed.has("query")) this.#found = this.#matching();
  }

  #matching(): readonly number[] {
    const { options } = this.dialog;
    if (!this.query.trim()) return options.map((_, index) => index);
    this.#folded ??= options.map((option, index) => folded(`${this.#titles[index]} ${plain(option.subtitle ?? "")}`));
    return search(this.#folded, this.query);
  }

  override render() {
    const { words } = this;
    const label = plain(this.dialog.title) || words.options;
    const active = this.#found[this.active];
    const activeId = active === undefined ? nothing : `option-${active}`;
    return html`
      ${
        this.#hasSearch
          ? html`<div class="part search">
              <input
                class="input"
                type="search"
                role="combobox"
                aria-expanded="true"
                aria-controls="list"
                aria-autocomplete="list"
                aria-activedescendant=${activeId}
                aria-label=${words.search}
                placeholder=${words.search}
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                enterkeyhint="done"
                @input=${this.#searched}
                @keydown=${this.#pressed}
              />
              <span class="unseen" role="status">${this.query ? fill(words.found, { n: figures(this.#found.length, this.locale) }) : nothing}</span>
            </div>`
          : nothing
      }
      <div class="room">
        <div
          id="list"
          class="list ${this.#isMulti ? "several" : ""} ${this.#isEven ? "even" : ""} ${this.#isEven && this.#isTall ? "tall" : ""}"
          role="listbox"
          tabindex=${this.#hasSearch ? "-1" : "0"}
          aria-label=${label}
          aria-multiselectable=${this.#isMulti ? "true" : nothing}
          aria-activedescendant=${this.#hasSearch ? nothing : activeId}
          @keydown=${this.#hasSearch ? nothing : this.#pressed}
          @focus=${this.#hasSearch ? nothing : this.#focused}
          @scroll=${this.#isEven ? this.#scrolled : nothing}
        >
          ${this.#rows()}
        </div>
        ${this.#found.length ? nothing : html`<p class="nothing">${words.notFound}</p>`}
      </div>
      <div class="foot">
        <button type="button" class="act" ?disabled=${!this.chosen.size} @click=${this.#submit}>
          <span dir="auto">${plain(this.dialog.buttonText) || words.submit}</span>
          ${
            this.#isMulti && this.chosen.size
              ? html`<span class="count" aria-label=${fill(words.chosen, { n: figures(this.chosen.size, this.locale) })}>${figures(this.chosen.size, this.locale)}</span>`
              : nothing
          }
        </button>
      </div>
    `;
  }

  #rows() {
    const count = this.#found.length;
    const [from, to] = this.#isEven ? [this.first, Math.min(count, this.first + this.#visible)] : [0, count];
    const space = (rows: number) => html`<div role="presentation" .style=${`block-size:${rows * this.#row}px`}></div>`;
    const rows = this.#found.slice(from, to).map((index, at) => this.#option(index, from + at));
    return this.#isEven ? html`${space(from)}${rows}${space(count - to)}` : rows;
  }

  #option(index: number, place: number) {
    const option = this.dialog.options[index] as Option;
    const image = imageSource(option.image);
    return html`<div
      id=${`option-${index}`}
      class="option ${place === this.active && this.isKeyed ? "active" : ""}"
      role="option"
      aria-selected=${this.chosen.has(option) ? "true" : "false"}
      aria-setsize=${this.#found.length}
      aria-posinset=${place + 1}
      @pointerdown=${this.#keepFocus}
      @click=${(event: MouseEvent) => this.#clicked(option, place, event)}
    >
      ${image ? html`<img src=${image} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${leaveOut} />` : nothing}
      <span class="texts">
        <b class="titled" dir="auto">${title(option.title)}</b>${option.subtitle ? html`<small class="titled" dir="auto">${plain(option.subtitle)}</small>` : nothing}
      </span>
      <span class="mark" aria-hidden="true">${tick}</span>
    </div>`;
  }

  // -- many rows

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector(".list");
  }

  get #visible(): number {
    return Math.ceil((this.#height || 480) / this.#row) + 2 * BEYOND;
  }

  #scrolled(event: Event): void {
    const { scrollTop, clientHeight } = event.target as HTMLElement;
    this.#height = clientHeight;
    this.first = Math.max(0, Math.floor(scrollTop / this.#row) - BEYOND);
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    const list = this.#list;
    if (!list) return;
    if (changed.has("query") && changed.get("query") !== undefined) list.scrollTop = 0;
    if (changed.has("active") && this.active >= 0) this.#show(list);
  }

  /** Scrolls the active row into sight, also where it is not drawn yet. */
  #show(list: HTMLElement): void {
    const drawn = list.querySelector<HTMLElement>(`#option-${this.#found[this.active]}`);
    if (!this.#isEven) return drawn?.scrollIntoView({ block: "nearest" });
    const top = this.active * this.#row;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + this.#row > list.scrollTop + list.clientHeight - 8) list.scrollTop = top + this.#row + 8 - list.clientHeight;
  }

  // -- acting

  /** Who comes by keys sees where they are. */
  #focused(event: FocusEvent): void {
    if (this.active < 0) this.active = 0;
    this.isKeyed = (event.target as HTMLElement).matches(":focus-visible");
  }

  #searched(event: Event): void {
    this.query = (event.target as HTMLInputElement).value;
    this.first = 0;
    this.active = this.query.trim() ? 0 : -1;
    this.isKeyed = this.active === 0;
  }

  /** A click on a row leaves the focus where it is: in the search field, or on the list. */
  #keepFocus(event: PointerEvent): void {
    if (event.pointerType === "mouse") event.preventDefault();
  }

  #clicked(option: Option, place: number, event: MouseEvent): void {
    this.active = place;
    this.isKeyed = false;
    if (event.detail === 2 && !this.#isMulti && this.chosen.has(option)) this.#submit(event);
    else this.#toggle(option);
  }

  #toggle(option: Option): void {
    if (!this.#isMulti) {
      this.chosen = new Set([option]);
      return;
    }
    const chosen = new Set(this.chosen);
    if (!chosen.delete(option)) chosen.add(option);
    this.chosen = chosen;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey) return;
    const last = this.#found.length - 1;
    const page = Math.max(1, Math.floor((this.#list?.clientHeight ?? 0) / this.#row) - 1);
    const isInText = this.#hasSearch && this.query !== "" && !event.ctrlKey && !event.metaKey;
    const moves: Record<string, number | undefined> = {
      ArrowDown: this.active === last ? 0 : this.active + 1,
      ArrowUp: this.active <= 0 ? last : this.active - 1,
      PageDown: Math.min(last, this.active + page),
      PageUp: Math.max(0, this.active - page),
      // In a text they move its caret.
      Home: isInText ? undefined : 0,
      End: isInText ? undefined : last,
    };
    const option = this.dialog.options[this.#found[this.active] ?? -1];
    if (moves[event.key] !== undefined) {
      if (last < 0) return;
      this.active = moves[event.key] as number;
      this.isKeyed = true;
    } else if (event.key === "Enter") {
      if ((event.ctrlKey || event.metaKey) && this.chosen.size) this.#submit(event);
      else if (option) this.#entered(option, event);
    } else if (event.key === " " && !this.#hasSearch) {
      if (option) this.#toggle(option);
    } else if (event.key.length === 1 && !this.#hasSearch && !event.ctrlKey && !event.metaKey) this.#typeAhead(event.key, event.timeStamp);
    else return;
    event.preventDefault();
  }

  #entered(option: Option, event: KeyboardEvent): void {
    this.#toggle(option);
    if (!this.#isMulti) this.#submit(event);
  }

  #typeAhead(letter: string, at: number): void {
    this.#typed = at - this.#typedAt > TYPED_FOR ? letter : this.#typed + letter;
    this.#typedAt = at;
    const typed = folded(this.#typed);
    // The same letter again and again walks through what begins with it.
    const isRepeated = [...typed].every((one) => one === typed[0]);
    const wanted = isRepeated ? typed.slice(0, 1) : typed;
    const from = isRepeated ? this.active + 1 : Math.max(0, this.active);
    const order = this.#titles.map((_, index) => (from + index) % this.#titles.length);
    const found = order.find((index) => folded(this.#titles[index] ?? "").startsWith(wanted));
    if (found === undefined || !wanted) return;
    this.active = found;
    this.isKeyed = true;
  }

  #submit(event: Event): void {
    const isByKey = event instanceof KeyboardEvent || (event as MouseEvent).detail === 0;
    // In the order shown, not the order tapped.
    const options = this.dialog.options.filter((option) => this.chosen.has(option));
    const shown = options.map((option) => plain(option.title)).join(", ");
    const keys = options.flatMap((option) => option.key ?? []);
    const values = options.map((option) => option.value ?? option.title);
    const hasKeys = keys.length === options.length;
    if (!options.length) return;
    if (this.#isMulti) this.hand({ option: hasKeys ? { keys } : { value: values } }, shown, isByKey);
    else this.hand({ option: hasKeys ? { key: keys[0] as string } : { value: values[0] } }, shown, isByKey);
  }
}
