// What can be chosen under the bot's newest message: quick replies as pills, a dialog's options as a plain list.
// Hands over what was chosen and goes away; drawing the conversation is not its business.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Content, Dialog, Option } from "../protocol/wire";
import type { Words } from "../texts";
import { backward, forward, outward } from "./icons";
import { imageSource, linkTarget } from "./links";
import { plain } from "./markdown";
import { base } from "./tokens";

/** The event by which a choice is handed over. `isByKey`: made on the keyboard, so that the focus needs a new place. */
export class ChooseEvent extends Event {
  constructor(
    readonly content: Content,
    readonly shown: string,
    readonly isByKey: boolean,
  ) {
    super("dialoom-choose", { bubbles: true, composed: true });
  }
}

export class DialoomChoices extends LitElement {
  static override properties = {
    replies: { attribute: false },
    dialog: { attribute: false },
    words: { attribute: false },
    chosen: { state: true },
  };

  static override styles = [
    base,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: 12px;
      }

      .pills {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }

      .pill {
        display: inline-flex;
        align-items: center;
        gap: 8px;
        max-inline-size: 100%;
        min-block-size: 40px;
        padding: 8px 16px;
        border: 1px solid var(--brand-line);
        border-radius: 20px;
        background: none;
        color: var(--brand-ink);
        font-weight: 500;
        text-align: start;
        line-height: 22px;
        overflow-wrap: anywhere;
        transition: background var(--quick) var(--ease);
      }

      .pill:hover {
        background: var(--brand-quiet);
      }

      .pill:active {
        background: var(--brand-quiet);
        border-color: var(--brand-ink);
      }

      .pill img {
        inline-size: 28px;
        block-size: 28px;
        margin-inline-start: -10px;
        border-radius: 50%;
        object-fit: cover;
      }

      .system {
        gap: 4px;
        padding-inline: 12px;
        border-color: transparent;
        color: var(--quiet);
        font-weight: 400;
      }

      .system.next {
        padding-inline-end: 8px;
      }

      .system.previous {
        padding-inline-start: 8px;
      }

      .system:hover {
        background: var(--raised);
        color: var(--text);
      }

      .system svg {
        inline-size: 18px;
        block-size: 18px;
      }

      .options {
        display: flex;
        flex-direction: column;
        max-inline-size: 440px;
        margin: 0;
        padding: 0;
        border: 1px solid var(--line);
        border-radius: 14px;
        overflow: hidden;
      }

      .option {
        display: flex;
        align-items: center;
        gap: 12px;
        inline-size: 100%;
        min-block-size: 48px;
        padding: 8px 16px;
        border: 0;
        background: none;
        text-align: start;
        cursor: pointer;
        transition: background var(--quick) var(--ease);
      }

      .option:focus-visible {
        outline-offset: -2px;
        border-radius: 14px;
      }

      .option + .option {
        border-block-start: 1px solid var(--line);
      }

      .option:hover {
        background: var(--raised);
      }

      .option img {
        flex: none;
        inline-size: 44px;
        block-size: 44px;
        border-radius: 8px;
        object-fit: cover;
      }

      .option .texts {
        flex: 1;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }

      .option b {
        display: block;
        font-weight: 500;
      }

      .option small {
        display: block;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .option > svg {
        flex: none;
        color: var(--quiet);
      }

      input[type="checkbox"] {
        flex: none;
        inline-size: 20px;
        block-size: 20px;
        margin: 0;
        accent-color: var(--brand);
      }

      .act {
        align-self: flex-start;
        display: inline-flex;
        align-items: center;
        gap: 8px;
        min-block-size: 40px;
        padding: 8px 20px;
        border: 0;
        border-radius: 20px;
        background: var(--brand);
        color: var(--brand-text);
        font-weight: 500;
        text-decoration: none;
      }

      .act:hover {
        background: var(--brand-hover);
      }

      .act:disabled {
        background: var(--raised);
        color: var(--quiet);
        cursor: default;
      }

      .day {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }

      .day input {
        min-block-size: 40px;
        padding-inline: 12px;
        border: 1px solid var(--line-strong);
        border-radius: 12px;
        background: var(--surface);
      }

      .hint {
        margin: 0;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }
    `,
  ];

  declare replies: readonly Option[];
  declare dialog: Dialog | null;
  declare words: Words;
  declare chosen: ReadonlySet<Option>;

  constructor() {
    super();
    this.replies = [];
    this.dialog = null;
    this.chosen = new Set();
  }

  override render() {
    return html`${this.dialog ? this.#dialog(this.dialog) : nothing} ${this.replies.length ? this.#pills() : nothing}`;
  }

  #pills(): TemplateResult {
    return html`<div class="pills" role="group" aria-label=${this.words.replies} @keydown=${this.#arrow}>
      ${this.replies.map((option) => this.#pill(option))}
    </div>`;
  }

