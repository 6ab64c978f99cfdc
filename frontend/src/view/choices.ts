// What can be chosen under the bot's newest message: quick replies as pills, and the way into a dialog: a button that opens
// it, or the cards themselves. Hands over what was chosen; drawing the conversation is not its business.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Dialog, Option } from "../protocol/wire";
import type { Words } from "../texts";
import { buttons } from "./buttons";
import { ChooseEvent } from "./choose-event";
import { backward, calendar, clip, forward, list, pin } from "./icons";
import { leaveOut } from "./images";
import { imageSource } from "./links";
import { plain, title } from "./markdown";
import type { DialogsPart } from "./lazy-dialogs";
import { base } from "./tokens";

/** The dialog is to be opened, from this button. */
export class OpenEvent extends Event {
  constructor(readonly anchor: HTMLElement) {
    super("dialoom-open", { bubbles: true, composed: true });
  }
}

/** A file is to be chosen. */
export class AskFileEvent extends Event {
  constructor() {
    super("dialoom-ask-file", { bubbles: true, composed: true });
  }
}

const PICTURES: Readonly<Record<string, unknown>> = { "date-picker": calendar, "location-picker": pin };

export class DialoomChoices extends LitElement {
  static override properties = {
    replies: { attribute: false },
    dialog: { attribute: false },
    words: { attribute: false },
    language: {},
    wantsFile: { type: Boolean },
    isOpen: { type: Boolean },
    dialogs: { attribute: false },
    isBroken: { type: Boolean },
    isBusy: { type: Boolean },
  };

  static override styles = [
    base,
    buttons,
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
        min-block-size: var(--target);
        padding: 8px 16px;
        border: 1px solid var(--brand-line);
        border-radius: 22px;
        background: none;
        color: var(--brand-ink);
        font-weight: 500;
        text-align: start;
        line-height: 22px;
        overflow-wrap: anywhere;
        transition: background var(--quick) var(--ease);
      }

