// <operate-dead-letters>: deliveries to the outside that were given up, with the reason; sent again or dropped.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import type { StudioAsk } from "../ask";
import { failureNotice, NoticeEvent } from "../notice";
import { controls, text } from "../shared-styles";
import { moment } from "../time";
import { changeLetters, deadLetters, type Letter } from "./api";
import { tab, table } from "./styles";
import { stepInTable } from "../table-keys";
import { words } from "./words";

export class OperateDeadLetters extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    found: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };

  static override styles = [base, controls, text, tab, table];

  declare api: Api;
  declare bot: string;
  declare found: readonly Letter[] | null;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.bot = this.problem = "";
    this.found = null;
    this.isBusy = false;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("bot")) return;
    this.found = null;
    void this.load();
  }

  async load(): Promise<void> {
    const { bot } = this;
    this.problem = "";
    try {
      const found = await deadLetters(this.api, bot);
      if (bot === this.bot) this.found = found;
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  override render() {
    const { found } = this;
    if (this.problem) return html`<p class="wrong" role="alert">${this.problem}</p><button type="button" class="button" @click=${this.load}>${words.again}</button>`;
    if (!found) return nothing;
    return html`<header>
        <h2 tabindex="-1" id="title">${words.tabs["dead-letters"]}</h2>
        <div>
          <button type="button" class="plain" @click=${this.load}>${words.lookAgain}</button>
          ${found.length > 1
            ? html`<button type="button" class="button" ?disabled=${this.isBusy} @click=${() => this.#change("resend", "all")}>${words.resendAll}</button>
                <button type="button" class="plain bad" @click=${() => this.#drop("all")}>${words.dropAll}</button>`
            : nothing}
        </div>
      </header>
      <p class="quiet">${words.deadHelp}</p>
      ${found.length ? this.#table(found) : html`<div class="empty"><p><strong>${words.noDead}</strong></p><p class="quiet">${words.noDeadHelp}</p></div>`} <studio-ask></studio-ask>`;
  }

  #table(found: readonly Letter[]): TemplateResult {
    return html`<table role="table" aria-labelledby="title" @keydown=${(event: KeyboardEvent) => stepInTable(event, this.renderRoot)}>
      <thead role="rowgroup">
        <tr role="row">
          ${words.deadColumns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}
          <th role="columnheader" scope="col" class="acts-of"><span class="unseen">${words.actions}</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${found.map(
          (one) =>
            html`<tr role="row">
              <td role="cell" class="short"><time datetime=${one.deadAt}>${moment(one.deadAt)}</time></td>
              <td role="cell">${one.channel} → ${one.receiver}</td>
              <td role="cell" class="long">${one.reason} <span class="quiet">${words.attempts(one.attempts)}</span></td>
              <td role="cell" class="acts-of">
                <button type="button" class="plain" ?disabled=${this.isBusy} aria-label=${words.resendOne(one.id)} @click=${() => this.#change("resend", one)}>${words.resend}</button
                ><button type="button" class="plain bad" aria-label=${words.dropOne(one.id)} @click=${() => this.#drop(one)}>${words.drop}</button>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  async #drop(which: Letter | "all"): Promise<void> {
    const question = {
      title: words.dropAsk(which === "all" ? (this.found?.length ?? 0) : 1),
      help: words.dropHelp,
      act: words.drop,
      stay: words.keep,
      isGrave: true,
    };
    const answered = this.renderRoot.querySelector<StudioAsk>("studio-ask")?.ask({ ...question, run: () => this.#change("drop", which) });
    if (await answered) this.renderRoot.querySelector<HTMLElement>("#title")?.focus();
  }

  async #change(what: "resend" | "drop", which: Letter | "all"): Promise<void> {
    this.isBusy = true;
    try {
      const ids = which === "all" ? (this.found ?? []).map(({ id }) => id) : [which.id];
      const count = await changeLetters(this.api, this.bot, what, ids);
      this.dispatchEvent(new NoticeEvent(what === "resend" ? words.resent(count) : words.dropped(count)));
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    } finally {
      this.isBusy = false;
    }
    await this.load();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#title")?.focus();
  }
}
