// <understand-types>: the values of one type with their expressions, as a table that is edited.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import { bin } from "../build/step-icons";
import type { TemplateEvent } from "../build/template-field";
import type { Candidate } from "../build/template-names";
import { plus } from "../icons";
import { controls, text } from "../shared-styles";
import { tables } from "./styles";
import type { EntityType, Value } from "./training";
import { words } from "./words";

export type TypeEdit =
  | { readonly kind: "expressions" | "answers"; readonly index: number; readonly lines: readonly string[]; readonly group: string }
  | { readonly kind: "name"; readonly index: number; readonly value: string }
  | { readonly kind: "add"; readonly value: string }
  | { readonly kind: "pattern"; readonly value: string }
  | { readonly kind: "remove"; readonly index: number };

export class TypeEditEvent extends Event {
  constructor(readonly edit: TypeEdit) {
    super("understand-edit");
  }
}

export class UnderstandTypes extends LitElement {
  static override properties = { type: { attribute: false }, slots: { attribute: false }, open: { state: true }, problem: { state: true } };

  static override styles = [
    base,
    controls,
    text,
    tables,
    css`
      :host {
        display: block;
      }

      tbody td.number {
        padding-block-start: 8px;
      }

      th:nth-child(2) {
        padding-inline-start: 17px;
      }

      .remove:not(:hover, :focus-visible) {
        color: var(--quiet);
      }

      tbody td:first-child {
        inline-size: 30%;
        min-inline-size: 168px;
        padding-inline-start: 8px;
      }

      td:first-child .input {
        inline-size: 100%;
        font-weight: 500;
      }

      .list {
        display: block;
        inline-size: 100%;
        min-block-size: 30px;
        padding: 4px 8px;
        border: 1px solid transparent;
        border-radius: 7px;
        background: none;
        color: inherit;
        font: inherit;
        text-align: start;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        max-inline-size: 100%;
      }

      .cell {
        inline-size: 60%;
        max-inline-size: 0;
      }

      @media (hover: hover) {
        .list:hover {
          border-color: var(--line);
        }
      }

      textarea {
        display: block;
        inline-size: 100%;
        padding: 5px 8px;
        border: 1px solid var(--line-strong);
        border-radius: 7px;
        background: var(--surface);
        color: inherit;
        font: inherit;
        field-sizing: content;
        min-block-size: 84px;
        max-block-size: 50vh;
        resize: vertical;
      }

      form {
        display: flex;
        gap: 8px;
        padding: 10px 16px 48px;
      }

      form .input {
        flex: 0 1 260px;
        border-color: var(--line-strong);
      }

      .pattern {
        inline-size: min(420px, 70%);
        margin-inline-start: 8px;
        border-color: var(--line-strong);
        color: var(--text);
        font-family: ui-monospace, monospace;
      }

      .wrong {
        padding: 6px 16px;
        color: var(--danger);
        font-size: 13px;
      }

      .heading {
        padding: 6px 8px 2px;
        color: var(--quiet);
        font-size: 12px;
      }

      .note {
        padding: 10px 16px;
        color: var(--quiet);
        font-size: 13px;
      }
    `,
  ];

  declare type: EntityType;
  /** What a slot of an expression can be for; null where values have no expressions. */
  declare slots: readonly Candidate[] | null;
  /** Index of the value whose expressions are edited; -1: none. */
  declare open: number;
  declare problem: string;
  /** The text that is being typed, with the empty lines and spaces that no expression has. */
  #typed: { readonly group: string; readonly text: string } | null = null;

  constructor() {
    super();
    this.open = -1;
    this.problem = "";
    this.slots = null;
  }

  protected override willUpdate(changes: PropertyValues): void {
    const before = changes.get("type") as EntityType | undefined;
    if (before && before.name !== this.type.name) {
      this.open = -1;
      this.problem = "";
    }
  }

