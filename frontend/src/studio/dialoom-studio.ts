// <dialoom-studio>: the frame. Lets in whoever comes with a link or a session, shows the bots on the left and a room of the
// chosen one beside; says what happened.

import { css, html, LitElement, nothing } from "lit";
import { base, tokens } from "../view/tokens";
import { StudioAccessTokens } from "./access-tokens";
import { Api, type Known, Refused, type Visit } from "./api";
import { StudioChannels } from "./channels";
import { StudioCopy } from "./copy-button";
import { type Reason, StudioSignedOut } from "./signed-out";
import { book, gear, leave, mark } from "./icons";
import { controls, text } from "./shared-styles";
import type { NoticeEvent } from "./notice";
import { StudioNewToken } from "./new-token";
import { addressOf, type Route, routeAt, takeToken } from "./route";
import { StudioSettings } from "./settings";

const SAID_FOR = 6000;
/** So many bots are seen at once; more want to be searched. */
const MANY = 8;

export class DialoomStudio extends LitElement {
  static override properties = {
    visit: { state: true },
    reason: { state: true },
    problem: { state: true },
    route: { state: true },
    notice: { state: true },
    sought: { state: true },
    isLate: { state: true },
  };

  static override styles = [
    tokens,
    base,
    controls,
    text,
    css`
      :host {
        display: block;
        background: var(--surface);
        color: var(--text);
        font: 400 14px/20px var(--font);
      }

      .frame {
        display: grid;
        grid-template-columns: 232px minmax(0, 1fr);
        min-block-size: 100dvh;
      }

      aside {
        position: sticky;
        inset-block-start: 0;
        display: flex;
        flex-direction: column;
        gap: 4px;
        block-size: 100dvh;
        padding: 12px 8px;
        border-inline-end: 1px solid var(--line);
        background: light-dark(oklch(0.982 0.003 264), oklch(0.215 0.012 264));
      }

      .brand {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 4px 8px 10px;
        font-size: 15px;
        font-weight: 600;
      }

      .brand span {
        color: var(--quiet);
        font-weight: 400;
      }

      nav {
        flex: 1;
        min-block-size: 0;
        overflow-y: auto;
        scrollbar-width: thin;
        scrollbar-color: var(--line-strong) transparent;
      }

      .label {
        padding: 6px 8px 4px;
        color: var(--quiet);
        font-size: 12px;
        line-height: 16px;
      }

      nav ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .item {
        display: flex;
        align-items: center;
        gap: 8px;
        min-block-size: 32px;
        padding: 4px 8px;
        border: 0;
        border-radius: 7px;
        background: none;
        color: var(--text);
        line-height: 20px;
        text-align: start;
        text-decoration: none;
        transition: background var(--quick) var(--ease);
      }

      .item:focus-visible {
        outline-offset: -2px;
      }

      .item > .title {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .bot[aria-current="true"] {
        font-weight: 600;
      }

      .room {
        margin-inline-start: 26px;
        color: var(--quiet);
      }

      .room[aria-current="page"] {
        background: var(--raised-hover);
        color: var(--text);
      }

      @media (hover: hover) {
        .item:hover {
          background: var(--raised);
        }

        .room[aria-current="page"]:hover {
          background: var(--raised-hover);
        }
      }

      .initial {
        flex: none;
        display: grid;
        place-items: center;
        inline-size: 20px;
        block-size: 20px;
        border-radius: 6px;
        background: var(--brand-quiet);
        color: var(--brand-ink);
        font-size: 11px;
        font-weight: 600;
      }

      .search {
        inline-size: calc(100% - 16px);
        min-block-size: 32px;
        margin: 2px 8px 6px;
        padding: 4px 10px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        font-size: 13px;
      }

      .foot {
        display: flex;
        flex-direction: column;
        gap: 1px;
        padding-block-start: 8px;
        border-block-start: 1px solid var(--line);
        color: var(--quiet);
      }

      .foot .item {
        color: var(--quiet);
        inline-size: 100%;
      }

      .foot p {
        padding: 6px 8px 0;
        font-size: 12px;
        line-height: 16px;
      }

      main {
        min-inline-size: 0;
        padding: 32px 40px 96px;
      }

      .pane {
        max-inline-size: 880px;
        margin-inline: auto;
      }

      .none {
        padding-block: 15vh;
        text-align: center;
      }

      .none p {
        margin-block: 8px;
      }

      .waiting {
        position: fixed;
        inset: 0 0 auto;
        z-index: 3;
        block-size: 2px;
        overflow: hidden;
      }

      .waiting::before {
        content: "";
        position: absolute;
        inset-block: 0;
        inline-size: 30%;
        background: var(--brand-line);
        animation: pass 1.1s infinite ease-in-out;
      }

      @keyframes pass {
        from {
          inset-inline-start: -30%;
        }
        to {
          inset-inline-start: 100%;
        }
      }

      .notice {
        position: fixed;
        inset-block-end: 20px;
        inset-inline: 16px;
        z-index: 3;
        display: flex;
        justify-content: center;
        pointer-events: none;
      }

      .notice p {
        max-inline-size: 56ch;
        padding: 9px 16px;
        border: 1px solid var(--line);
        border-radius: 10px;
        background: var(--panel);
        box-shadow: 0 8px 28px var(--shadow);
        animation: arrive var(--slow) var(--ease);
      }

      .notice .bad {
        border-color: var(--danger);
        color: var(--danger);
      }

      @keyframes arrive {
        from {
          opacity: 0;
          transform: translateY(8px);
        }
      }

      @media (max-width: 959px) {
        .frame {
          grid-template-columns: 196px minmax(0, 1fr);
        }

        main {
          padding-inline: 28px;
        }
      }

      @media (max-width: 719px) {
        .frame {
          display: block;
        }

        aside {
          position: static;
          flex-flow: row wrap;
          align-items: center;
          gap: 0;
          block-size: auto;
          padding: 6px 8px;
          border-inline-end: 0;
          border-block-end: 1px solid var(--line);
        }

        .brand {
          flex: 1;
          padding-block: 4px;
        }

        .foot {
          flex-direction: row;
          padding: 0;
          border: 0;
        }

        .foot p,
        .label,
        .room,
        .search {
          display: none;
        }

        .foot .item {
          inline-size: 40px;
          min-block-size: 40px;
          justify-content: center;
        }

        .foot .title {
          position: absolute;
          inline-size: 1px;
          block-size: 1px;
          clip-path: inset(50%);
        }

        nav {
          order: 3;
          flex: 1 0 100%;
          overflow: auto hidden;
        }

        nav ul {
          display: flex;
          gap: 4px;
          padding-block: 4px;
        }

        nav .item {
          min-block-size: 40px;
          max-inline-size: 60vw;
        }

        .bot[aria-current="true"] {
          background: var(--raised-hover);
        }

        main {
          padding: 24px 16px 80px;
        }
      }
    `,
  ];

