// <studio-people>: who is signed in, links that invite, and the log of what was done.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import type { Api, Visit } from "../api";
import { StudioAsk } from "../ask";
import { failureNotice, NoticeEvent } from "../notice";
import { column, controls, fields, states, text } from "../shared-styles";
import { StudioCopy } from "../copy-button";
import { register } from "../rooms";
import { words as frame } from "../words";
import { type Deed, end, invite, log, type Role, ROLES, type Session, sessions } from "./api";
import { moment, words } from "./words";

register({ "studio-ask": StudioAsk, "studio-copy": StudioCopy });

export class StudioPeople extends LitElement {
  static override properties = {
    api: { attribute: false },
    visit: { attribute: false },
    inside: { state: true },
    deeds: { state: true },
    next: { state: true },
    name: { state: true },
    role: { state: true },
    bots: { state: true },
    link: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    column,
    states,
    fields,
    css`
      section {
        margin-block-start: 32px;
      }

      h2 {
        margin-block-end: 8px;
      }

      .table {
        overflow-x: auto;
      }

      table {
        inline-size: 100%;
        border-collapse: collapse;
        font-size: 13.5px;
        line-height: 20px;
      }

      th,
      td {
        padding: 7px 12px 7px 0;
        border-block-end: 1px solid var(--line);
        text-align: start;
        vertical-align: top;
      }

      th {
        color: var(--quiet);
        font-size: 12px;
        font-weight: 400;
      }

      td.act {
        padding-inline-end: 0;
        text-align: end;
      }

      td.when {
        white-space: nowrap;
      }

      .access {
        min-inline-size: 220px;
        margin-block: 2px 0;
      }

      .subject,
      .access {
        overflow-wrap: anywhere;
      }

      .invite {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 200px auto;
        gap: 12px;
        align-items: end;
        margin-block-start: 12px;
      }

      .bots {
        grid-column: 1 / -1;
        margin: 0;
        padding: 0;
        border: 0;
      }

      .bots ~ .button {
        justify-self: start;
      }

      .bots legend {
        padding: 0;
        font-size: 13px;
      }

      .bots div {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 20px;
      }

      .bots label {
        display: flex;
        gap: 8px;
        align-items: center;
        min-block-size: 32px;
        overflow-wrap: anywhere;
      }

      #may {
        margin-block-start: 8px;
      }

      @media (max-width: 719px) {
        .invite {
          grid-template-columns: 1fr;
        }
      }

      .made {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 12px;
        align-items: center;
        margin-block-start: 12px;
      }

      .made code {
        flex: 1 1 260px;
        padding: 10px 12px;
        border: 1px solid var(--brand-line);
        border-radius: 8px;
        background: var(--brand-quiet);
        font-size: 13px;
        overflow-wrap: anywhere;
        user-select: all;
      }

      .more {
        margin-block-start: 12px;
      }
    `,
  ];

  declare api: Api;
  declare visit: Visit | null;
  /** null, as the deeds: not loaded yet. */
  declare inside: readonly Session[] | null;
  declare deeds: readonly Deed[] | null;
  declare next: string | null;
  declare name: string;
  declare role: Role;
  /** Ids of those that the link is for; null: all. */
  declare bots: readonly string[] | null;
  declare link: string;
  declare isBusy: boolean;
  declare problem: string;

  constructor() {
    super();
    this.visit = this.bots = this.inside = this.deeds = this.next = null;
    this.name = this.link = this.problem = "";
    this.role = "developer";
    this.isBusy = false;
  }

  protected override firstUpdated(): void {
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const [inside, found] = await Promise.all([sessions(this.api), log(this.api, null)]);
      this.inside = inside;
      this.deeds = found.deeds;
      this.next = found.before;
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  async #older(): Promise<void> {
    const { next } = this;
    try {
      const found = await log(this.api, next);
      if (next !== this.next) return;
      this.deeds = [...(this.deeds ?? []), ...found.deeds];
      this.next = found.before;
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  }

  async #invite(event: Event): Promise<void> {
    event.preventDefault();
    const name = this.name.trim();
    if (!name || this.isBusy || this.bots?.length === 0) return;
    this.isBusy = true;
    this.link = "";
    try {
      this.link = await invite(this.api, name, this.role, this.bots);
      this.name = "";
      this.bots = null;
      void this.#load();
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    } finally {
      this.isBusy = false;
    }
  }

