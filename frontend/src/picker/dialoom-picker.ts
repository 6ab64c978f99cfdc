// <dialoom-picker>: the bot's question and its dialog; then a word of thanks and the way back to the chat. The card around
// it, and the question for a browser without script, are the page's own.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { define as defineDialogs, panel } from "../dialogs";
import { directionOf, languageOfWords, loadWords, type Words, wordsFor } from "../texts";
import { buttons } from "../view/buttons";
import type { ChooseEvent } from "../view/choose-event";
import { tick } from "../view/icons";
import { chatTarget } from "../view/links";
import { markdown } from "../view/markdown";
import { prose } from "../view/prose";
import { base, tokens } from "../view/tokens";
import { answer, ask, isOver, places, type Question } from "./question";

type State = "loading" | "asking" | "sending" | "done" | "over" | "failed";

/** A wait that is shorter needs no sign. */
const TELL_AFTER = 300;

export class DialoomPicker extends LitElement {
  static override properties = {
    language: {},
    address: {},
    back: {},
    state: { state: true },
    question: { state: true },
    isUnsent: { state: true },
    isLate: { state: true },
  };

  static override styles = [
    tokens,
    base,
    buttons,
    prose,
    css`
      :host,
      .body {
        display: flex;
        flex-direction: column;
        min-block-size: 0;
      }

      .dialog {
        display: flex;
        flex-direction: column;
        min-block-size: 0;
        overflow-y: auto;
      }

      .dialog > * {
        min-block-size: 0;
      }

      /* The page scrolls as a whole then: a button that stayed in sight would leave no row beside it. */
      @media (max-height: 420px) {
        .dialog {
          --foot: static;
          overflow: clip visible;
        }
      }

      .dialog > dialoom-carousel {
        flex: none;
        padding-block-end: 16px;
        padding-inline-start: 14px;
      }

      .sending {
        opacity: 0.55;
        pointer-events: none;
      }

      .end {
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: 16px;
        padding: 24px 24px 32px;
        text-align: center;
      }

      .end p {
        margin: 0;
        max-inline-size: 36ch;
        text-wrap: balance;
      }

      .end p:focus {
        outline: none;
      }

      .sign {
        display: grid;
        place-items: center;
        inline-size: 48px;
        block-size: 48px;
        border-radius: 50%;
        background: var(--brand-quiet);
        color: var(--brand-ink);
      }

      .sign svg {
        inline-size: 24px;
        block-size: 24px;
      }

      .go {
        min-block-size: 44px;
      }

      .wrong {
        flex: none;
        margin: 0;
        padding: 12px 16px;
        color: var(--danger);
        font-size: 14px;
      }

      .waiting {
        block-size: 160px;
        margin: 16px;
        border-radius: 12px;
        background: var(--raised);
      }
    `,
  ];

  /** The bot's, as far as the page knows it. */
  declare language: string;
  /** The ticket's address; the page's own. */
  declare address: string;
  /** The chat's address, where the page knows it. */
  declare back: string;
  declare state: State;
  declare question: Question | null;
  /** The last answer did not get through. */
  declare isUnsent: boolean;
  declare isLate: boolean;
  /** The question as the service has drawn it into the page. */
  #drawn = "";
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.language = "en";
    this.back = "";
    this.address = location.pathname.replace(/\/+$/, "");
    this.state = "loading";
    this.question = null;
    this.isUnsent = this.isLate = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#drawn ||= this.textContent?.trim() ?? "";
    this.replaceChildren();
  }

  protected override firstUpdated(): void {
    void this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#late);
  }

  async #ask(): Promise<void> {
    this.state = "loading";
    this.#late = setTimeout(() => {
      this.isLate = true;
    }, TELL_AFTER);
    try {
      const question = await ask(this.address, (url, init) => fetch(url, init));
      await loadWords(question.bot.language);
      this.question = question;
      this.state = "asking";
    } catch (error) {
      this.state = isOver(error) ? "over" : "failed";
    }
    clearTimeout(this.#late);
  }

  async #choose(event: ChooseEvent): Promise<void> {
    if (this.state !== "asking") return;
    this.state = "sending";
    this.isUnsent = false;
    try {
      await answer(this.address, event.content, (url, init) => fetch(url, init));
      this.state = "done";
    } catch (error) {
      this.isUnsent = !isOver(error);
      this.state = this.isUnsent ? "asking" : "over";
    }
    await this.updateComplete;
    // The button that had the focus is gone; what came of it is what matters now.
    this.renderRoot.querySelector<HTMLElement>(".end p")?.focus();
  }

  get #language(): string {
    return this.question?.bot.language || this.language;
  }

  override render() {
    const language = this.#language;
    const words = wordsFor(language);
    return html`<div
      class="body"
      lang=${languageOfWords(language)}
      dir=${directionOf(language)}
      aria-busy=${this.state === "loading" || this.state === "sending" ? "true" : "false"}
    >
      ${this.#body(words, language)}
    </div>`;
  }

  #body(words: Words, language: string): unknown {
    const { state, question } = this;
    if (state === "done" || state === "over" || state === "failed") return this.#end(words);
    if (!question) return html`${this.#text(this.#drawn, language)}<div class="waiting" ?hidden=${!this.isLate}></div>`;
    return html`${this.#text(question.text || question.dialog.title, language)}
      <div role="alert">${this.isUnsent ? html`<p class="wrong">${words.unsent}</p>` : nothing}</div>
      <div class="dialog ${state}" ?inert=${state === "sending"} @dialoom-choose=${this.#choose}>
        ${panel(question.dialog, words, question.locale, (query) => places(this.address, query, (url, init) => fetch(url, init)))}
      </div>`;
  }

  #text(text: string, language: string): unknown {
    return text ? html`<div class="prose" part="text" dir="auto" lang=${language}>${markdown(text)}</div>` : nothing;
  }

  #end(words: Words): TemplateResult {
    const target = chatTarget(this.back);
    const back = target ? html`<a class="act go" href=${target}>${words.back}</a>` : nothing;
    if (this.state === "done")
      return html`<div class="end">
        <span class="sign">${tick}</span>
        <p tabindex="-1" role="status">${words.pickDone}</p>
        ${back}
      </div>`;
    if (this.state === "over")
      return html`<div class="end">
        <p tabindex="-1" role="status">${words.pickOver}</p>
        ${back}
      </div>`;
    return html`<div class="end">
      <p role="alert">${words.notLoaded}</p>
      <button type="button" class="act go" @click=${this.#ask}>${words.tryAgain}</button>
    </div>`;
  }
}

export function define(): void {
  defineDialogs();
  if (!customElements.get("dialoom-picker")) customElements.define("dialoom-picker", DialoomPicker);
}