  declare visit: Visit | null;
  declare reason: Reason;
  declare problem: string;
  declare route: Route;
  declare notice: { text: string; isBad: boolean } | null;
  declare sought: string;
  declare isLate: boolean;
  readonly api: Api;
  /** Of a link that could not be tried yet. */
  #token: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api = new Api()) {
    super();
    this.api = api;
    this.visit = this.notice = null;
    this.reason = "waiting";
    this.problem = this.sought = "";
    this.route = routeAt(location.pathname);
    this.isLate = false;
    api.onover = () => this.#shut(this.visit ? "ended" : "nobody");
    api.onwait = (isWaiting) => {
      this.isLate = isWaiting;
    };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#moved);
    addEventListener("hashchange", this.#linked);
    document.addEventListener("visibilitychange", this.#seen);
    this.#token = takeToken();
    void this.#enter();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#moved);
    removeEventListener("hashchange", this.#linked);
    document.removeEventListener("visibilitychange", this.#seen);
    clearTimeout(this.#timer);
  }

  /** A link that was pasted over the page's own address loads nothing again. */
  #linked = (): void => {
    const token = takeToken();
    if (token === null) return;
    this.#token = token;
    void this.#enter();
  };

  #moved = (): void => {
    this.route = routeAt(location.pathname);
    this.#choose();
  };

  /** Who comes back to the page may have been signed out meanwhile, and there may be other bots. */
  #seen = (): void => {
    if (!this.visit || document.visibilityState !== "visible") return;
    this.api.visit().then(
      (visit) => {
        if (this.visit) this.visit = visit;
      },
      () => undefined,
    );
  };

  #enter = async (): Promise<void> => {
    this.visit = null;
    this.reason = "waiting";
    try {
      if (this.#token !== null) await this.api.signIn(this.#token);
      this.#token = null;
      this.visit = await this.api.visit();
      this.#choose();
    } catch (error) {
      this.#refused(error as Refused);
    }
  };

  #refused(error: Refused): void {
    if (error.code === "studio-session") return;
    if (error.code === "link-over") {
      this.#token = null;
      this.#shut("over");
      return;
    }
    this.problem = error.message;
    this.#shut("failed");
  }

