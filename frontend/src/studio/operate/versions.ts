// <operate-versions>: a bot's versions with who published them and why, what differs between two, and the way back to one.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { type Api, Refused } from "../api";
import type { StudioAsk } from "../ask";
import { failureNotice, NoticeEvent } from "../notice";
import { controls, fields, text } from "../shared-styles";
import { moment } from "../time";
import { type Difference, ERASES, rollBack, shortOf as short, type Version, versionDifference, versions } from "../versions/api";
import { words as common } from "../versions/words";
import { ChangedEvent } from "./access-tokens";
import { tab, table } from "./styles";
import { stepInTable } from "../table-keys";
import { words } from "./words";

export class OperateVersions extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    found: { state: true },
    problem: { state: true },
    from: { state: true },
    to: { state: true },
    compared: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    fields,
    tab,
    table,
    css`
      section {
        margin-block-start: 28px;
      }

      .sides {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 12px;
        margin-block: 8px 12px;
      }

      .sides .field {
        flex: 0 1 300px;
      }

      @container (max-width: 479px) {
        .sides .field {
          flex: 1 0 100%;
        }
      }
    `,
  ];

  declare api: Api;
  declare bot: string;
  declare found: readonly Version[] | null;
  declare problem: string;
  declare from: string;
  declare to: string;
  declare compared: Difference | null;
  #asked = 0;

  constructor() {
    super();
    this.bot = this.problem = this.from = this.to = "";
    this.found = this.compared = null;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("bot")) return;
    this.found = this.compared = null;
    void this.#load();
  }

  async #load(): Promise<void> {
    const { bot } = this;
    this.problem = "";
    try {
      const found = await versions(this.api, bot);
      if (bot !== this.bot) return;
      this.found = found;
    } catch (error) {
      this.problem = (error as Error).message;
      return;
    }
    const active = this.#active;
    // What one asks first: what the last publish changed.
    const before = this.found.find((one) => !one.isActive && one.withdrawnAt === null) ?? this.found.find((one) => !one.isActive);
    if (active && before) await this.#compare(before.version, active.version);
  }

  get #active(): Version | undefined {
    return this.found?.find(({ isActive }) => isActive);
  }

  async #compare(from: string, to: string): Promise<void> {
    const asked = ++this.#asked;
    this.from = from;
    this.to = to;
    try {
      const compared = await versionDifference(this.api, this.bot, from, to);
      if (asked === this.#asked) this.compared = compared;
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  }

  override render() {
    const { found } = this;
    if (this.problem) return html`<p class="wrong" role="alert">${this.problem}</p><button type="button" class="button" @click=${this.#load}>${words.again}</button>`;
    if (!found) return nothing;
    return html`<h2 tabindex="-1" id="title">${words.tabs.versions}</h2>
      <p class="quiet">${words.versionsHelp}</p>
      <table role="table" aria-labelledby="title" @keydown=${(event: KeyboardEvent) => stepInTable(event, this.renderRoot)}>
        <thead role="rowgroup">
          <tr role="row">
            ${words.versionColumns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}
            <th role="columnheader" scope="col" class="acts-of"><span class="unseen">${words.actions}</span></th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${found.map((version) => this.#row(version))}
        </tbody>
      </table>
      ${found.length > 1 ? this.#difference(found) : nothing} <studio-ask></studio-ask>`;
  }

  #row(one: Version): TemplateResult {
    const state = one.isActive ? words.active : one.withdrawnAt ? words.withdrawn : "";
    const active = this.#active;
    return html`<tr role="row">
      <td role="cell" class="short"><code title=${one.version}>${short(one.version)}</code> ${state ? html`<span class="mark ${one.isActive ? "ok" : ""}">${state}</span>` : nothing}</td>
      <td role="cell" class="short"><time datetime=${one.activatedAt}>${moment(one.activatedAt)}</time></td>
      <td role="cell">${one.author ?? html`<span class="quiet">${words.byProgram}</span>`}</td>
      <td role="cell" class="long">${one.note}</td>
      <td role="cell" class="short">${words.talks(one.runningTalks)}</td>
      <td role="cell" class="acts-of">
        ${one.isActive || !active
          ? nothing
          : html`<button type="button" class="plain" aria-label=${words.compareWith(short(one.version))} @click=${() => this.#show(one, active)}>${words.compare}</button
              ><button type="button" class="plain" aria-label=${words.rollBackTo(short(one.version))} @click=${() => this.#rollBack(one, active)}>${words.rollBack}</button>`}
      </td>
    </tr>`;
  }

  async #show(one: Version, active: Version): Promise<void> {
    await this.#compare(one.version, active.version);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#difference")?.focus();
  }

  #difference(found: readonly Version[]): TemplateResult {
    const { compared } = this;
    return html`<section aria-labelledby="difference">
      <h2 id="difference" tabindex="-1">${common.difference}</h2>
      <div class="sides">
        ${this.#side(words.from, found, this.from, (version) => this.#compare(version, this.to))} ${this.#side(words.to, found, this.to, (version) => this.#compare(this.from, version))}
      </div>
      ${compared ? html`<studio-difference .found=${compared}></studio-difference>` : nothing}
    </section>`;
  }

  #side(title: string, found: readonly Version[], chosen: string, choose: (version: string) => void): TemplateResult {
    return html`<label class="field"
      >${title}
      <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
        ${found.map((one) => html`<option value=${one.version} ?selected=${one.version === chosen}>${short(one.version)} · ${one.note || moment(one.activatedAt)}</option>`)}
      </select>
    </label>`;
  }

  async #rollBack(version: Version, active: Version): Promise<void> {
    const { api, bot } = this;
    const ask = this.renderRoot.querySelector<StudioAsk>("studio-ask");
    let access: readonly string[];
    try {
      ({ access } = await versionDifference(api, bot, active.version, version.version));
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
      return;
    }
    let erasing = "";
    const question = { title: words.rollBackAsk(short(version.version)), stay: words.cancel, effects: { title: common.access, lines: access } };
    let isDone = await ask?.ask({
      ...question,
      help: words.rollBackHelp(short(active.version), active.runningTalks),
      act: words.rollBack,
      isGrave: false,
      run: async () => {
        try {
          await rollBack(api, bot, version.version);
        } catch (error) {
          if (!(error instanceof Refused) || error.code !== ERASES) throw error;
          erasing = error.message;
        }
      },
    });
    if (isDone && erasing)
      isDone = await ask?.ask({ ...question, help: erasing, act: words.rollBackErasing, isGrave: true, run: () => rollBack(api, bot, version.version, true) });
    if (!isDone) return;
    this.dispatchEvent(new NoticeEvent(words.rolledBack(short(version.version))));
    this.dispatchEvent(new ChangedEvent());
    await this.#load();
    this.renderRoot.querySelector<HTMLElement>("#title")?.focus();
  }
}
