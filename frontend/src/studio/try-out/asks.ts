// <studio-try-asks>: the call that would write, at which a talk has stopped, and what becomes of it: it is sent once, or the author
// gives its answer. Turns that broke off stand here too.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import { warn } from "../build/step-icons";
import { controls, fields, text } from "../shared-styles";
import type { Asks, Decision, Mocks, Waiting } from "./api";
import { amber } from "./styles";
import { saidIn } from "./why";
import { words } from "./words";

/** What becomes of the call; null: the turns that broke off are played; "mocks": the bot's tests answer all calls from now on. */
export class DecideEvent extends Event {
  constructor(readonly decision: Decision | "mocks" | null) {
    super("studio-decide");
  }
}

export class StudioTryAsks extends LitElement {
  static override properties = {
    asks: { attribute: false },
    waiting: { attribute: false },
    suggested: { attribute: false },
    isBusy: { type: Boolean },
    isAnswering: { state: true },
    wrong: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    fields,
    amber,
    css`
      section {
        max-block-size: 50vh;
        margin: 0 12px 8px;
        padding: 10px 12px;
        border: 1px solid var(--amber-line);
        border-radius: 8px;
        overflow-y: auto;
        background: var(--amber-quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .title {
        display: flex;
        gap: 6px;
        font-weight: 500;
        overflow-wrap: anywhere;
      }

      .title svg {
        margin-block-start: 1px;
        color: var(--amber);
      }

      pre {
        max-block-size: 9em;
        margin-block: 6px;
        padding: 6px 8px;
        border-radius: 6px;
        overflow: auto;
        background: var(--surface);
        font-size: 12px;
        line-height: 18px;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }

      .acts {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
        margin-block-start: 8px;
      }

      .field {
        margin-block-start: 8px;
      }

      .field > input {
        inline-size: 6em;
      }

      .field > textarea {
        min-block-size: 84px;
        font: 12px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
      }

      .wrong {
        color: var(--danger);
      }
    `,
  ];

  declare asks: Asks | null;
  declare waiting: readonly Waiting[];
  /** Mocks of the bot's tests, to begin an answer with. */
  declare suggested: Mocks;
  declare isBusy: boolean;
  declare isAnswering: boolean;
  declare wrong: string;

  constructor() {
    super();
    this.asks = null;
    this.waiting = [];
    this.suggested = {};
    this.isBusy = this.isAnswering = false;
    this.wrong = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Another call is another question.
    if (changed.has("asks") && changed.get("asks")?.call !== this.asks?.call) {
      this.isAnswering = false;
      this.wrong = "";
    }
  }

  override render() {
    const { asks } = this;
    const said = this.waiting.map(({ user }) => (Object.keys(user).length ? saidIn(user, []) : "***"));
    const left = html`<p class="quiet">${words.notPlayed(said)}</p>`;
    if (!asks)
      return html`<section role="group" aria-labelledby="title">
        <p class="title" id="title" role="alert">${warn}<span>${words.brokenOff}</span></p>
        ${left}
        <div class="acts"><button type="button" class="button" ?disabled=${this.isBusy} @click=${() => this.#decide(null)}>${words.playOn}</button></div>
      </section>`;
    return html`<section role="group" aria-labelledby="title">
      <p class="title" id="title" role="alert">${warn}<span>${words.asks(`${asks.method} ${asks.url}`)}</span></p>
      ${asks.body ? html`<pre tabindex="0" aria-label=${words.asksBody} dir="ltr">${asks.body}</pre>` : html`<p class="quiet">${words.asksNoBody}</p>`}
      ${asks.tried ? html`<p class="quiet">${words.asksTried(asks.tried)}</p>` : nothing} ${left}
      ${this.isAnswering
        ? this.#form(asks)
        : html`<div class="acts">
            ${Object.keys(this.suggested).length
              ? html`<button type="button" class="button" ?disabled=${this.isBusy} @click=${() => this.#decide("mocks")}>${words.useMocks}</button>`
              : nothing}
            <button type="button" class="button safest" ?disabled=${this.isBusy} @click=${this.#answer}>${words.answerIt}</button>
            <button type="button" class="button" ?disabled=${this.isBusy} @click=${() => this.#decide({ call: asks.call })}>${words.sendIt}</button>
          </div>`}
    </section>`;
  }

  #form(asks: Asks) {
    const { status, body } = this.#known(asks);
    return html`<form @submit=${(event: Event) => this.#give(event, asks)}>
      <label class="field">${words.answerStatus}<input name="status" type="number" min="100" max="599" required .defaultValue=${String(status)} /></label>
      <label class="field">${words.answerBody}<textarea name="body" spellcheck="false" .defaultValue=${body === undefined ? "" : JSON.stringify(body, null, 2)}></textarea></label>
      ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
      <div class="acts">
        <button
          type="button"
          class="plain"
          @click=${() => {
            this.isAnswering = false;
          }}
        >
          ${words.cancel}
        </button>
        <button type="submit" class="button main" ?disabled=${this.isBusy}>${words.useAnswer}</button>
      </div>
    </form>`;
  }

  /** What the bot's tests know as the answer of this call. */
  #known({ url, method }: Asks): { readonly status: number; readonly body: unknown } {
    const mock = (this.suggested[url] as Readonly<Record<string, unknown>> | undefined)?.[method];
    if (typeof mock !== "object" || mock === null || !("$status" in mock || "$body" in mock)) return { status: 200, body: mock };
    const { $status = 200, $body } = mock as { readonly $status?: number; readonly $body?: unknown };
    return { status: $status, body: $body };
  }

  async #answer(): Promise<void> {
    this.isAnswering = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("textarea")?.focus();
  }

  #give(event: Event, { call }: Asks): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    let body: unknown;
    try {
      body = JSON.parse(String(given.get("body")).trim() || "null");
    } catch {
      this.wrong = words.answerWrong;
      return;
    }
    this.wrong = "";
    this.#decide({ call, answer: { $status: Number(given.get("status")), $body: body } });
  }

  /** At what sends nothing and changes nothing yet. */
  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".safest")?.focus());
  }

  #decide(decision: DecideEvent["decision"]): void {
    this.dispatchEvent(new DecideEvent(decision));
  }
}
