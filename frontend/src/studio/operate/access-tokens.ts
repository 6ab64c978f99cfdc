// <studio-access-tokens>: the table of a bot's server access tokens. Each is shown, copied and revoked by itself; up and down
// go from row to row.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import type { Api, Bot, Token } from "../api";
import type { StudioAsk } from "../ask";
import { plus } from "../icons";
import { controls, text } from "../shared-styles";
import { NoticeEvent, failureNotice } from "../notice";
import type { StudioNewToken } from "./new-token";
import { readHistory } from "./snippets";
import { stepInTable } from "../table-keys";
import { day, moment } from "../time";
import { tab, table } from "./styles";
import { words } from "./words";

/** Something changed: the bot is to be read again. */
export class ChangedEvent extends Event {
  constructor() {
    super("studio-changed", { bubbles: true, composed: true });
  }
}

export class StudioAccessTokens extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: { attribute: false },
    shown: { state: true },
    withRevoked: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    tab,
    table,
    css`
      td.name {
        font-weight: 500;
        overflow-wrap: anywhere;
      }

      td.id,
      td.scopes,
      td.made,
      td.state {
        white-space: nowrap;
        color: var(--quiet);
      }

      td.id code {
        overflow-wrap: normal;
      }

      .acts-of > * {
        vertical-align: middle;
      }

      .acts-of > :last-child {
        margin-inline-end: -8px;
      }

      td.state::before {
        content: "";
        display: inline-block;
        inline-size: 7px;
        block-size: 7px;
        margin-inline-end: 7px;
        border-radius: 50%;
        background: light-dark(oklch(0.6 0.14 150), oklch(0.72 0.15 150));
        vertical-align: 1px;
      }

      .over td.state::before {
        background: none;
        box-shadow: inset 0 0 0 1.5px var(--line-strong);
      }

      .over td.name {
        color: var(--quiet);
        font-weight: 400;
      }

      .opened > td {
        border-block-end: 0;
      }

      td.secret {
        padding: 0 0 10px;
      }

      .secret code {
        display: block;
        padding: 8px 12px;
        border-radius: 8px;
        background: var(--raised);
        user-select: all;
        word-break: break-all;
      }

      .more {
        margin: 8px 0 0 -8px;
      }

      .how {
        margin-block-start: 16px;
      }

      .how summary {
        color: var(--quiet);
        cursor: pointer;
        font-size: 13px;
        inline-size: fit-content;
        border-radius: 4px;
      }

      .how .block {
        margin-block-start: 8px;
      }

      @container (max-width: 719px) {
        td.name {
          flex: 1 0 100%;
        }

        td.scopes,
        td.made,
        td.id,
        td.state {
          font-size: 13px;
        }

        tr.below {
          padding-block-start: 0;
          border: 0;
        }

        tr.below > td {
          flex: 1;
          padding: 0;
        }

        .opened {
          padding-block-end: 8px;
        }
      }
    `,
  ];

  declare api: Api;
  declare bot: Bot;
  /** The one that is shown in clear: never two at once. */
  declare shown: { id: string; text: string } | null;
  declare withRevoked: boolean;

  constructor() {
    super();
    this.shown = null;
    this.withRevoked = false;
  }

  override render() {
    const live = this.bot.tokens.filter((token) => token.revokedAt === null);
    const over = this.bot.tokens.filter((token) => token.revokedAt !== null);
    const rows = this.withRevoked ? [...live, ...over] : live;
    return html`<header>
        <h2 id="tokens" tabindex="-1">${words.tokens}</h2>
        <button type="button" class="button" @click=${() => this.renderRoot.querySelector<StudioNewToken>("studio-new-token")?.open()}>
          ${plus}${words.newToken}
        </button>
      </header>
      <p class="quiet">
        ${words.tokensHelp}
      </p>
      ${rows.length ? this.#table(rows) : this.#empty()}
      ${over.length ? this.#switch(over.length) : nothing}
      <details class="how">
        <summary>${words.tryTerminal}</summary>
        <div class="block">
          <pre tabindex="0" role="region" aria-label=${words.historyCall}>${readHistory(this.bot)}</pre>
          <studio-copy .text=${readHistory(this.bot)} what=${words.theHistoryCall}></studio-copy>
        </div>
      </details>
      <studio-new-token .api=${this.api} .bot=${this.bot.id} @studio-made=${this.#changed}></studio-new-token>
      <studio-ask></studio-ask>`;
  }

  #table(rows: readonly Token[]) {
    return html`<table role="table" aria-labelledby="tokens" @keydown=${(event: KeyboardEvent) => stepInTable(event, this.renderRoot)}>
      <thead role="rowgroup">
        <tr role="row">
          ${words.columns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}
          <th role="columnheader" scope="col" class="acts-of"><span class="unseen">${words.actions}</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((token) => this.#row(token))}
      </tbody>
    </table>`;
  }

  #row(token: Token): TemplateResult {
    const isLive = token.revokedAt === null;
    const isShown = this.shown?.id === token.id;
    const name = nameOf(token);
    return html`<tr role="row" class="${isLive ? "" : "over"} ${isShown ? "opened" : ""}">
        <td role="cell" class="name">${name}</td>
        <td role="cell" class="id"><code>${token.id}</code></td>
        <td role="cell" class="scopes">${token.scopes.join(", ")}</td>
        <td role="cell" class="made"><time datetime=${token.createdAt} title=${moment(token.createdAt)}>${day(token.createdAt)}</time></td>
        <td role="cell" class="state" title=${token.revokedAt ? moment(token.revokedAt) : nothing}>${isLive ? words.live : words.revoked}</td>
        <td role="cell" class="acts-of">${isLive ? this.#acts(token, name, isShown) : nothing}</td>
      </tr>
      ${isShown
        ? html`<tr role="row" class="below">
            <td role="cell" class="secret" colspan="6"><code>${this.shown?.text}</code></td>
          </tr>`
        : nothing}`;
  }

  #acts(token: Token, name: string, isShown: boolean) {
    return html`<button
        type="button"
        class="plain"
        aria-expanded=${isShown ? "true" : "false"}
        aria-label=${isShown ? words.hideToken(name) : words.showToken(name)}
        @click=${() => (isShown ? this.#hide() : this.#show(token))}
      >
        ${isShown ? words.hide : words.show}
      </button>
      <studio-copy .text=${() => this.#text(token)} what=${words.token(name)}></studio-copy>
      <button type="button" class="plain bad" aria-label=${words.revokeToken(name)} @click=${() => this.#revoke(token)}>${words.revoke}</button>`;
  }

  #empty() {
    return html`<div class="empty">
      <p><strong>${words.noTokens}</strong></p>
      <p class="quiet">${words.noTokensHelp}</p>
    </div>`;
  }

  #switch(count: number) {
    return html`<button
      type="button"
      class="plain more"
      aria-pressed=${this.withRevoked ? "true" : "false"}
      @click=${() => {
        this.withRevoked = !this.withRevoked;
      }}
    >
      ${this.withRevoked ? words.hideRevoked : words.showRevoked(count)}
    </button>`;
  }

  #text(token: Token): Promise<string> {
    return this.shown?.id === token.id ? Promise.resolve(this.shown.text) : this.api.show(this.bot.id, token.id);
  }

  async #show(token: Token): Promise<void> {
    try {
      this.shown = { id: token.id, text: await this.api.show(this.bot.id, token.id) };
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  }

  #hide(): void {
    this.shown = null;
  }

  async #revoke(token: Token): Promise<void> {
    const isDone = await this.renderRoot.querySelector<StudioAsk>("studio-ask")?.ask({
      title: words.revokeAsk(nameOf(token)),
      help: token.isOfFile ? `${words.revokeHelp} ${words.ofFileHelp}` : words.revokeHelp,
      act: words.revoke,
      stay: words.keep,
      isGrave: true,
      run: () => this.api.revoke(this.bot.id, token.id),
    });
    if (!isDone) return;
    if (this.shown?.id === token.id) this.#hide();
    this.dispatchEvent(new NoticeEvent(words.isRevoked(nameOf(token))));
    this.#changed();
    // Its row, with the button that had the focus, is gone.
    this.renderRoot.querySelector<HTMLElement>("#tokens")?.focus();
  }

  #changed(): void {
    this.dispatchEvent(new ChangedEvent());
  }
}

function nameOf(token: Token): string {
  return token.name || (token.isOfFile ? words.fromFile : token.id);
}