  #pill(option: Option): TemplateResult {
    const title = plain(option.title);
    const image = imageSource(option.image);
    const system = option.system ? `system directed ${option.system}` : "";
    return html`<button type="button" class="pill ${system}" @click=${(event: MouseEvent) => this.#pick(option, event)}>
      ${option.system === "previous" ? backward : nothing}
      ${image ? html`<img src=${image} alt="" loading="lazy" referrerpolicy="no-referrer" />` : nothing}
      <span dir="auto">${title}</span>
      ${option.system === "next" ? forward : nothing}
    </button>`;
  }

  #dialog(dialog: Dialog): TemplateResult {
    switch (dialog.type) {
      case "login":
        return this.#login(dialog);
      case "date-picker":
        return this.#day(dialog);
      case "multi-select":
        return this.#several(dialog);
      default:
        return dialog.options.length ? this.#one(dialog) : html`<p class="hint">${this.words.typeAnswer}</p>`;
    }
  }

  #one(dialog: Dialog): TemplateResult {
    return html`<div class="options" role="group" aria-label=${plain(dialog.title) || this.words.options} @keydown=${this.#arrow}>
      ${dialog.options.map(
        (option) =>
          html`<button type="button" class="option directed" @click=${(event: MouseEvent) => this.#pick(option, event)}>
            ${this.#face(option)} ${forward}
          </button>`,
      )}
    </div>`;
  }

  #several(dialog: Dialog): TemplateResult {
    const title = plain(dialog.buttonText) || this.words.submit;
    const count = this.chosen.size;
    return html`<div class="options" role="group" aria-label=${plain(dialog.title) || this.words.options}>
        ${dialog.options.map(
          (option) =>
            html`<label class="option">
              ${this.#face(option)}
              <input
                type="checkbox"
                .checked=${this.chosen.has(option)}
                @change=${(event: Event) => this.#mark(option, event)}
              />
            </label>`,
        )}
      </div>
      <button type="button" class="act" ?disabled=${!count} @click=${this.#submit}>${title}${count ? ` (${count})` : ""}</button>`;
  }

  #day(dialog: Dialog): TemplateResult {
    const label = plain(dialog.title) || this.words.options;
    return html`<form class="day" @submit=${this.#submitDay}>
      <input type="date" name="day" required aria-label=${label} />
      <button class="act">${plain(dialog.buttonText) || this.words.submit}</button>
    </form>`;
  }

  #login(dialog: Dialog): TemplateResult {
    const target = linkTarget(dialog.url ?? "");
    const title = plain(dialog.buttonText) || plain(dialog.title);
    if (!dialog.url || target === null) return html`<p class="hint">${title || this.words.typeAnswer}</p>`;
    return html`<a class="act" href=${target} target="_blank" rel="noopener noreferrer">${title}${outward}</a>`;
  }

  #face(option: Option): TemplateResult {
    const image = imageSource(option.image);
    return html`${image ? html`<img src=${image} alt="" loading="lazy" referrerpolicy="no-referrer" />` : nothing}
      <span class="texts" dir="auto">
        <b>${plain(option.title)}</b>${option.subtitle ? html`<small>${plain(option.subtitle)}</small>` : nothing}
      </span>`;
  }

  #pick(option: Option, event: MouseEvent): void {
    const choice = option.key ? { key: option.key } : { value: option.value ?? option.title };
    this.#hand({ option: choice }, plain(option.title), event.detail === 0);
  }

  #mark(option: Option, event: Event): void {
    const chosen = new Set(this.chosen);
    if ((event.target as HTMLInputElement).checked) chosen.add(option);
    else chosen.delete(option);
    this.chosen = chosen;
  }

  #submit(event: MouseEvent): void {
    // In the order shown, not the order tapped.
    const options = this.dialog?.options.filter((option) => this.chosen.has(option)) ?? [];
    const shown = options.map((option) => plain(option.title)).join(", ");
    const keys = options.flatMap((option) => option.key ?? []);
    const isByKey = event.detail === 0;
    if (keys.length === options.length) this.#hand({ option: { keys } }, shown, isByKey);
    else this.#hand({ option: { value: options.map((option) => option.value) } }, shown, isByKey);
  }

  #submitDay(event: SubmitEvent): void {
    event.preventDefault();
    const day = new FormData(event.target as HTMLFormElement).get("day");
    if (typeof day === "string" && day) this.#hand({ option: { value: day } }, day, true);
  }

  #hand(content: Content, shown: string, isByKey: boolean): void {
    this.dispatchEvent(new ChooseEvent(content, shown, isByKey));
  }

  /** Arrow keys walk through the list, round its ends; Tab walks as everywhere. */
  #arrow(event: KeyboardEvent): void {
    const list = event.currentTarget as HTMLElement;
    const isRightToLeft = getComputedStyle(list).direction === "rtl";
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      ArrowRight: isRightToLeft ? -1 : 1,
      ArrowLeft: isRightToLeft ? 1 : -1,
    };
    const buttons = [...list.querySelectorAll("button")];
    const here = buttons.indexOf(event.target as HTMLButtonElement);
    const step = steps[event.key];
    const there = event.key === "Home" ? 0 : event.key === "End" ? buttons.length - 1 : here + (step ?? 0);
    if (here < 0 || there === here) return;
    event.preventDefault();
    buttons.at(there % buttons.length)?.focus();
  }
}
