// <studio-ask>: asks once before something is done that is hard to take back, does it, and says why where it is refused.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../view/tokens";
import { failureNotice } from "./notice";
import { controls, dialogs, text } from "./shared-styles";

export interface Question {
  readonly title: string;
  readonly help: string;
  /** What it brings about, under a line that says what these are. */
  readonly effects?: { readonly title: string; readonly lines: readonly string[] };
  /** On the button that does it, and on the one that leaves all as it is. */
  readonly act: string;
  readonly stay: string;
  /** It cannot be undone. */
  readonly isGrave: boolean;
  readonly run: () => Promise<unknown>;
}

export class StudioAsk extends LitElement {
  static override properties = { question: { state: true }, problem: { state: true }, isBusy: { state: true } };

  static override styles = [
    base,
    controls,
    text,
    dialogs,
    css`
      .effects {
        max-block-size: 30vh;
        margin: 6px 0 0;
        padding-inline-start: 20px;
        overflow: auto;
        overflow-wrap: anywhere;
      }
    `,
  ];

  declare question: Question | null;
  declare problem: string;
  declare isBusy: boolean;
  #answer: ((isDone: boolean) => void) | null = null;

  constructor() {
    super();
    this.question = null;
    this.problem = "";
    this.isBusy = false;
  }

  /** Returns whether it was done, once the dialog is closed and the focus is back where it was. */
  async ask(question: Question): Promise<boolean> {
    this.#end(false);
    this.question = question;
    this.problem = "";
    const answered = new Promise<boolean>((answer) => (this.#answer = answer));
    if (!this.#dialog?.open) this.#dialog?.showModal();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".stay")?.focus();
    return answered;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  #end(isDone: boolean): void {
    this.#answer?.(isDone);
    this.#answer = null;
    this.#dialog?.close();
  }

  // The event comes a moment after the closing: the next question may be open by then.
  #closed(): void {
    if (this.#dialog?.open) return;
    this.#end(false);
    this.question = null;
  }

  /** What was begun goes on where the question is closed: its outcome is the answer then, too, and not the next question's. */
  async #run(question: Question): Promise<void> {
    const answer = this.#answer;
    this.#answer = null;
    this.isBusy = true;
    this.problem = "";
    const isAsked = () => this.question === question;
    try {
      await question.run();
      answer?.(true);
      if (isAsked()) this.#end(true);
    } catch (error) {
      if (isAsked()) {
        this.#answer = answer;
        this.problem = (error as Error).message;
      } else {
        answer?.(false);
        this.dispatchEvent(failureNotice(error));
      }
    } finally {
      this.isBusy = false;
    }
  }

  override render(): TemplateResult {
    const { question } = this;
    return html`<dialog aria-labelledby="ask" @close=${this.#closed}>
      ${question
        ? html`<h2 id="ask">${question.title}</h2>
            <p class="quiet">${question.help}</p>
            ${question.effects?.lines.length
              ? html`<p>${question.effects.title}</p>
                  <ul class="effects" tabindex="0" lang="en">
                    ${question.effects.lines.map((line) => html`<li>${line}</li>`)}
                  </ul>`
              : nothing}
            <p class="wrong" role="alert">${this.problem}</p>
            <div class="acts">
              <button type="button" class="button stay" @click=${() => this.#end(false)}>${question.stay}</button>
              <button type="button" class="button ${question.isGrave ? "grave" : "main"}" ?disabled=${this.isBusy} @click=${() => this.#run(question)}>${question.act}</button>
            </div>`
        : nothing}
    </dialog>`;
  }
}
