// <studio-filter>: the filter as controls, and the query that they make, which can be edited as one.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import { lens } from "../icons";
import { controls, text } from "../shared-styles";
import { ALL, type Choice, lineAt, offsetOf, placeOf, type Query, read, written } from "./filter";
import { fields } from "./styles";
import { words } from "./words";

/** The filter is another: a choice of the controls, or a query of the author's own. */
export class FilterEvent extends Event {
  constructor(
    readonly choice: Choice,
    readonly own: Query | null,
  ) {
    super("studio-filter", { bubbles: true, composed: true });
  }
}

/** What the service finds wrong with a query, and the JSON pointer of the part. */
export interface Refusal {
  readonly message: string;
  readonly pointer: string;
}

const SEARCH_AFTER = 400;

export class StudioFilter extends LitElement {
  static override properties = {
    choice: { attribute: false },
    own: { attribute: false },
    query: { attribute: false },
    channels: { attribute: false },
    versions: { attribute: false },
    active: {},
    refusal: { attribute: false },
    isSearching: { type: Boolean },
    isOpen: { state: true },
    draft: { state: true },
    wrong: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    fields,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        align-items: center;
      }

      .search {
        position: relative;
        flex: 1 1 140px;
        min-inline-size: 140px;
        max-inline-size: 320px;
      }

      .search svg {
        position: absolute;
        inset-block-start: 8px;
        inset-inline-start: 9px;
        color: var(--quiet);
        pointer-events: none;
      }

      .search input {
        inline-size: 100%;
        padding-inline-start: 30px;
      }

      select {
        max-inline-size: 132px;
      }

      .own {
        display: inline-flex;
        align-items: center;
        min-block-size: 32px;
        padding-inline: 10px;
        border-radius: 8px;
        background: var(--brand-quiet);
        color: var(--brand-ink);
        font-size: 13px;
        font-weight: 500;
      }

      .editor {
        margin-block-start: 10px;
        padding: 12px;
        border: 1px solid var(--line);
        border-radius: 10px;
        background: var(--panel);
      }

      textarea {
        display: block;
        inline-size: 100%;
        min-block-size: 88px;
        max-block-size: 40vh;
        padding: 8px 10px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        color: var(--text);
        font: 12.5px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
        resize: vertical;
      }

      textarea[aria-invalid="true"] {
        border-color: var(--danger);
      }

      .editor p {
        margin-block-end: 8px;
        font-size: 13px;
      }

      .editor .wrong {
        margin-block: 8px 0;
        color: var(--danger);
        overflow-wrap: anywhere;
      }

      .editor .row {
        margin-block-start: 8px;
      }

      @container (max-width: 519px) {
        .row > .search {
          flex-basis: 100%;
          max-inline-size: none;
        }

        .row > select {
          flex: 1 1 40%;
          max-inline-size: none;
        }
      }

      @media (pointer: coarse) {
        .search svg {
          inset-block-start: 12px;
        }
      }
    `,
  ];

  declare choice: Choice;
  declare own: Query | null;
  declare query: Query;
  declare channels: readonly string[];
  declare versions: readonly string[];
  /** The id of the active version, or how it begins. */
  declare active: string;
  declare refusal: Refusal | null;
  declare isSearching: boolean;
  declare isOpen: boolean;
  /** What is written and not applied yet. */
  declare draft: string | null;
  declare wrong: { readonly message: string; readonly start: number; readonly end: number } | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWriting = false;

  constructor() {
    super();
    this.choice = ALL;
    this.own = this.refusal = this.draft = this.wrong = null;
    this.query = {};
    this.channels = this.versions = [];
    this.active = "";
    this.isSearching = this.isOpen = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    // What is written since the filter was chosen is not applied yet.
    if (changed.has("query") && !this.refusal && !this.#isWriting) this.draft = this.wrong = null;
    if (!changed.has("refusal") || !this.refusal) return;
    this.isOpen = true;
    const shown = this.draft ?? written(this.query);
    this.#tell(this.refusal.message, placeOf(shown, this.refusal.pointer));
  }

  #tell(message: string, { start, end }: { start: number; end: number }): void {
    this.wrong = { message, start, end };
    void this.updateComplete.then(() => {
      const area = this.renderRoot.querySelector("textarea");
      area?.focus();
      area?.setSelectionRange(start, end);
    });
  }

  #choose(more: Partial<Choice>): void {
    clearTimeout(this.#timer);
    this.#isWriting = false;
    this.dispatchEvent(new FilterEvent({ ...this.choice, ...more }, null));
  }

  #search = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#choose({ text: value }), SEARCH_AFTER);
  };

  #apply = (): void => {
    const shown = this.draft ?? written(this.query);
    try {
      const own = read(shown);
      this.wrong = null;
      this.#isWriting = false;
      this.dispatchEvent(new FilterEvent(this.choice, own));
    } catch (error) {
      if (error instanceof TypeError) {
        this.#tell(words.noObject, { start: 0, end: shown.length });
        return;
      }
      const offset = offsetOf(error as SyntaxError, shown);
      this.#tell(words.noJson(""), offset === null ? { start: 0, end: shown.length } : { start: offset, end: Math.min(offset + 1, shown.length) });
    }
  };

  override render() {
    const { choice } = this;
    return html`<div class="row" role="group" aria-label=${words.filters}>
        ${this.own ? this.#own() : this.#controls(choice)}
        <button type="button" class="plain" aria-expanded=${this.isOpen ? "true" : "false"} @click=${() => (this.isOpen = !this.isOpen)}>
          <code aria-hidden="true">{ }</code>${words.query}
        </button>
      </div>
      ${this.isOpen ? this.#editor() : nothing}`;
  }

  #own() {
    return html`<span class="own">${words.own}</span>
      <button type="button" class="plain" @click=${() => this.#choose(ALL)}>${words.toControls}</button>`;
  }

