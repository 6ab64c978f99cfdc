// <build-conversation-dialog>: asks for a new conversation's name and kind, and asks before one is removed that others lead to.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import { controls, dialogs, text } from "../shared-styles";
import { keyOf, type Reference } from "./flow-actions";
import { formStyles } from "./form-styles";
import { words } from "./words";

type Question = { readonly kind: "new" } | { readonly kind: "remove"; readonly key: string; readonly references: readonly Reference[] };

export type Answer = { readonly kind: "new"; readonly name: string; readonly key: string; readonly isGoal: boolean } | { readonly kind: "remove"; readonly key: string };

/** The dialog's question was answered. */
export class AnswerEvent extends Event {
  constructor(readonly answer: Answer) {
    super("build-answer");
  }
}

export class BuildConversationDialog extends LitElement {
  static override properties = { question: { state: true }, name: { state: true }, taken: { attribute: false } };

  static override styles = [
    base,
    controls,
    text,
    dialogs,
    formStyles,
    css`
      :host {
        display: contents;
      }

      form {
        display: flex;
        flex-direction: column;
        gap: 14px;
      }

      ul {
        margin: 8px 0 0;
        padding-inline-start: 20px;
      }

      .end {
        display: flex;
        justify-content: end;
        gap: 8px;
        margin-block-start: 4px;
      }

      .kind {
        display: flex;
        gap: 8px;
        align-items: center;
        min-block-size: 28px;
        color: var(--text);
        font-size: 14px;
      }

      .kind input {
        flex: none;
        inline-size: 15px;
        block-size: 15px;
        margin: 0;
        accent-color: var(--brand);
      }

      @media (pointer: coarse) {
        .kind {
          min-block-size: 44px;
        }
      }
    `,
  ];

  declare question: Question | null;
  declare name: string;
  declare taken: readonly string[];

  constructor() {
    super();
    this.question = null;
    this.name = "";
    this.taken = [];
  }

  ask(question: Question): void {
    this.question = question;
    this.name = "";
    void this.updateComplete.then(() => this.#dialog?.showModal());
  }

  get #key(): string {
    return keyOf(this.name);
  }

  #answer(event: SubmitEvent): void {
    event.preventDefault();
    const answer = this.#answerOf(event.target as HTMLFormElement);
    if (!answer) return;
    this.#close();
    // Closing lays the page out anew: what the answer changes in a large flow is a task of its own.
    setTimeout(() => this.dispatchEvent(new AnswerEvent(answer)));
  }

  #answerOf(form: HTMLFormElement): Answer | null {
    const { question } = this;
    if (question?.kind === "remove") return { kind: "remove", key: question.key };
    if (!this.#key || this.taken.includes(this.#key)) return null;
    const isGoal = new FormData(form).get("kind") === "goal";
    return { kind: "new", name: this.name.trim(), key: this.#key, isGoal };
  }

  #close(): void {
    this.#dialog?.close();
  }

  // The event comes a moment after the closing: the next question may be open by then.
  #closed(): void {
    if (!this.#dialog?.open) this.question = null;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  override render() {
    const { question } = this;
    if (!question) return nothing;
    return html`<dialog aria-labelledby="title" @close=${this.#closed} @keydown=${(event: Event) => event.stopPropagation()}>
      <form @submit=${this.#answer}>${question.kind === "new" ? this.#new() : this.#remove(question)}</form>
    </dialog>`;
  }

  #new() {
    const isTaken = this.taken.includes(this.#key);
    return html`<h2 id="title">${words.newConversation}</h2>
      <div class="field">
        <label for="name">${words.conversationName}</label>
        <input id="name" required autocomplete="off" aria-invalid=${isTaken ? "true" : nothing} aria-describedby="about" .value=${this.name} @input=${(event: Event) => (this.name = (event.target as HTMLInputElement).value)} />
        <p id="about" class=${isTaken ? "bad" : "help"}>${isTaken ? words.keyTaken : this.#key ? html`${words.conversationKey}: <code>${this.#key}</code>` : " "}</p>
      </div>
      <div class="field" role="radiogroup" aria-label=${words.kind}>
        <label class="kind"><input type="radio" name="kind" value="goal" checked />${words.goal}</label>
        <label class="kind"><input type="radio" name="kind" value="support" />${words.supportKind}</label>
      </div>
      <div class="end">
        <button type="button" class="button" @click=${this.#close}>${words.cancel}</button>
        <button class="button main" ?disabled=${!this.#key || isTaken}>${words.create}</button>
      </div>`;
  }

  #remove({ key, references }: Question & { kind: "remove" }) {
    return html`<h2 id="title">${words.removeTitle(key)}</h2>
      <div>
        <p>${words.removeHelp(references.length)}</p>
        <ul>
          ${references.map(({ file, row }) => html`<li>${row ? html`<code>${row.conversation}/${(row.index ?? 0) + 1}</code>` : file === "training.json" ? words.inTraining : words.inSettings}</li>`)}
        </ul>
      </div>
      <div class="end">
        <button type="button" class="button" autofocus @click=${this.#close}>${words.cancel}</button>
        <button class="button grave">${words.remove}</button>
      </div>`;
  }
}
