// <dialoom-rating>: says that the conversation has ended, and asks how it was: a score from 1 to 5, and words if one likes.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import type { View } from "../chat/chat";
import { fill, type Words } from "../texts";
import { buttons } from "./buttons";
import { star } from "./icons";
import { base } from "./tokens";

const SCORES = [1, 2, 3, 4, 5];
const MAX_COMMENT_CHARS = 1000;

/** Rejects when it was not kept. */
type Rate = (conversation: string, score: number, comment: string) => Promise<void>;

/** Nothing while the conversation goes on, or once the user has something to say. */
export function drawRating({ ended, parcels }: Pick<View, "ended" | "parcels">, words: Words, rate: Rate): unknown {
  if (!ended || parcels.length) return nothing;
  return html`<dialoom-rating .conversation=${ended} .words=${words} .rate=${rate}></dialoom-rating>`;
}

export class DialoomRating extends LitElement {
  static override properties = {
    conversation: {},
    words: { attribute: false },
    rate: { attribute: false },
    score: { state: true },
    step: { state: true },
  };

  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
        margin-block-start: 24px;
        padding-block: 16px 4px;
        border-block-start: 1px solid var(--line);
        color: var(--quiet);
        text-align: center;
      }

      p,
      legend {
        margin: 0;
        padding: 0;
        font-size: 13px;
        line-height: 18px;
      }

      fieldset {
        margin: 8px 0 0;
        padding: 0;
        border: 0;
      }

      legend {
        inline-size: 100%;
        color: var(--text);
        font-weight: 500;
      }

      .scores {
        display: flex;
        justify-content: center;
      }

      label {
        position: relative;
        display: grid;
        place-items: center;
        inline-size: 44px;
        block-size: 44px;
      }

      input {
        position: absolute;
        inset: 0;
        margin: 0;
        border-radius: 12px;
        appearance: none;
      }

      label svg {
        inline-size: 26px;
        block-size: 26px;
        pointer-events: none;
      }

      .full {
        color: var(--brand-ink);
      }

      .full svg {
        fill: currentColor;
      }

      textarea {
        display: block;
        box-sizing: border-box;
        inline-size: min(100%, 360px);
        margin: 4px auto 12px;
        padding: 10px 12px;
        border: 1px solid var(--line-strong);
        border-radius: 12px;
        background: var(--panel);
        color: var(--text);
        font: inherit;
        resize: none;
      }

      .failed {
        margin-block-end: 8px;
        color: var(--danger);
      }

      /* Seen whole at 400 % zoom. */
      @media (max-height: 360px) {
        :host {
          margin-block-start: 4px;
          padding-block: 0;
        }

        fieldset {
          margin-block-start: 0;
        }
      }
    `,
  ];

  declare conversation: string;
  declare words: Words;
  declare rate: Rate;
  declare score: number;
  declare step: "ask" | "sending" | "failed" | "done";

  constructor() {
    super();
    this.conversation = "";
    this.score = 0;
    this.step = "ask";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("conversation")) return;
    this.score = 0;
    this.step = "ask";
  }

  override render() {
    const { words, score, step } = this;
    if (step === "done") return html`<p>${words.ended}</p><p role="status" tabindex="-1">${words.thanks}</p>`;
    return html`<p>${words.ended}</p>
      <fieldset role="radiogroup" aria-labelledby="question">
        <legend id="question">${words.rate}</legend>
        <div class="scores">
          ${SCORES.map(
            (value) => html`<label class=${value <= score ? "full" : ""}>
              <input
                type="radio"
                name="score"
                .checked=${value === score}
                aria-label=${fill(words.rateOf, { n: value })}
                @change=${() => {
                  this.score = value;
                }}
              />${star}
            </label>`,
          )}
        </div>
      </fieldset>
      ${score ? this.#rest() : nothing}`;
  }

  #rest() {
    const { words, step } = this;
    return html`<textarea rows="2" maxlength=${MAX_COMMENT_CHARS} aria-label=${words.comment} placeholder=${words.comment} @input=${directed}></textarea>
      ${step === "failed" ? html`<p class="failed" role="alert">${words.failed}</p>` : nothing}
      <button type="button" class="act" ?disabled=${step === "sending"} @click=${this.#send}>
        ${step === "failed" ? words.tryAgain : words.submit}
      </button>`;
  }

  async #send(): Promise<void> {
    const { conversation } = this;
    const comment = this.renderRoot.querySelector("textarea")?.value.trim() ?? "";
    this.step = "sending";
    const step = await this.rate(conversation, this.score, comment).then(
      () => "done" as const,
      () => "failed" as const,
    );
    if (conversation !== this.conversation) return;
    this.step = step;
    await this.updateComplete;
    // The button has gone, or was disabled meanwhile: the focus would be lost with it.
    this.renderRoot.querySelector<HTMLElement>(step === "done" ? "[role=status]" : "button")?.focus();
  }
}

/** An empty field runs as the chat does, so that its placeholder stands where the chat's language begins. */
function directed({ target }: Event): void {
  const field = target as HTMLTextAreaElement;
  field.dir = field.value ? "auto" : "";
}
