// <studio-new-bot>: asks what a new bot starts from, its name, id and language, and makes it.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { BotsChangedEvent, GoEvent, TryEvent } from "../events";
import { NoticeEvent } from "../notice";
import { FIRST_ROOM } from "../rooms";
import { controls, fields, text } from "../shared-styles";
import { language } from "../words";
import { makeBot } from "./api";
import { words } from "./words";

/** The languages that have texts, which the build knows. */
declare const LANGUAGES: readonly string[];

export const STARTS = ["appointment", "shop", "questions", "blank"] as const;

export class StudioNewBot extends LitElement {
  static override properties = {
    api: { attribute: false },
    start: { state: true },
    name: { state: true },
    typedId: { state: true },
    speaks: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    fields,
    css`
      :host {
        display: block;
      }

      fieldset {
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0 0 6px;
        font-size: 13px;
        font-weight: 500;
      }

      .starts {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(240px, 100%), 1fr));
        gap: 8px;
      }

      .start {
        position: relative;
        display: block;
        padding: 12px 14px;
        border: 1px solid var(--line);
        border-radius: 10px;
        cursor: pointer;
      }

      .start input {
        position: absolute;
        inset: 0;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }

      .start:has(:checked) {
        border-color: var(--brand-line);
        background: var(--brand-quiet);
      }

      .start:has(:focus-visible) {
        outline: 2px solid var(--focus);
        outline-offset: 2px;
      }

      .start strong {
        display: block;
        font-weight: 600;
      }

      .start span {
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(180px, 1fr));
        gap: 12px;
        margin-block-start: 16px;
      }

      .help,
      .wrong {
        margin-block-start: 6px;
        font-size: 13px;
        line-height: 18px;
      }

      .wrong {
        color: var(--danger);
      }

      .acts {
        display: flex;
        justify-content: flex-end;
        gap: 8px;
        margin-block-start: 16px;
      }
    `,
  ];

  declare api: Api;
  declare start: (typeof STARTS)[number];
  declare name: string;
  /** The id as it was typed; empty: it follows the name. */
  declare typedId: string;
  /** The bot's language. */
  declare speaks: string;
  declare isBusy: boolean;
  declare problem: string;

  constructor() {
    super();
    this.start = "appointment";
    this.name = this.typedId = this.problem = "";
    this.speaks = language;
    this.isBusy = false;
  }

  get #id(): string {
    return this.typedId || idOf(this.name) || (this.name.trim() && "bot");
  }

  override render() {
    return html`<form @submit=${this.#make}>
      <fieldset>
        <legend>${words.start}</legend>
        <div class="starts">
          ${STARTS.map(
            (start) =>
              html`<label class="start">
                <input type="radio" name="start" value=${start} .checked=${this.start === start} @change=${() => (this.start = start)} />
                <strong>${words.starts[start]?.[0]}</strong><span>${words.starts[start]?.[1]}</span>
              </label>`,
          )}
        </div>
      </fieldset>
      <div class="fields">
        <label class="field"
          >${words.name}
          <input type="text" name="name" maxlength="80" autocomplete="off" required placeholder=${words.namePlaceholder} .value=${this.name} @input=${(event: InputEvent) => (this.name = valueOf(event))} />
        </label>
        <label class="field"
          >${words.id}
          <input
            type="text"
            name="id"
            maxlength="64"
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="id-help"
            .value=${this.#id}
            @input=${(event: InputEvent) => (this.typedId = valueOf(event))}
          />
        </label>
        ${this.start === "blank" ? this.#languages() : nothing}
      </div>
      <p class="quiet help" id="id-help">${words.idHelp}</p>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : nothing}
      <div class="acts">
        <slot name="cancel"></slot>
        <button type="submit" class="button main" ?disabled=${!this.#id || !this.name.trim() || this.isBusy}>${this.isBusy ? words.making : words.make}</button>
      </div>
    </form>`;
  }

  /** The examples have the language in which their texts are written. */
  #languages() {
    const names = new Intl.DisplayNames([language], { type: "language" });
    return html`<label class="field"
          >${words.language}
          <select name="language" @change=${(event: Event) => (this.speaks = (event.target as HTMLSelectElement).value)}>
            ${LANGUAGES.map((one) => html`<option value=${one} .selected=${one === this.speaks}>${names.of(one)}</option>`)}
          </select>
        </label>`;
  }

  async #make(event: Event): Promise<void> {
    event.preventDefault();
    const id = this.#id;
    const name = this.name.trim();
    if (!id || !name || this.isBusy) return;
    this.isBusy = true;
    this.problem = "";
    try {
      await makeBot(this.api, { id, name, language: this.speaks, start: this.start });
    } catch (error) {
      this.problem = (error as Error).message;
      return;
    } finally {
      this.isBusy = false;
    }
    this.dispatchEvent(new NoticeEvent(words.made(name)));
    this.dispatchEvent(new BotsChangedEvent());
    this.dispatchEvent(new GoEvent({ bot: id, room: FIRST_ROOM }));
    this.dispatchEvent(new TryEvent(null));
  }
}

/** An id made of a name: letters without accents, hyphens for the rest. */
export function idOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
}

const valueOf = (event: InputEvent): string => (event.target as HTMLInputElement).value;
