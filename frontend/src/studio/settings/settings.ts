// <studio-settings>: the Settings of one bot. It loads the bot and lays out its parts; each part acts for itself.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import { type Api, type Bot, Refused } from "../api";
import { away } from "../icons";
import { column, controls, states, text } from "../shared-styles";
import { failureNotice } from "../notice";
import { words as common } from "../words";
import { words } from "./words";

export class StudioSettings extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    found: { state: true },
    problem: { state: true },
    isLate: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    column,
    states,
    css`
      section,
      studio-access-tokens,
      studio-channels {
        margin-block-start: 36px;
      }

      .crumb {
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .pairs {
        margin-block-start: 16px;
      }

      /* Its values are short: two columns have room for long. */
      @container (min-width: 440px) {
        .pairs {
          display: grid;
          grid-template-columns: 112px minmax(0, 1fr);
        }

        .pairs > dt {
          padding-block: 8px;
          font-size: 14px;
        }
      }

      .pairs svg {
        inline-size: 13px;
        margin-inline-start: 3px;
        vertical-align: -3px;
      }

      .bar {
        block-size: 14px;
        margin-block: 14px;
        border-radius: 7px;
        background: var(--raised);
      }

      .bar:nth-of-type(odd) {
        inline-size: 64%;
      }
    `,
  ];

  declare api: Api;
  /** The bot's id. */
  declare bot: string;
  declare found: Bot | null;
  declare problem: Refused | null;
  declare isLate: boolean;
  #asked = 0;

  constructor() {
    super();
    this.bot = "";
    this.found = this.problem = null;
    this.isLate = false;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("bot")) return;
    // What was shown of another bot goes, tokens in clear with it.
    this.found = this.problem = null;
    void this.load();
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    this.problem = null;
    try {
      const found = await this.api.bot(this.bot);
      if (asked === this.#asked) this.found = found;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.problem = error as Refused;
      if (this.found) this.dispatchEvent(failureNotice(error));
    }
  }

  override render() {
    if (this.problem && !this.found) return this.#problem(this.problem);
    const { found } = this;
    if (!found) return this.#waiting();
    return html`<p class="crumb">${words.title}</p>
      <h1 tabindex="-1">${found.name}</h1>
      <dl class="pairs">
        <dt>${words.botId}</dt>
        <dd class="line"><code>${found.id}</code><studio-copy brief .text=${found.id} what=${words.theBotId}></studio-copy></dd>
        <dt>${words.api}</dt>
        <dd class="line"><code>${found.api}</code><studio-copy brief .text=${found.api} what=${words.theApi}></studio-copy></dd>
        <dt>${words.version}</dt>
        <dd><code>${found.version}</code></dd>
        <dt>${words.reference}</dt>
        <dd>
          <a href=${found.reference} target="_blank" rel="noopener">${words.interface}${away}<span class="unseen">${common.newTab}</span></a>
        </dd>
      </dl>
      <studio-access-tokens .api=${this.api} .bot=${found} @studio-changed=${this.load}></studio-access-tokens>
      <studio-channels .api=${this.api} .bot=${found}></studio-channels>`;
  }

  /** Bars only where the frame says that it takes long. */
  #waiting() {
    return html`<div aria-busy="true">
      <h1 class="unseen">${words.title}</h1>
      ${this.isLate ? [0, 1, 2, 3].map(() => html`<div class="bar"></div>`) : nothing}
    </div>`;
  }

  #problem(problem: Refused) {
    const isUnknown = problem.status === 404;
    return html`<div class="problem" role="alert">
      <h1 tabindex="-1">${isUnknown ? common.unknownBot(this.bot) : words.notLoaded}</h1>
      <p class="quiet">${isUnknown ? common.unknownBotHelp : problem.message}</p>
      ${isUnknown ? nothing : html`<button type="button" class="button" @click=${this.load}>${common.tryAgain}</button>`}
    </div>`;
  }
}
