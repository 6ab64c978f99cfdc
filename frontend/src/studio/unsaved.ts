// <studio-unsaved>: asks once what becomes of changes that are not saved, before another bot's files take their place.

import { html, LitElement, nothing } from "lit";
import { base } from "../view/tokens";
import { saveOrMerge } from "./save-or-merge";
import { controls, dialogs, text } from "./shared-styles";
import { words } from "./words";
import type { Workspace } from "./workspace";

export class StudioUnsaved extends LitElement {
  static override properties = { name: { state: true }, problem: { state: true } };

  static override styles = [base, controls, text, dialogs];

  declare name: string;
  declare problem: string;
  #workspace: Workspace | null = null;
  #answer: ((isFree: boolean) => void) | null = null;

  constructor() {
    super();
    this.name = this.problem = "";
  }

  /** Returns whether the changes are saved or dropped now; false: the author stays with them. */
  async ask(name: string, workspace: Workspace): Promise<boolean> {
    this.#end(false);
    this.name = name;
    this.problem = "";
    this.#workspace = workspace;
    await this.updateComplete;
    const answered = new Promise<boolean>((answer) => (this.#answer = answer));
    this.#dialog?.showModal();
    return answered;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  #end(isFree: boolean): void {
    this.#answer?.(isFree);
    this.#answer = null;
    this.#dialog?.close();
  }

  // The event comes a moment after the closing: the next question may be open by then.
  #closed(): void {
    if (!this.#dialog?.open) this.#end(false);
  }

  #drop = (): void => {
    this.#workspace?.drop();
    this.#end(true);
  };

  #save = async (): Promise<void> => {
    try {
      if (this.#workspace && !(await saveOrMerge(this.#workspace, this.renderRoot))) this.problem = words.notDecided;
      else this.#end(true);
    } catch (error) {
      this.problem = (error as Error).message;
    }
  };

  override render() {
    return html`<dialog aria-labelledby="title" @close=${this.#closed}>
      <h2 id="title">${words.unsavedTitle(this.name)}</h2>
      <p>${words.unsavedHelp}</p>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : nothing}
      <div class="acts">
        <button type="button" class="button" @click=${() => this.#end(false)}>${words.stay}</button>
        <button type="button" class="button grave" @click=${this.#drop}>${words.dropChanges}</button>
        <button type="button" class="button main" autofocus @click=${this.#save}>${words.saveChanges}</button>
      </div>
    </dialog>`;
  }
}