  /** The first text that is edited of the open value. */
  get #field(): HTMLElement | null {
    return this.renderRoot.querySelector("build-template, textarea");
  }

  #edit(edit: TypeEdit): void {
    this.dispatchEvent(new TypeEditEvent(edit));
  }

  /** Opens the expressions of a value. */
  async show(value: string): Promise<void> {
    await this.updateComplete;
    const index = this.type.values.findIndex((one) => one.value === value);
    if (index >= 0) await this.#openRow(index);
    this.#field?.scrollIntoView({ block: "center" });
  }

  async #openRow(index: number): Promise<void> {
    this.open = index;
    await this.updateComplete;
    await (this.#field as LitElement | null)?.updateComplete;
    this.#field?.focus();
  }

  #isTaken(name: string, but = -1): boolean {
    return this.type.values.some(({ value }, index) => index !== but && value === name);
  }

  #rename(index: number, input: HTMLInputElement): void {
    const name = input.value.trim();
    const old = this.type.values[index]?.value ?? "";
    if (name === old) return;
    this.problem = name && this.#isTaken(name, index) ? words.nameTaken : "";
    if (!name || this.problem) input.value = old;
    else this.#edit({ kind: "name", index, value: name });
  }

  #setPattern = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    if (input.value) this.#edit({ kind: "pattern", value: input.value });
    else input.value = this.type.pattern;
  };

  #add(event: SubmitEvent): void {
    event.preventDefault();
    const input = (event.target as HTMLFormElement).elements.namedItem("name") as HTMLInputElement;
    const name = input.value.trim();
    if (!name) return input.focus();
    this.problem = this.#isTaken(name) ? words.nameTaken : "";
    if (this.problem) return;
    input.value = "";
    const index = this.type.values.length;
    this.#edit({ kind: "add", value: name });
    void this.#openRow(index);
  }

  override render() {
    const { type } = this;
    if (type.kind === "regex") return html`<p class="note"><label>${words.pattern} <input class="input pattern" spellcheck="false" autocomplete="off" .value=${type.pattern} @change=${this.#setPattern} /></label></p>`;
    const heading = type.kind === "keywords" ? words.synonyms : words.expressions;
    return html`<table>
        <thead>
          <tr><th scope="col">${words.value}</th><th scope="col">${heading}</th><th scope="col" class="number">#</th><td></td></tr>
        </thead>
        <tbody>
          ${type.values.map((value, index) => this.#row(value, index))}
        </tbody>
      </table>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : nothing}
      ${type.isDynamic ? html`<p class="note">${words.dynamic}</p>` : nothing}
      <form @submit=${this.#add}>
        <input class="input" name="name" aria-label=${words.newValue} placeholder=${words.newValue} autocomplete="off" maxlength="200" />
        <button class="button">${plus}${words.addValue}</button>
      </form>`;
  }

  #row({ value, expressions, answers }: Value, index: number) {
    const shown = expressions.length ? expressions.join(" · ") : words.none;
    const answered = answers.join(" · ");
    return html`<tr>
      <td><input class="input" aria-label=${words.nameOf(value)} .value=${value} @change=${(event: Event) => this.#rename(index, event.target as HTMLInputElement)} /></td>
      <td class="cell">
        ${index === this.open
          ? html`${this.#lines(words.onePerLine(value), "expressions", index, expressions)}${this.type.kind === "QnA" ? html`<p class="heading">${words.answers}</p>${this.#lines(words.answersOf(value), "answers", index, answers)}` : nothing}`
          : html`<button type="button" class="list ${expressions.length ? "" : "quiet"}" aria-label=${`${words.edit(value)}: ${shown} ${answered}`} @click=${() => void this.#openRow(index)}>
              ${shown}${answered ? html`<br /><span class="quiet">${answered}</span>` : nothing}
            </button>`}
      </td>
      <td class="number quiet">${expressions.length}</td>
      <td><button type="button" class="plain brief remove" aria-label=${words.remove(value)} title=${words.remove(value)} @click=${() => this.#edit({ kind: "remove", index })}>${bin}</button></td>
    </tr>`;
  }

  /** Texts, one a line; a text of several lines is edited in the file. */
  #lines(label: string, kind: "expressions" | "answers", index: number, texts: readonly string[]) {
    if (texts.some((one) => one.includes("\n"))) return html`<p class="note">${words.severalLines}</p>`;
    const group = `${this.type.name}/${index}/${kind}`;
    const type = (text: string) => {
      this.#typed = { group, text };
      const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
      this.#edit({ kind, index, lines: [...new Set(lines)], group });
    };
    const leave = () => {
      this.#typed = null;
      this.requestUpdate();
    };
    const shown = this.#typed?.group === group ? this.#typed.text : texts.join("\n");
    const close = (event: KeyboardEvent) => event.key === "Escape" && void this.#closeRow(event);
    if (kind === "expressions" && this.slots) {
      const typed = (event: TemplateEvent) => type(event.text);
      return html`<build-template .label=${label} .value=${shown} .slots=${this.slots} @build-template=${typed} @focusout=${leave} @keydown=${close}></build-template>`;
    }
    return html`<textarea
      aria-label=${label}
      spellcheck="true"
      .value=${shown}
      @input=${(event: Event) => type((event.target as HTMLTextAreaElement).value)}
      @blur=${leave}
      @keydown=${close}
    ></textarea>`;
  }

  async #closeRow(event: Event): Promise<void> {
    const { open } = this;
    (event.target as HTMLElement).blur();
    this.#typed = null;
    this.open = -1;
    await this.updateComplete;
    this.renderRoot.querySelectorAll<HTMLElement>(".list")[open]?.focus();
  }
}
