// The field to write in: grows to five lines, Enter sends, Shift+Enter breaks the line, counts near the limit.

import { css, html, LitElement, nothing } from "lit";
import { fill, type Words } from "../texts";
import { arrowUp } from "./icons";
import { base } from "./tokens";

/** The service's limit, in characters as it counts them (code points). */
export const LONGEST = 8000;
const COUNT_FROM = 7600;

/** The event by which the field hands over a text. */
export class SayEvent extends Event {
  constructor(readonly text: string) {
    super("dialoom-say", { bubbles: true, composed: true });
  }
}

export class DialoomField extends LitElement {
  static override properties = {
    words: { attribute: false },
    placeholder: {},
    draft: { state: true },
  };

  static override styles = [
    base,
    css`
      :host {
        display: block;
      }

      form {
        display: flex;
        align-items: flex-end;
        gap: 4px;
        padding: 5px;
        border: 1px solid var(--line-strong);
        border-radius: 24px;
        background: var(--surface);
        transition: border-color var(--quick) var(--ease);
        cursor: text;
      }

      form:focus-within {
        border-color: var(--focus);
        outline: 1px solid var(--focus);
      }

      textarea {
        flex: 1;
        min-inline-size: 0;
        block-size: 36px;
        max-block-size: 124px;
        padding: 7px 4px 7px 12px;
        padding-inline: 12px 4px;
        border: 0;
        background: none;
        line-height: 22px;
        resize: none;
        overflow-y: auto;
        overscroll-behavior: contain;
        scrollbar-width: thin;
      }

      textarea:focus-visible {
        outline: none;
      }

      textarea::placeholder {
        color: var(--quiet);
        opacity: 1;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }

      /* Phones zoom into fields whose text is smaller. */
      @media (pointer: coarse) {
        textarea {
          font-size: 16px;
        }
      }

      button {
        flex: none;
        display: grid;
        place-items: center;
        inline-size: 36px;
        block-size: 36px;
        border: 0;
        border-radius: 50%;
        background: var(--brand);
        color: var(--brand-text);
        transition:
          background var(--quick) var(--ease),
          color var(--quick) var(--ease);
      }

      button:hover {
        background: var(--brand-hover);
      }

      button:disabled {
        background: var(--raised);
        color: var(--line-strong);
        cursor: default;
      }

      .count {
        margin: 6px 4px 0;
        color: var(--quiet);
        font-size: 12px;
        line-height: 16px;
        text-align: end;
        font-variant-numeric: tabular-nums;
      }

      .over {
        color: var(--danger);
        font-weight: 500;
      }
    `,
  ];

  declare words: Words;
  declare placeholder: string;
  declare draft: string;

  constructor() {
    super();
    this.placeholder = "";
    this.draft = "";
  }

  override focus(options?: FocusOptions): void {
    this.#area?.focus(options);
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector("textarea") ?? null;
  }

  override render() {
    const { words } = this;
    const length = this.draft.length < COUNT_FROM ? 0 : [...this.draft].length;
    const isOver = length > LONGEST;
    const label = this.placeholder || words.placeholder;
    const counts = length >= COUNT_FROM;
    return html`
      <form @submit=${this.#submit} @click=${this.#clicked}>
        <textarea
          rows="1"
          dir=${this.draft ? "auto" : nothing}
          aria-label=${label}
          placeholder=${label}
          autocomplete="off"
          enterkeyhint="send"
          aria-invalid=${isOver ? "true" : nothing}
          aria-describedby=${counts ? "count" : nothing}
          .value=${this.draft}
          @input=${this.#typed}
          @keydown=${this.#pressed}
        ></textarea>
        <button type="submit" aria-label=${words.send} title=${words.send} ?disabled=${!this.draft.trim() || isOver}>
          ${arrowUp}
        </button>
      </form>
      ${
        counts
          ? html`<p id="count" class="count ${isOver ? "over" : ""}" role=${isOver ? "alert" : nothing}>
              ${fill(isOver ? words.over : words.left, { n: Math.abs(LONGEST - length) })}
            </p>`
          : nothing
      }
    `;
  }

  override updated(): void {
    const area = this.#area;
    if (!area) return;
    // The height must fall before it can be measured, or the field would never shrink again.
    area.style.blockSize = "36px";
    area.style.blockSize = `${Math.min(124, area.scrollHeight)}px`;
  }

  #typed(event: Event): void {
    this.draft = (event.target as HTMLTextAreaElement).value;
  }

  #pressed(event: KeyboardEvent): void {
    // While an input method composes, Enter takes its suggestion; 229 is what Safari says of the last one.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#send();
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.#send();
    this.focus();
  }

  #clicked(event: Event): void {
    if (event.target === event.currentTarget) this.focus();
  }

  #send(): void {
    const text = this.draft.trim();
    if (!text || [...text].length > LONGEST) return;
    this.draft = "";
    this.dispatchEvent(new SayEvent(text));
  }
}
