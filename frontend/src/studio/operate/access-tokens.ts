// <studio-access-tokens>: the table of a bot's server access tokens. Each is shown, copied and revoked by itself; up and down
// go from row to row.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import type { Api, Bot, Token } from "../api";
import { plus } from "../icons";
import { controls, dialogs, text } from "../shared-styles";
import { NoticeEvent, failureNotice } from "../notice";
import type { StudioNewToken } from "./new-token";
import { readHistory } from "./snippets";
import { stepInTable } from "./table-keys";
import { day, moment } from "../time";
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
    leaving: { state: true },
    withRevoked: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    dialogs,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }

      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px 16px;
      }

      header + p {
        margin-block: 4px 12px;
        max-inline-size: 68ch;
      }

      table {
        inline-size: 100%;
        border-spacing: 0;
        font-variant-numeric: tabular-nums;
      }

      th {
        position: sticky;
        inset-block-start: 0;
        z-index: 1;
        padding: 6px 12px 6px 0;
        border-block-end: 1px solid var(--line);
        background: var(--surface);
        color: var(--quiet);
        font-size: 12px;
        font-weight: 500;
        line-height: 16px;
        text-align: start;
        white-space: nowrap;
      }

      td {
        padding: 6px 12px 6px 0;
        border-block-end: 1px solid var(--line);
        vertical-align: middle;
      }

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

      :is(td, th).acts-of {
        inline-size: 1%;
        padding-inline-end: 0;
        text-align: end;
        white-space: nowrap;
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

      .empty {
        padding: 20px;
        border: 1px dashed var(--line-strong);
        border-radius: 10px;
        text-align: center;
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

      @container (max-width: 679px) {
        thead {
          position: absolute;
          inline-size: 1px;
          block-size: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }

        table,
        tbody {
          display: block;
        }

        tr {
          display: flex;
          flex-wrap: wrap;
          align-items: center;
          gap: 2px 14px;
          padding-block: 10px;
          border-block-start: 1px solid var(--line);
        }

        td {
          padding: 0;
          border: 0;
        }

        td.name,
        td.acts-of {
          flex: 1 0 100%;
        }

        td.scopes,
        td.made,
        td.id,
        td.state {
          font-size: 13px;
        }

        td.acts-of {
          margin-inline-start: -8px;
          text-align: start;
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
  /** The one that is about to be revoked. */
  declare leaving: Token | null;
  declare withRevoked: boolean;
  declare isBusy: boolean;
  declare problem: string;

  constructor() {
    super();
    this.shown = this.leaving = null;
    this.withRevoked = this.isBusy = false;
    this.problem = "";
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
      ${this.#asking()}`;
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
      <button type="button" class="plain bad" aria-label=${words.revokeToken(name)} @click=${() => this.#ask(token)}>${words.revoke}</button>`;
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

  #asking() {
    const { leaving } = this;
    return html`<dialog aria-labelledby="ask" @close=${this.#stay}>
      ${leaving
        ? html`<h2 id="ask">${words.revokeAsk(nameOf(leaving))}</h2>
            <p class="quiet">
              ${words.revokeHelp}
              ${leaving.isOfFile ? words.ofFileHelp : nothing}
            </p>
            <p class="wrong" role="alert">${this.problem}</p>
            <div class="acts">
              <button type="button" class="button stay" @click=${() => this.#dialog?.close()}>${words.keep}</button>
              <button type="button" class="button grave" ?disabled=${this.isBusy} @click=${() => this.#revoke(leaving)}>${words.revoke}</button>
            </div>`
        : nothing}
    </dialog>`;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
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

  async #ask(token: Token): Promise<void> {
    this.leaving = token;
    this.#dialog?.showModal();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".stay")?.focus();
  }

  // The event comes a moment after the closing: the question may have been asked again since.
  #stay(): void {
    if (this.#dialog?.open) return;
    this.leaving = null;
    this.problem = "";
  }

  async #revoke(token: Token): Promise<void> {
    this.isBusy = true;
    try {
      await this.api.revoke(this.bot.id, token.id);
    } catch (error) {
      this.problem = (error as Error).message;
      return;
    } finally {
      this.isBusy = false;
    }
    if (this.shown?.id === token.id) this.#hide();
    this.#dialog?.close();
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
