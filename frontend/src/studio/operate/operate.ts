// <studio-operate>: what runs. Its tabs each have an address (`?tab=channels`); tokens and keys are for administrators.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import { type Api, type Bot, Refused, type Visit } from "../api";
import { type Command, follow, GoEvent } from "../events";
import { failureNotice } from "../notice";
import { FIRST_ROOM } from "../rooms";
import { addressOf, type Route } from "../route";
import { column, controls, states, text } from "../shared-styles";
import { draftState } from "../versions/api";
import { words as common } from "../words";
import type { Workspace } from "../workspace";
import { words } from "./words";

export const TABS = ["versions", "channels", "look", "tokens", "dead-letters", "doctor", "keys", "backup"] as const;
export type Tab = (typeof TABS)[number];

/** What these hold opens more than the studio. */
const FOR_ADMINISTRATORS: readonly Tab[] = ["tokens", "keys", "backup"];

/** What these show is of the whole service. */
const OF_SERVICE: readonly Tab[] = ["doctor", "keys", "backup"];

export function tabsFor(role: string, isForNamedBots = false): readonly Tab[] {
  const hidden = [...(role === "administrator" ? [] : FOR_ADMINISTRATORS), ...(isForNamedBots ? OF_SERVICE : [])];
  return TABS.filter((tab) => !hidden.includes(tab));
}

export class StudioOperate extends LitElement {
  static override properties = {
    api: { attribute: false },
    workspace: { attribute: false },
    route: { attribute: false },
    visit: { attribute: false },
    bot: {},
    found: { state: true },
    unpublished: { state: true },
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
      .crumb {
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .tabs {
        display: flex;
        gap: 2px 18px;
        margin-block: 12px 24px;
        overflow-x: auto;
        border-block-end: 1px solid var(--line);
        scrollbar-width: none;
      }

      .tabs button {
        flex: none;
        min-block-size: 36px;
        padding: 0 2px;
        border: 0;
        border-block-end: 2px solid transparent;
        background: none;
        color: var(--quiet);
        font-size: 13.5px;
        white-space: nowrap;
      }

      .tabs button[aria-selected="true"] {
        border-color: var(--brand-line);
        color: var(--text);
        font-weight: 500;
      }

      .tabs button:focus-visible {
        outline-offset: -2px;
      }

      @media (pointer: coarse) {
        .tabs button {
          min-block-size: 44px;
        }
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
  declare workspace: Workspace;
  declare route: Route;
  declare visit: Visit | null;
  /** The bot's id. */
  declare bot: string;
  declare found: Bot | null;
  declare unpublished: number;
  declare problem: Refused | null;
  declare isLate: boolean;
  #asked = 0;

  constructor() {
    super();
    this.bot = "";
    this.found = this.problem = this.visit = null;
    this.isLate = false;
    this.unpublished = 0;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("bot")) return;
    // What was shown of another bot goes, tokens in clear with it.
    this.found = this.problem = null;
    this.unpublished = 0;
    void this.load();
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    this.problem = null;
    try {
      const found = await this.api.bot(this.bot);
      if (asked !== this.#asked) return;
      this.found = found;
      await this.#count(asked);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.problem = error as Refused;
      if (this.found) this.dispatchEvent(failureNotice(error));
    }
  }

  /** Asks how much is not published. The room is of use without it. */
  async #count(asked: number): Promise<void> {
    try {
      const { unpublished } = await draftState(this.api, this.bot);
      if (asked === this.#asked) this.unpublished = unpublished;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  get #tabs(): readonly Tab[] {
    return tabsFor(this.visit?.role ?? "", this.visit?.isForNamedBots);
  }

  get #tab(): Tab {
    const named = new URLSearchParams(this.route?.query ?? "").get("tab");
    return this.#tabs.find((one) => one === named) ?? "versions";
  }

  commands(): readonly Command[] {
    return this.#tabs.map((tab) => ({ title: `${words.title}: ${words.tabs[tab]}`, run: () => this.#show(tab) }));
  }

  #show(tab: Tab): void {
    this.dispatchEvent(new GoEvent({ query: `tab=${tab}`, isReplacing: true }));
  }

  #step(event: KeyboardEvent): void {
    const tabs = this.#tabs;
    const at = tabs.indexOf(this.#tab);
    const ways: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const next = tabs[((ways[event.key] ?? NaN) + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    this.#show(next);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus());
  }

  /** Where not all tabs have room, the chosen one is in sight; the page itself does not move. */
  protected override updated(): void {
    const tabs = this.renderRoot.querySelector<HTMLElement>(".tabs");
    const chosen = this.renderRoot.querySelector<HTMLElement>(`#tab-${this.#tab}`);
    if (tabs && chosen) tabs.scrollLeft = chosen.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - chosen.offsetWidth) / 2;
  }

  override render() {
    if (this.problem && !this.found) return this.#problem(this.problem);
    const { found } = this;
    if (!found) return this.#waiting();
    const chosen = this.#tab;
    return html`<p class="crumb">${words.title}</p>
      <h1 tabindex="-1">${found.name}</h1>
      ${this.unpublished ? this.#unpublished() : nothing}
      <div class="tabs" role="tablist" aria-label=${words.title} @keydown=${this.#step}>
        ${this.#tabs.map(
          (tab) =>
            html`<button
              type="button"
              role="tab"
              id=${`tab-${tab}`}
              aria-controls="panel"
              aria-selected=${tab === chosen ? "true" : "false"}
              tabindex=${tab === chosen ? 0 : -1}
              @click=${() => this.#show(tab)}
            >
              ${words.tabs[tab]}
            </button>`,
        )}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby=${`tab-${chosen}`} @studio-changed=${this.#changed}>${this.#panel(chosen, found)}</div>`;
  }

  #unpublished() {
    const build = { bot: this.bot, room: FIRST_ROOM };
    const go = (event: MouseEvent) => follow(event, () => this.dispatchEvent(new GoEvent(build)));
    return html`<p><a class="unpublished" title=${common.goesLive} href=${addressOf(build)} @click=${go}>${common.unpublished(this.unpublished)}</a></p>`;
  }

  #panel(tab: Tab, found: Bot) {
    const { api, bot } = this;
    switch (tab) {
      case "versions":
        return html`<operate-versions .api=${api} .bot=${bot}></operate-versions>`;
      case "channels":
        return html`<studio-channels .api=${api} .bot=${found} .isAdministrator=${this.visit?.role === "administrator"}></studio-channels>`;
      case "look":
        return html`<operate-look .workspace=${this.workspace} .bot=${bot} .name=${found.name}></operate-look>`;
      case "tokens":
        return html`<studio-access-tokens .api=${api} .bot=${found}></studio-access-tokens>`;
      case "dead-letters":
        return html`<operate-dead-letters .api=${api} .bot=${bot}></operate-dead-letters>`;
      case "doctor":
        return html`<operate-doctor .api=${api} .bot=${bot}></operate-doctor>`;
      case "backup":
        return html`<operate-backup .api=${api}></operate-backup>`;
      case "keys":
        return html`<operate-keys .api=${api} .bot=${bot}></operate-keys>`;
    }
  }

  /** A token was made or revoked, or another version is active. */
  #changed(): void {
    void this.load();
    if (this.#tab === "versions" && !this.workspace.isChanged) void this.workspace.load(this.bot, true);
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