  #shut(reason: Reason): void {
    this.visit = null;
    this.reason = reason;
    document.title = "Studio · Dialoom";
    const signedOut = () => this.renderRoot.querySelector<StudioSignedOut>("studio-signed-out");
    void this.updateComplete.then(() => signedOut()?.updateComplete).then(() => signedOut()?.focus());
  }

  /** Without a bot in the address the first one is meant. */
  #choose(): void {
    const [first] = this.visit?.bots ?? [];
    if (this.route.bot !== null || !first) return;
    this.route = { bot: first.id };
    history.replaceState(null, "", addressOf(this.route));
  }

  #go(event: MouseEvent, bot: Known): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (this.route.bot === bot.id) return;
    this.route = { bot: bot.id };
    history.pushState(null, "", addressOf(this.route));
    scrollTo(0, 0);
  }

  async #leave(): Promise<void> {
    try {
      await this.api.signOut();
    } catch (error) {
      this.#say((error as Error).message, true);
      return;
    }
    this.#shut("left");
  }

  #say(words: string, isBad: boolean): void {
    this.notice = { text: words, isBad };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.notice = null;
    }, SAID_FOR);
  }

  protected override updated(): void {
    const bot = this.visit?.bots.find((known) => known.id === this.route.bot);
    if (this.visit) document.title = bot ? `${bot.name} · Settings · Dialoom` : "Studio · Dialoom";
  }

  override render() {
    const { visit } = this;
    return html`${visit
        ? html`<div class="frame">${this.#rail(visit)}<main @studio-notice=${(event: NoticeEvent) => this.#say(event.text, event.isBad)}>
            ${this.isLate ? html`<div class="waiting" role="progressbar" aria-label="Loading"></div>` : nothing}
            <div class="pane">${this.#room(visit)}</div>
          </main></div>`
        : html`<studio-signed-out .reason=${this.reason} .problem=${this.problem} .isLate=${this.isLate} @studio-again=${this.#enter}></studio-signed-out>`}
      <div class="notice" role=${this.notice?.isBad ? "alert" : "status"}>
        ${this.notice ? html`<p class=${this.notice.isBad ? "bad" : ""}>${this.notice.text}</p>` : nothing}
      </div>`;
  }

  #rail(visit: Visit) {
    const sought = this.sought.trim().toLowerCase();
    const bots = visit.bots.filter((bot) => !sought || `${bot.name} ${bot.id}`.toLowerCase().includes(sought));
    return html`<aside aria-label="Studio">
      <div class="brand">${mark}<div>Dialoom <span>Studio</span></div></div>
      <nav aria-label="Bots">
        <div class="label" id="bots">Bots</div>
        ${visit.bots.length > MANY
          ? html`<input
              type="search"
              class="search"
              aria-label="Find a bot"
              placeholder="Find a bot"
              .value=${this.sought}
              @input=${(event: InputEvent) => {
                this.sought = (event.target as HTMLInputElement).value;
              }}
            />`
          : nothing}
        <ul aria-labelledby="bots">
          ${bots.map((bot) => this.#bot(bot))}
        </ul>
      </nav>
      <div class="foot">
        <a class="item" href="/docs" title="API reference" target="_blank" rel="noopener">${book}<span class="title">API reference</span><span class="unseen"> (opens a new tab)</span></a>
        <button type="button" class="item" title="Sign out" @click=${this.#leave}>${leave}<span class="title">Sign out</span></button>
        <p>Dialoom ${visit.release}</p>
      </div>
    </aside>`;
  }

  #bot(bot: Known) {
    const isChosen = this.route.bot === bot.id;
    const address = addressOf({ bot: bot.id });
    const go = (event: MouseEvent) => this.#go(event, bot);
    return html`<li>
      <a class="item bot" href=${address} title=${bot.name} aria-current=${isChosen ? "true" : nothing} @click=${go}>
        <span class="initial" aria-hidden="true">${[...bot.name.trim()][0]?.toUpperCase()}</span><span class="title">${bot.name}</span>
      </a>
      ${isChosen
        ? html`<a class="item room" href=${address} aria-current="page" @click=${go}>${gear}<span class="title">Settings</span></a>`
        : nothing}
    </li>`;
  }

  #room(visit: Visit) {
    if (this.route.bot !== null)
      return html`<studio-settings .api=${this.api} .bot=${this.route.bot} .isLate=${this.isLate}></studio-settings>`;
    return visit.bots.length
      ? nothing
      : html`<div class="none">
          <h1>There is no bot yet</h1>
          <p class="quiet">Make one and run it, then load this page again:</p>
          <code>dialoom init my-bot && dialoom run my-bot</code>
        </div>`;
  }
}

export function define(): void {
  const elements = {
    "studio-copy": StudioCopy,
    "studio-signed-out": StudioSignedOut,
    "studio-new-token": StudioNewToken,
    "studio-access-tokens": StudioAccessTokens,
    "studio-channels": StudioChannels,
    "studio-settings": StudioSettings,
    "dialoom-studio": DialoomStudio,
  };
  for (const [name, element] of Object.entries(elements)) if (!customElements.get(name)) customElements.define(name, element);
}
