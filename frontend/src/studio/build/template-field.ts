// <build-template>: a text area for a text with templates in it. After "{{" it offers the names of answers and helpers; where `slots` are
// given it is for expressions, and offers those after "{".

import { css, html, LitElement, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { base } from "../../view/tokens";
import { slotWordAt } from "./slot-names";
import { type Candidate, matching, type Names, NO_NAMES, templateWordAt } from "./template-names";

const MAX_OFFERED = 8;

/** The text was edited. */
export class TemplateEvent extends Event {
  constructor(readonly text: string) {
    super("build-template", { bubbles: true, composed: true });
  }
}

export class BuildTemplate extends LitElement {
  static override properties = {
    value: {},
    label: {},
    problem: {},
    names: { attribute: false },
    slots: { attribute: false },
    isCode: { attribute: false },
    isReadOnly: { attribute: false },
    offered: { state: true },
    at: { state: true },
  };

  static override styles = [
    base,
    css`
      :host {
        display: block;
        position: relative;
        min-inline-size: 0;
      }

      textarea {
        display: block;
        inline-size: 100%;
        min-block-size: 34px;
        max-block-size: 320px;
        padding: 6px 10px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        line-height: 20px;
        field-sizing: content;
        resize: none;
        overflow: auto;
        scrollbar-width: thin;
      }

      textarea.code {
        font: 12.5px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
      }

      textarea[aria-invalid="true"] {
        border-color: var(--danger);
      }

      textarea:focus {
        outline: 2px solid var(--focus);
        outline-offset: -1px;
        border-color: transparent;
      }

      .offers {
        position: absolute;
        inset: calc(100% + 4px) auto auto 0;
        z-index: 5;
        inline-size: min(100%, 420px);
        margin: 0;
        padding: 4px;
        border: 1px solid var(--line);
        border-radius: 10px;
        background: var(--panel);
        box-shadow: 0 8px 28px var(--shadow);
        list-style: none;
      }

      .offers li {
        display: flex;
        gap: 10px;
        align-items: baseline;
        padding: 5px 8px;
        border-radius: 6px;
        font-size: 13px;
        cursor: default;
        white-space: nowrap;
        overflow: hidden;
      }

      .offers li[aria-selected="true"] {
        background: var(--raised-hover);
      }

      .offers span {
        overflow: hidden;
        color: var(--quiet);
        font-size: 12px;
        text-overflow: ellipsis;
      }
    `,
  ];

  declare value: string;
  declare label: string;
  declare problem: string;
  declare names: Names;
  declare slots: readonly Candidate[] | null;
  declare isCode: boolean;
  declare isReadOnly: boolean;
  declare offered: readonly Candidate[];
  declare at: number;

  constructor() {
    super();
    this.value = this.label = this.problem = "";
    this.names = NO_NAMES;
    this.slots = null;
    this.isCode = this.isReadOnly = false;
    this.offered = [];
    this.at = 0;
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  override focus(): void {
    this.#area?.focus();
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    const area = this.#area;
    // Where the browser does not let a field grow by itself.
    if (!area || !changes.has("value") || CSS.supports("field-sizing", "content")) return;
    area.style.blockSize = "auto";
    area.style.blockSize = `${area.scrollHeight + 2}px`;
  }

  #wordIn(area: HTMLTextAreaElement): ReturnType<typeof templateWordAt> {
    return (this.slots ? slotWordAt : templateWordAt)(area.value, area.selectionStart);
  }

  #offer(): void {
    const area = this.#area;
    const found = area && area.selectionStart === area.selectionEnd ? this.#wordIn(area) : null;
    const offered = found ? matching(this.slots ?? this.names.templates, found.word).slice(0, MAX_OFFERED) : [];
    this.offered = offered.length === 1 && offered[0]?.name === found?.word ? [] : offered;
    this.at = 0;
  }

  #input(): void {
    this.#tell();
    this.#offer();
  }

  #tell(): void {
    const text = this.#area?.value ?? "";
    this.value = text;
    this.dispatchEvent(new TemplateEvent(text));
  }

  #take(candidate: Candidate): void {
    const area = this.#area;
    const found = area && this.#wordIn(area);
    if (!area || !found) return;
    const rest = area.value.slice(area.selectionStart);
    const isClosed = (this.slots ? /^[^{}\n]*\}/ : /^[^{]*\}\}/).test(rest);
    const isCall = candidate.kind === "helper";
    const block = found.word.startsWith("#") && !candidate.name.startsWith("#") ? "#" : "";
    const put = `${block}${candidate.name}${isCall ? " " : ""}${isClosed ? "" : this.slots ? "}" : "}}"}`;
    area.setRangeText(put, found.from, area.selectionStart, "end");
    const caret = found.from + put.length - (isClosed ? 0 : isCall ? 2 : 0);
    area.setSelectionRange(caret, caret);
    this.#tell();
    this.offered = [];
  }

  #key(event: KeyboardEvent): void {
    if (!this.offered.length) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const chosen = this.offered[this.at];
    if (by) this.at = (this.at + by + this.offered.length) % this.offered.length;
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && chosen) this.#take(chosen);
    else if (event.key === "Escape") this.offered = [];
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  override render() {
    const isOpen = this.offered.length > 0;
    return html`<textarea
        rows="1"
        class=${this.isCode ? "code" : ""}
        dir="auto"
        spellcheck=${this.isCode ? "false" : "true"}
        aria-label=${this.label}
        aria-invalid=${this.problem ? "true" : nothing}
        aria-description=${this.problem || nothing}
        aria-autocomplete="list"
        aria-controls=${isOpen ? "offers" : nothing}
        aria-activedescendant=${isOpen ? `offer-${this.at}` : nothing}
        ?readonly=${this.isReadOnly}
        .value=${live(this.value)}
        @input=${this.#input}
        @keydown=${this.#key}
        @blur=${() => (this.offered = [])}
      ></textarea>
      ${isOpen
        ? html`<ul id="offers" class="offers" role="listbox" aria-label=${this.label}>
            ${this.offered.map(
              (one, index) =>
                html`<li id="offer-${index}" role="option" aria-selected=${index === this.at ? "true" : "false"} @mousedown=${(event: Event) => (event.preventDefault(), this.#take(one))}>
                  <code>${one.name}</code><span>${one.info || one.detail}</span>
                </li>`,
            )}
          </ul>`
        : nothing}`;
  }
}