  async #end({ id, name }: Session): Promise<void> {
    const run = () => end(this.api, id);
    const question = { title: words.sureEnd(name), help: words.sureEndHelp, act: words.yesEnd, stay: words.cancel, isGrave: true, run };
    if (!(await this.renderRoot.querySelector<StudioAsk>("studio-ask")?.ask(question))) return;
    this.dispatchEvent(new NoticeEvent(words.ended(name)));
    await this.#load();
  }

  override render() {
    return html`<h1>${words.title}</h1>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem} <button type="button" class="button" @click=${this.#load}>${frame.tryAgain}</button></p>` : nothing}
      ${this.inside ? this.#inside(this.inside) : nothing}${this.#form()}${this.deeds ? this.#log(this.deeds) : nothing}
      <studio-ask></studio-ask>`;
  }

  #inside(inside: readonly Session[]) {
    return html`<section aria-labelledby="inside">
      <h2 id="inside">${words.inside}</h2>
      <div class="table" tabindex="0" role="group" aria-labelledby="inside">
        <table>
          <thead>
            <tr><th scope="col">${words.name}</th><th scope="col">${words.role}</th><th scope="col">${words.way}</th><th scope="col">${words.since}</th><td></td></tr>
          </thead>
          <tbody>
            ${inside.map(
              (one) =>
                html`<tr>
                  <td>${one.name}${one.isOwn ? html` <span class="quiet">(${words.you})</span>` : nothing}</td>
                  <td>${words.roles[one.role]}${one.bots ? html` <span class="quiet">${words.onBots(one.bots.join(", "))}</span>` : nothing}</td>
                  <td>${one.issuer === null ? words.byLink : html`${new URL(one.issuer).host} <span class="quiet subject">${one.subject}</span>`}</td>
                  <td class="when">${moment(one.since)}</td>
                  <td class="act">
                    ${one.isOwn ? nothing : html`<button type="button" class="button" aria-label=${words.endOf(one.name)} @click=${() => this.#end(one)}>${words.end}</button>`}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #form() {
    return html`<section aria-labelledby="invite">
      <h2 id="invite">${words.invite}</h2>
      <p class="quiet">${words.inviteHelp}</p>
      <form class="invite" @submit=${this.#invite}>
        <label class="field"
          >${words.name}
          <input type="text" maxlength="80" autocomplete="off" .value=${this.name} @input=${(event: InputEvent) => (this.name = (event.target as HTMLInputElement).value)} />
        </label>
        <label class="field"
          >${words.role}
          <select @change=${(event: Event) => (this.role = (event.target as HTMLSelectElement).value as Role)} aria-describedby="may">
            ${ROLES.map((role) => html`<option value=${role} .selected=${role === this.role}>${words.roles[role]}</option>`)}
          </select>
        </label>
        ${this.#botsField()}
        <button type="submit" class="button main" ?disabled=${!this.name.trim() || this.isBusy || this.bots?.length === 0}>${this.isBusy ? words.making : words.make}</button>
      </form>
      <p class="quiet" id="may">${this.bots && this.role === "administrator" ? words.mayOnBots : words.may[this.role]}</p>
      <div role="status">
        ${this.link
          ? html`<p>${words.link}</p>
              <div class="made"><code>${this.link}</code><studio-copy main .text=${this.link} what=${words.theLink}></studio-copy></div>`
          : nothing}
      </div>
    </section>`;
  }

  #botsField() {
    const known = this.visit?.bots ?? [];
    if (known.length < 2) return nothing;
    const choose = (bots: readonly string[] | null) => () => (this.bots = bots);
    const toggle = (id: string) => (event: Event) => {
      const others = (this.bots ?? []).filter((one) => one !== id);
      this.bots = (event.target as HTMLInputElement).checked ? [...others, id] : others;
    };
    return html`<fieldset class="bots">
      <legend>${words.forBots}</legend>
      <div>
        <label><input type="radio" name="reach" .checked=${this.bots === null} @change=${choose(null)} />${words.allBots}</label>
        <label><input type="radio" name="reach" .checked=${this.bots !== null} @change=${choose([])} />${words.someBots}</label>
      </div>
      ${this.bots === null
        ? nothing
        : html`<div>
            ${known.map(({ id, name }) => html`<label><input type="checkbox" .checked=${this.bots?.includes(id) ?? false} @change=${toggle(id)} />${name}</label>`)}
          </div>`}
    </fieldset>`;
  }

  #log(deeds: readonly Deed[]) {
    return html`<section aria-labelledby="log">
      <h2 id="log">${words.log}</h2>
      ${deeds.length
        ? html`<div class="table" tabindex="0" role="group" aria-labelledby="log">
            <table>
              <thead>
                <tr><th scope="col">${words.when}</th><th scope="col">${words.who}</th><th scope="col">${words.what}</th><th scope="col">${words.where}</th></tr>
              </thead>
              <tbody>
                ${deeds.map(
                  (one) =>
                    html`<tr>
                      <td class="when">${moment(one.at)}</td>
                      <td>${one.who || words.somebody}${one.person ? html`<br /><code class="quiet subject">${one.person}</code>` : nothing}</td>
                      <td>${words.deeds[one.what] ?? one.what}${one.about ? html` <code class="quiet">${one.about.slice(0, 36)}</code>` : nothing}${one.access.map((told) => html`<p class="quiet access">${told}</p>`)}</td>
                      <td>${one.bot}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
        : html`<p class="quiet">${words.nothing}</p>`}
      ${this.next === null ? nothing : html`<button type="button" class="button more" @click=${this.#older}>${words.more}</button>`}
    </section>`;
  }
}
