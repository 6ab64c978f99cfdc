// <understand-report>: what each value's expressions are worth, and what is taken for what.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { controls, text } from "../shared-styles";
import type { Workspace } from "../workspace";
import { type Advice, type Report, type ReportGroup, Understanding, type ValueReport } from "./api";
import { tables } from "./styles";
import type { Place } from "./training";
import { percent, words } from "./words";

/** The expressions of a value are to be edited. */
export class ShowValueEvent extends Event {
  constructor(readonly place: Place) {
    super("understand-show");
  }
}

export class UnderstandReport extends LitElement {
  static override properties = {
    api: { attribute: false },
    workspace: { attribute: false },
    bot: {},
    found: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    tables,
    css`
      :host {
        display: block;
        padding-block-end: 48px;
      }

      .top {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 16px;
        align-items: center;
        padding: 12px 16px;
      }

      .top p {
        flex: 1 1 280px;
        font-size: 13px;
      }

      section {
        margin-block-end: 24px;
      }

      h2,
      .verdict,
      ul {
        margin: 4px 16px;
      }

      .verdict {
        font-size: 13px;
        margin-block-end: 8px;
      }

      .advice {
        padding: 0;
        list-style: none;
        font-size: 13px;
      }

      .advice li {
        padding: 6px 0;
        border-block-end: 1px solid var(--line);
      }

      .taken {
        display: block;
      }

      .value {
        min-block-size: 24px;
        margin-block: -2px;
        margin-inline-start: -8px;
        padding-block: 1px;
        color: var(--text);
      }

      summary {
        cursor: default;
      }
    `,
  ];

  declare api: Api;
  declare workspace: Workspace;
  declare bot: string;
  declare found: Report | null;
  declare problem: string;
  declare isBusy: boolean;
  #asking = new AbortController();

  constructor() {
    super();
    this.bot = this.problem = "";
    this.found = null;
    this.isBusy = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#asking.abort();
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (!changes.has("bot") || !this.bot) return;
    this.found = null;
    void this.#measure();
  }

  async #measure(): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    this.isBusy = true;
    this.problem = "";
    try {
      const found = await new Understanding(this.api, this.bot, signal).report(this.workspace.changed());
      if (!signal.aborted) this.found = found;
    } catch (error) {
      if (!signal.aborted) this.problem = (error as Error).message;
    }
    if (!signal.aborted) this.isBusy = false;
  }

  override render() {
    const { found } = this;
    return html`<div class="top">
        <p class="quiet" role="status">${this.isBusy ? words.reportRunning : words.reportHelp}</p>
        <button type="button" class="button" ?disabled=${this.isBusy} @click=${() => void this.#measure()}>${words.runReport}</button>
      </div>
      ${this.problem ? html`<p class="verdict bad" role="alert">${this.problem}</p>` : nothing}
      ${found ? (found.groups.length ? found.groups.map((group) => this.#group(group, found.good)) : html`<div class="empty"><h2>${words.noReport}</h2><p>${words.noReportHelp}</p></div>`) : nothing}
      ${found?.advice.length
        ? html`<section><h2>${words.advice}</h2><ul class="advice">${found.advice.map((one) => this.#advice(one))}</ul></section>`
        : nothing}`;
  }

  #group(group: ReportGroup, good: number) {
    const values = [...group.values].sort((one, other) => shareOf(one) - shareOf(other));
    const verdict =
      group.understood === null ? words.notTried : `${words.understoodOf(percent(group.understood))}. ${group.isGood ? words.good(percent(good)) : words.notGood(percent(good), group.extend)}`;
    return html`<section>
      <h2>${group.types.join(", ")}</h2>
      <p class="verdict ${group.isGood ? "good" : ""}">${verdict}</p>
      <table>
        <thead>
          <tr><th scope="col">${words.value}</th><th scope="col" class="number">${words.expressions}</th><th scope="col" class="number">${words.understood}</th><th scope="col">${words.takenFor}</th></tr>
        </thead>
        <tbody>
          ${values.map(
            (one) => html`<tr>
              <td><button type="button" class="plain value" aria-label=${words.edit(one.value)} @click=${() => this.dispatchEvent(new ShowValueEvent({ type: one.type, value: one.value }))}>${one.value}</button></td>
              <td class="number">${one.expressions}</td>
              <td class="number ${one.tried && one.understood / one.tried < good ? "bad" : ""}">${one.tried ? words.of(one.understood, one.tried) : "–"}</td>
              <td>${one.confused.map((other) => html`<details class="taken"><summary>${other.value} (${other.sentences.length})</summary><span class="quiet">${other.sentences.join(" · ")}</span></details>`)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  #advice({ problem, message, values, sentences }: Advice) {
    return html`<li>${words.problem[problem]?.(values) ?? message}${sentences.length ? html`<span class="quiet"> ${sentences.map((one) => `“${one}”`).join(" · ")}</span>` : nothing}</li>`;
  }
}

/** Values that could not be tried stand last. */
function shareOf({ understood, tried }: ValueReport): number {
  return tried ? understood / tried : 2;
}
