// <studio-copy>: a button that copies, says that it did, and asks for what it copies where that is a secret.

import { html, LitElement, nothing } from "lit";
import { base } from "../view/tokens";
import { copy } from "./copy";
import { copySheets, done } from "./icons";
import { controls } from "./shared-styles";
import { failureNotice } from "./notice";
import { words } from "./words";

const SAID_FOR = 2000;

export class StudioCopy extends LitElement {
  static override properties = {
    text: { attribute: false },
    what: {},
    isMain: { type: Boolean, attribute: "main" },
    isBrief: { type: Boolean, attribute: "brief" },
    isDone: { state: true },
  };

  static override styles = [base, controls];

  /** What is copied, or who can be asked for it. */
  declare text: string | (() => Promise<string>);
  /** Of what it is, for those who do not see where it stands. */
  declare what: string;
  declare isMain: boolean;
  /** Only the picture, where it stands beside what it copies. */
  declare isBrief: boolean;
  declare isDone: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.text = "";
    this.what = "";
    this.isMain = this.isBrief = this.isDone = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override focus(): void {
    this.renderRoot.querySelector("button")?.focus();
  }

  async #copy(): Promise<void> {
    try {
      await copy(typeof this.text === "string" ? this.text : this.text(), this.renderRoot);
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
      return;
    }
    this.isDone = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.isDone = false;
    }, SAID_FOR);
  }

  override render() {
    const word = this.isDone ? words.copied : words.copy;
    const look = this.isMain ? "button main" : this.isBrief ? "plain brief" : "plain";
    return html`<button type="button" class=${look} aria-label=${words.copyWhat(this.what)} title=${this.isBrief ? word : nothing} @click=${this.#copy}>
        ${this.isDone ? done : copySheets}${this.isBrief ? nothing : word}
      </button>
      <span class="unseen" role="status">${this.isDone ? words.copiedWhat(this.what) : ""}</span>`;
  }
}
