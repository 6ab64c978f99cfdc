// <studio-new-token>: asks for a name and rights, makes the token and shows it. The browser's own modal dialog keeps the
// focus inside, closes on Esc and gives the focus back.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { failureNotice } from "../notice";
import { controls, dialogs, text } from "../shared-styles";
import { words } from "./words";

const SCOPES = ["read", "erase"] as const;

/** A token was made: the list is no longer whole. */
export class MadeEvent extends Event {
  constructor() {
    super("studio-made", { bubbles: true, composed: true });
  }
}

export class StudioNewToken extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    label: { state: true },
    scopes: { state: true },
    token: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    dialogs,
    css`
      label.field {
        display: block;
        margin-block-start: 16px;
        font-weight: 500;
      }

      input[type="text"] {
        display: block;
        inline-size: 100%;
        min-block-size: 36px;
        margin-block-start: 6px;
        padding: 6px 10px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        font-size: 14px;
      }

      @media (pointer: coarse) {
        /* Smaller, and phones zoom into the field. */
        input[type="text"] {
          font-size: 16px;
        }
      }

      fieldset {
        margin-block-start: 16px;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0 0 4px;
        font-weight: 500;
      }

      .right {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 0 10px;
        padding-block: 6px;
        cursor: pointer;
      }

      .right input {
        inline-size: 16px;
        block-size: 16px;
        margin: 2px 0 0;
        accent-color: var(--brand);
      }

      .right span {
        display: block;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .token {
        display: block;
        margin-block-start: 16px;
        padding: 12px;
        border: 1px solid var(--brand-line);
        border-radius: 8px;
        background: var(--brand-quiet);
        color: var(--text);
        font-size: 14px;
        user-select: all;
        word-break: break-all;
      }

      .wrong:empty {
        display: none;
      }
    `,
  ];

  declare api: Api;
  declare bot: string;
  declare label: string;
  declare scopes: readonly string[];
  declare token: string;
  declare problem: string;
  declare isBusy: boolean;
  /** Counts the forms, opened or closed. */
  #opened = 0;

  constructor() {
    super();
    this.bot = "";
    this.#clear();
  }

  #clear(): void {
    this.#opened += 1;
    this.label = this.token = this.problem = "";
    this.scopes = ["read"];
    this.isBusy = false;
  }

  open(): void {
    this.#clear();
    this.#dialog?.showModal();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("input")?.focus());
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  get #isReady(): boolean {
    return this.label.trim() !== "" && this.scopes.length > 0 && !this.isBusy;
  }

  #choose(scope: string, isChosen: boolean): void {
    this.scopes = SCOPES.filter((one) => (one === scope ? isChosen : this.scopes.includes(one)));
  }

  async #make(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.#isReady) return;
    const form = this.#opened;
    this.isBusy = true;
    this.problem = "";
    try {
      const token = await this.api.make(this.bot, this.label.trim(), this.scopes);
      this.dispatchEvent(new MadeEvent());
      // Behind a closed form nobody waits for it; the list has it.
      if (form !== this.#opened) return;
      this.token = token;
    } catch (error) {
      if (form !== this.#opened) return void this.dispatchEvent(failureNotice(error));
      this.problem = (error as Error).message;
    }
    this.isBusy = false;
    await this.updateComplete;
    if (this.token) this.renderRoot.querySelector<HTMLElement>("studio-copy")?.focus();
  }

  /** Esc as well: nothing of the token stays behind. The event comes a moment later: a new form may be open already. */
  #closed(): void {
    if (!this.#dialog?.open) this.#clear();
  }

  override render() {
    return html`<dialog aria-labelledby="title" @close=${this.#closed}>${this.token ? this.#made() : this.#form()}</dialog>`;
  }

  #form() {
    return html`<form @submit=${this.#make}>
      <h2 id="title">${words.newTitle}</h2>
      <label class="field">
        ${words.name}
        <input
          type="text"
          maxlength="80"
          autocomplete="off"
          placeholder=${words.namePlaceholder}
          .value=${this.label}
          @input=${(event: InputEvent) => {
            this.label = (event.target as HTMLInputElement).value;
          }}
        />
      </label>
      <fieldset>
        <legend>${words.itMay}</legend>
        ${SCOPES.map(
          (scope) =>
            html`<label class="right">
              <input
                type="checkbox"
                .checked=${this.scopes.includes(scope)}
                @change=${(event: Event) => this.#choose(scope, (event.target as HTMLInputElement).checked)}
              />
              <div>${words.rights[scope][0]}<span>${words.rights[scope][1]}</span></div>
            </label>`,
        )}
      </fieldset>
      <p class="wrong" role="alert">${this.problem || nothing}</p>
      <div class="acts">
        <button type="button" class="button" @click=${() => this.#dialog?.close()}>${words.cancel}</button>
        <button type="submit" class="button main" ?disabled=${!this.#isReady}>${this.isBusy ? words.making : words.make}</button>
      </div>
    </form>`;
  }

  #made() {
    return html`<h2 id="title">${words.made}</h2>
      <p class="quiet">${words.madeHelp}</p>
      <code class="token">${this.token}</code>
      <div class="acts">
        <button type="button" class="button" @click=${() => this.#dialog?.close()}>${words.done}</button>
        <studio-copy main .text=${this.token} what=${words.theNewToken}></studio-copy>
      </div>`;
  }
}
