// <studio-palette>: a field with a list (the combobox pattern of WAI-ARIA). The focus stays in the field; the arrow keys choose
// in the list, Enter goes there.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { lens } from "../icons";
import { dialogs } from "../shared-styles";
import { fold, lettersOf, matchFolded } from "./fuzzy";
import { words } from "./words";

export interface Entry {
  readonly kind: keyof typeof words.kind;
  readonly title: string;
  /** Also searched: the id, a wording. */
  readonly note?: string;
  run(): void;
}

interface Found {
  readonly entry: Entry;
  readonly score: number;
  readonly at: readonly number[];
}

/** More want another letter. */
const MAX_SHOWN = 40;

export class StudioPalette extends LitElement {
  static override properties = { entries: { attribute: false }, sought: { state: true }, chosen: { state: true } };

  static override styles = [
    base,
    dialogs,
    css`
      dialog {
        inline-size: min(600px, calc(100vw - 32px));
        margin-block-start: 12vh;
        padding: 0;
        overflow: hidden;
      }

      .field {
        display: flex;
        align-items: center;
        gap: 10px;
        padding: 4px 16px;
        border-block-end: 1px solid var(--line);
        color: var(--quiet);
      }

      input {
        flex: 1;
        min-inline-size: 0;
        min-block-size: 44px;
        border: 0;
        outline: 0;
        background: none;
        color: var(--text);
        font-size: 16px;
      }

      /* The field has the focus for as long as the dialog is open. */
      input:focus-visible {
        outline: 0;
      }

      ul {
        max-block-size: min(420px, 60vh);
        margin: 0;
        padding: 6px;
        overflow-y: auto;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        gap: 10px;
        min-block-size: 36px;
        padding: 4px 10px;
        border-radius: 7px;
        cursor: pointer;
      }

      li[aria-selected="true"] {
        background: var(--raised-hover);
      }

      .text {
        flex: 1;
        min-inline-size: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .note,
      .kind,
      .none {
        color: var(--quiet);
        font-size: 13px;
      }

      mark {
        background: none;
        color: inherit;
        font-weight: 700;
      }

      .none {
        padding: 20px 16px;
        text-align: center;
      }

      @media (pointer: coarse) {
        li {
          min-block-size: 44px;
        }
      }

      @media (forced-colors: active) {
        li[aria-selected="true"] {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  declare entries: readonly Entry[];
  declare sought: string;
  /** Place in the list. */
  declare chosen: number;
  /** Titles by letter and notes of the entries, without case and accents. */
  #folded: readonly { readonly title: readonly string[]; readonly note: string }[] = [];
  #found: readonly Found[] = [];

  constructor() {
    super();
    this.entries = [];
    this.sought = "";
    this.chosen = 0;
  }

  async open(entries: readonly Entry[]): Promise<void> {
    this.entries = entries;
    this.sought = "";
    this.chosen = 0;
    await this.updateComplete;
    if (!this.#dialog?.open) this.#dialog?.showModal();
    const field = this.renderRoot.querySelector("input");
    if (field) field.value = "";
    field?.focus();
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (!changes.has("entries")) return;
    this.#folded = this.entries.map(({ title, note }) => ({ title: [...fold(title)], note: fold(note ?? "") }));
    this.#found = this.#find();
  }

  #find(): readonly Found[] {
    const letters = lettersOf(this.sought);
    const whole = fold(this.sought.trim());
    const found = this.entries.flatMap((entry, index): Found[] => {
      const { title = [], note = "" } = this.#folded[index] ?? {};
      const inTitle = matchFolded(letters, title);
      if (inTitle) return [{ entry, ...inTitle }];
      // Beside the title only what was typed as it is, and after all that is found in titles: letters here and there are in any sentence.
      return note.includes(whole) && note ? [{ entry, score: -1, at: [] }] : [];
    });
    return (this.sought.trim() ? found.toSorted((one, other) => other.score - one.score) : found).slice(0, MAX_SHOWN);
  }

  override render() {
    const found = this.#found;
    return html`<dialog aria-label=${words.title} @click=${this.#clicked}>
      <div class="field">
        ${lens}
        <input
          type="text"
          role="combobox"
          aria-label=${words.title}
          aria-autocomplete="list"
          aria-expanded=${found.length ? "true" : "false"}
          aria-controls="found"
          aria-activedescendant=${found.length ? `found-${this.chosen}` : nothing}
          placeholder=${words.placeholder}
          autocomplete="off"
          spellcheck="false"
          @input=${this.#typed}
          @keydown=${this.#pressed}
        />
      </div>
      <ul id="found" role="listbox" aria-label=${words.results}>
        ${found.map((one, at) => this.#option(one, at))}
      </ul>
      ${found.length ? nothing : html`<p class="none">${words.none}</p>`}
      <span class="unseen" role="status">${this.sought ? words.found(found.length) : ""}</span>
    </dialog>`;
  }

  #option({ entry, at }: Found, place: number): TemplateResult {
    return html`<li id=${`found-${place}`} role="option" aria-selected=${place === this.chosen ? "true" : "false"} @click=${() => this.#run(entry)} @pointermove=${() => (this.chosen = place)}>
      <span class="text">${marked(entry.title, at)}${entry.note ? html` <span class="note">${entry.note}</span>` : nothing}</span>
      <span class="kind">${words.kind[entry.kind]}</span>
    </li>`;
  }

  #typed(event: InputEvent): void {
    this.sought = (event.target as HTMLInputElement).value;
    this.chosen = 0;
    this.#found = this.#find();
  }

  #pressed(event: KeyboardEvent): void {
    const found = this.#found;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      const entry = found[this.chosen]?.entry;
      if (entry) this.#run(entry);
    } else if (step && found.length) {
      event.preventDefault();
      this.chosen = (this.chosen + step + found.length) % found.length;
      void this.updateComplete.then(() => this.renderRoot.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" }));
    }
  }

  /** A click beside the dialog meets its backdrop, which is the dialog itself. */
  #clicked(event: MouseEvent): void {
    if (event.target === this.#dialog) this.#dialog?.close();
  }

  /** The dialog gives the focus back first: where the entry leads may want it. */
  #run(entry: Entry): void {
    this.#dialog?.close();
    entry.run();
  }
}

/** The text with the letters that were found marked. */
function marked(text: string, at: readonly number[]) {
  if (!at.length) return text;
  const found = new Set(at);
  return [...text].map((letter, index) => (found.has(index) ? html`<mark>${letter}</mark>` : letter));
}
