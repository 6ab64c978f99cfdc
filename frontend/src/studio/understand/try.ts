// <understand-try>: a sentence, and all that it may mean to the files as they are typed.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { text } from "../shared-styles";
import type { Workspace } from "../workspace";
import { type Candidate, type Readings, Understanding } from "./api";
import { percent, words } from "./words";

/** Milliseconds without a key after which the sentence is tried. */
const TRY_AFTER_MS = 250;

export class UnderstandTry extends LitElement {
  static override properties = {
    api: { attribute: false },
    workspace: { attribute: false },
    bot: {},
    files: { attribute: false },
    said: { state: true },
    found: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };

  static override styles = [
    base,
    text,
    css`
      :host {
        display: block;
        padding: 10px 16px;
        border-block-end: 1px solid var(--line);
      }

      input {
        inline-size: 100%;
        min-block-size: 36px;
        padding: 5px 12px;
        border: 1px solid var(--line-strong);
        border-radius: 9px;
        background: var(--surface);
        color: var(--text);
        font: inherit;
      }

      ul {
        display: grid;
        gap: 1px;
        max-block-size: 30vh;
        margin: 8px 0 0;
        padding: 0;
        overflow: auto;
        list-style: none;
        font-size: 13px;
      }

      li {
        display: grid;
        grid-template-columns: minmax(120px, 1.2fr) minmax(60px, 1fr) 44px minmax(120px, 1.4fr);
        gap: 2px 12px;
        align-items: center;
        min-block-size: 28px;
      }

      .what {
        overflow-wrap: anywhere;
      }

      .track {
        inline-size: 100%;
        block-size: 8px;
        border-radius: 4px;
        background: var(--raised);
        fill: var(--line-strong);
      }

      .understood .track {
        fill: var(--brand);
      }

      .number {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }

      .understood .what {
        font-weight: 600;
      }

      mark {
        background: color-mix(in oklab, transparent, var(--brand) 22%);
        color: inherit;
        border-radius: 3px;
      }

      p {
        margin-block-start: 6px;
        font-size: 13px;
      }

      .bad {
        color: var(--danger);
      }

      @media (pointer: coarse) {
        input {
          min-block-size: 44px;
          font-size: 16px;
        }
      }

      @media (max-width: 719px) {
        li {
          grid-template-columns: minmax(0, 1fr) 44px;
          padding-block: 4px;
        }

        .track {
          grid-column: 1 / -1;
          grid-row: 2;
        }
      }
    `,
  ];

  declare api: Api;
  declare workspace: Workspace;
  declare bot: string;
  /** What the workspace has; another object when something changed. */
  declare files: unknown;
  declare said: string;
  declare found: Readings | null;
  declare problem: string;
  declare isBusy: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor() {
    super();
    this.bot = this.said = this.problem = "";
    this.found = null;
    this.isBusy = false;
  }

  override focus(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#asking.abort();
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has("bot")) {
      this.said = "";
      this.#soon();
    } else if (changes.has("files")) this.#soon();
  }

  #soon(): void {
    clearTimeout(this.#timer);
    if (this.said.trim()) this.#timer = setTimeout(() => void this.#try(), TRY_AFTER_MS);
    else {
      this.#asking.abort();
      this.found = null;
      this.problem = "";
      this.isBusy = false;
    }
  }

  async #try(): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    this.isBusy = true;
    try {
      const found = await new Understanding(this.api, this.bot, signal).tryText(this.said, this.workspace.changed());
      if (signal.aborted) return;
      this.found = found;
      this.problem = "";
    } catch (error) {
      if (signal.aborted) return;
      this.found = null;
      this.problem = (error as Error).message;
    }
    this.isBusy = false;
  }

  override render() {
    const { found } = this;
    return html`<input
        aria-label=${words.tryLabel}
        placeholder=${words.tryHelp}
        autocomplete="off"
        maxlength="2000"
        .value=${this.said}
        @input=${(event: InputEvent) => {
          this.said = (event.target as HTMLInputElement).value;
          this.#soon();
        }}
      />
      <div role="status">
        ${found?.seenAs && this.said ? html`<p class="quiet">${words.seenAs(found.seenAs)}</p>` : nothing}
        ${this.problem ? html`<p class="bad">${this.problem}</p>` : nothing}
        ${found && this.said
          ? found.candidates.length
            ? html`<ul tabindex="0" aria-label=${words.candidates}>${found.candidates.map((one) => this.#row(one))}</ul><p class="quiet">${words.threshold(percent(found.threshold), percent(found.margin))}</p>`
            : html`<p class="quiet">${words.nothingRead}</p>`
          : this.isBusy
            ? html`<p class="quiet">${words.trying}</p>`
            : nothing}
      </div>`;
  }

  #row(one: Candidate) {
    const why = [words.standing[one.standing], one.lostTo ? words.lostTo(one.standing === "covered" ? one.lostTo[0] : shown(one.lostTo[1])) : "", one.isAsked ? "" : words.notAsked].filter(Boolean).join(" · ");
    return html`<li class=${one.standing}>
      <span class="what">${one.type} · ${shown(one.value)}${one.text.length < [...this.said.trim()].length ? html` <mark>${one.text}</mark>` : nothing}</span>
      <svg class="track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width=${Math.max(1, 100 * one.confidence)} height="8" /></svg>
      <span class="number">${percent(one.confidence)}</span>
      <span class="quiet">${why}</span>
    </li>`;
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