      @media (hover: hover) {
        .pill:hover {
          background: var(--brand-quiet);
        }

        .pill.confirm:hover {
          background: var(--brand-hover);
        }

        .system:hover {
          background: var(--raised);
          color: var(--text);
        }
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

      /* What confirms is the button of the question; what stands beside it corrects. */
      .confirm {
        border-color: var(--brand-edge);
        background: var(--brand);
        color: var(--brand-text);
      }

      .pill.confirm:active {
        background: var(--brand-hover);
      }

      @media (forced-colors: active) {
        .pill.confirm {
          forced-color-adjust: none;
          border-color: Highlight;
          background: Highlight;
          color: HighlightText;
        }
      }

      [aria-busy="true"] {
        opacity: 0.55;
        transition: opacity 0s 350ms;
      }

      .system.next {
        padding-inline-end: 8px;
      }

      .system.previous {
        padding-inline-start: 8px;
      }

      .system svg {
        inline-size: 18px;
        block-size: 18px;
      }

      .confirm,
      .confirm:hover {
        border-color: var(--brand);
        background: var(--brand);
        color: var(--brand-text);
      }

      /* What cannot be taken back. */
      .danger,
      .danger:hover,
      .pill.danger:active {
        border-color: var(--danger);
        background: var(--danger);
        color: var(--surface);
      }

      @media (forced-colors: active) {
        .pill.danger {
          border-width: 3px;
        }
      }

      .act {
        align-self: flex-start;
        text-align: start;
      }

      .act svg {
        flex: none;
        margin-inline-start: -4px;
      }

      .hint {
        margin: 0;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .again {
        padding: 0;
        border: 0;
        background: none;
        color: var(--brand-ink);
        font-weight: 500;
        text-decoration: underline;
        text-underline-offset: 2px;
      }

      .coming {
        block-size: 120px;
        max-inline-size: 320px;
        border-radius: 16px;
        background: var(--raised);
      }
    `,
  ];

  declare replies: readonly Option[];
  declare dialog: Dialog | null;
  declare words: Words;
  declare language: string;
  /** The question is answered by a file. */
  declare wantsFile: boolean;
  /** The dialog is open. */
  declare isOpen: boolean;
  /** The dialogs' own code, once it is here. */
  declare dialogs: DialogsPart | null;
  /** It could not be loaded. */
  declare isBroken: boolean;
  /** Another page of the replies is on its way. */
  declare isBusy: boolean;
  #hasPaged = false;

  constructor() {
    super();
    this.replies = [];
    this.dialog = null;
    this.language = "en";
    this.wantsFile = this.isOpen = this.isBroken = this.isBusy = false;
    this.dialogs = null;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("replies") || !this.#hasPaged) return;
    // Read from its beginning; without this the focus would stay with whatever stands where the button stood.
    this.#hasPaged = false;
    this.renderRoot.querySelector<HTMLElement>(".pill")?.focus({ preventScroll: true });
  }

  override render() {
    return html`
      ${this.dialog ? this.#dialog(this.dialog) : nothing} ${this.wantsFile ? this.#file() : nothing}
      ${this.replies.length ? this.#pills() : nothing}
    `;
  }

  #pills(): TemplateResult {
    return html`<div class="pills" role="group" aria-label=${this.words.replies} aria-busy=${this.isBusy ? "true" : "false"} @keydown=${this.#arrow}>
      ${this.replies.map((option) => this.#pill(option))}
    </div>`;
  }

  #pill(option: Option): TemplateResult {
    const image = imageSource(option.image);
    const kind = option.system ? `system directed ${option.system}` : (option.role ?? "");
    return html`<button type="button" class="pill ${kind}" @click=${(event: MouseEvent) => this.#pick(option, event)}>
      ${option.system === "previous" ? backward : nothing}
      ${image ? html`<img src=${image} alt="" loading="lazy" referrerpolicy="no-referrer" @error=${leaveOut} />` : nothing}
      <span dir="auto">${title(option.title)}</span>
      ${option.system === "next" ? forward : nothing}
    </button>`;
  }

  #dialog(dialog: Dialog): unknown {
    const { words } = this;
    if (this.isBroken)
      return html`<p class="hint" role="alert">
        ${words.notLoaded} <button type="button" class="again" @click=${this.#open}>${words.tryAgain}</button>
      </p>`;
    // Its card stands in the log, where it stays.
    if (dialog.type === "login") return nothing;
    // Cards stand in the chat themselves; all other dialogs open from a button.
    if (dialog.type === "carousel") {
      const drawn = this.dialogs?.panel(dialog, words, this.language);
      return html`<div class="inline">${drawn ?? html`<div class="coming"></div>`}</div>`;
    }
    // Something that this page does not know and that offers nothing to choose can only be answered in words.
    if (!dialog.options.length && !(dialog.type in PICTURES)) return html`<p class="hint">${words.typeAnswer}</p>`;
    return html`<button
      type="button"
      class="act"
      aria-haspopup="dialog"
      aria-expanded=${this.isOpen ? "true" : "false"}
      @click=${this.#open}
    >
      ${PICTURES[dialog.type] ?? list}<span dir="auto">${plain(dialog.title) || words.options}</span>
    </button>`;
  }

  #file(): TemplateResult {
    return html`<button type="button" class="act" @click=${() => this.dispatchEvent(new AskFileEvent())}>
      ${clip}<span>${this.words.attach}</span>
    </button>`;
  }

  #open(event: MouseEvent): void {
    this.dispatchEvent(new OpenEvent(event.currentTarget as HTMLElement));
  }

  #pick(option: Option, event: MouseEvent): void {
    if (this.isBusy) return;
    const choice = option.key ? { key: option.key } : { value: option.value ?? option.title };
    this.#hasPaged = option.system !== undefined;
    this.dispatchEvent(new ChooseEvent({ option: choice }, plain(option.title), event.detail === 0));
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