  #controls(choice: Choice) {
    return html`<span class="search">
        ${lens}
        <input type="search" maxlength="200" aria-label=${words.search} placeholder=${words.find} .value=${choice.text} aria-busy=${this.isSearching ? "true" : "false"} @input=${this.#search} @change=${(event: Event) => this.#choose({ text: (event.target as HTMLInputElement).value })} />
      </span>
      ${this.#select(words.period, choice.period, Object.entries(words.periods), (period) => this.#choose({ period }))}
      ${this.#select(words.state, choice.state, Object.entries(words.states), (state) => this.#choose({ state }))}
      ${this.#select(words.channel, choice.channel, [["", words.anyChannel], ...named(this.channels, choice.channel)], (channel) => this.#choose({ channel }))}
      ${this.#select(words.version, choice.version, this.#versions(choice.version), (version) => this.#choose({ version }))}
      ${this.#toggle(words.missed, choice.missed, (missed) => this.#choose({ missed }))}
      ${this.#toggle(words.failed, choice.failed, (failed) => this.#choose({ failed }))}`;
  }

  #versions(chosen: string): [string, string][] {
    const isActive = (id: string) => this.active !== "" && id.startsWith(this.active);
    const titled = named(this.versions, chosen).map(([id]): [string, string] => [id, isActive(id) ? words.activeVersion(id.slice(0, 7)) : id.slice(0, 7)]);
    return [["", words.anyVersion], ...titled];
  }

  #select(label: string, value: string, options: readonly (readonly [string, string])[], choose: (value: string) => void) {
    return html`<select aria-label=${label} class=${value ? "on" : ""} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${options.map(([id, title]) => html`<option value=${id} ?selected=${id === value}>${title}</option>`)}
    </select>`;
  }

  #toggle(label: string, isOn: boolean, choose: (isOn: boolean) => void) {
    return html`<button type="button" class="toggle" aria-pressed=${isOn ? "true" : "false"} @click=${() => choose(!isOn)}>${label}</button>`;
  }

  #editor() {
    const shown = this.draft ?? written(this.query);
    const { wrong } = this;
    const apply = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#apply();
    };
    return html`<div class="editor">
      <p class="quiet" id="help">${words.queryHelp}</p>
      <textarea
        spellcheck="false"
        aria-label=${words.query}
        aria-describedby="help wrong"
        aria-invalid=${wrong ? "true" : "false"}
        .value=${shown}
        @input=${(event: Event) => {
          this.draft = (event.target as HTMLTextAreaElement).value;
          this.wrong = null;
          this.#isWriting = true;
        }}
        @keydown=${apply}
      ></textarea>
      <p class="wrong" id="wrong" role="alert">${wrong ? `${words.at(lineAt(shown, wrong.start))}${wrong.message}` : nothing}</p>
      <div class="row">
        <button type="button" class="button main" ?disabled=${this.draft === null} @click=${this.#apply}>${words.apply}</button>
      </div>
    </div>`;
  }
}

function named(ids: readonly string[], chosen: string): [string, string][] {
  return [...new Set(chosen ? [...ids, chosen] : ids)].map((id) => [id, id]);
}
