// <studio-insights>: what became of a bot's conversations in a period. Each number leads to its conversations.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { type Api, Refused } from "../api";
import { number, percent } from "../conversations/words";
import { fields } from "../conversations/styles";
import { follow, GoEvent, OpenPathEvent } from "../events";
import { failureNotice } from "../notice";
import { addressOf, type Route } from "../route";
import { column, controls, states, text } from "../shared-styles";
import { moment } from "../time";
import { everyDay, type Figure, type Insights, insights, type Row, SCOPE, type Scope } from "./api";
import { day, duration, words } from "./words";

const NAMES = ["days", "from", "to", "channel", "version"] as const;

export class StudioInsights extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    route: { attribute: false },
    isLate: { type: Boolean },
    scope: { state: true },
    found: { state: true },
    problem: { state: true },
    isOwn: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    column,
    states,
    fields,
    css`
      :host {
        max-inline-size: 1120px;
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px;
        margin-block: 12px 20px;
      }

      .row label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        color: var(--quiet);
        font-size: 13px;
      }

      .cut {
        margin-block-end: 16px;
        padding: 8px 12px;
        border-radius: 8px;
        background: var(--raised);
        font-size: 13px;
      }

      .figures {
        display: grid;
        grid-template-columns: repeat(4, minmax(0, 1fr));
        gap: 1px;
        margin: 0;
        border: 1px solid var(--line);
        border-radius: 12px;
        background: var(--line);
        overflow: hidden;
      }

      .figures > div {
        padding: 12px 14px;
        background: var(--panel);
      }

      /* The last one fills what is left of its row. */
      .figures > :last-child:nth-child(4n + 2) {
        grid-column: span 3;
      }

      .figures > :last-child:nth-child(4n + 3) {
        grid-column: span 2;
      }

      .figures dt {
        color: var(--quiet);
        font-size: 12.5px;
        line-height: 18px;
      }

      .figures dd {
        margin: 0;
        font-size: 22px;
        font-weight: 600;
        line-height: 30px;
        letter-spacing: -0.01em;
        font-variant-numeric: tabular-nums;
      }

      .figures dd + dd {
        color: var(--quiet);
        font-size: 12.5px;
        font-weight: 400;
        line-height: 18px;
        letter-spacing: 0;
      }

      .figures a,
      td a {
        color: inherit;
        text-decoration-color: var(--line-strong);
      }

      @media (hover: hover) {
        .figures a:hover,
        td a:hover {
          color: var(--brand-ink);
          text-decoration-color: currentcolor;
        }
      }

      section {
        margin-block-start: 32px;
      }

      section > p {
        max-inline-size: 76ch;
        margin-block: 4px 0;
        font-size: 13px;
      }

      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr));
        gap: 0 40px;
      }

      .scroll {
        overflow-x: auto;
        scrollbar-width: thin;
        scrollbar-color: var(--line-strong) transparent;
      }

      table {
        inline-size: 100%;
        margin-block-start: 8px;
        border-collapse: collapse;
        font-size: 13px;
      }

      th {
        padding: 6px 10px 6px 0;
        border-block-end: 1px solid var(--line);
        color: var(--quiet);
        font-size: 12px;
        font-weight: 500;
        text-align: start;
        white-space: nowrap;
      }

      td {
        block-size: 34px;
        padding: 0 10px 0 0;
        border-block-end: 1px solid var(--line);
      }

      th.number,
      td.number {
        text-align: end;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }

      .name {
        max-inline-size: 220px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .bars td:nth-child(2) {
        inline-size: 55%;
      }

      .meter {
        display: block;
        inline-size: 100%;
        block-size: 12px;
        border-radius: 4px;
        background: var(--raised);
      }

      .meter rect {
        fill: var(--brand-line);
      }

      td .plain {
        margin-inline-start: -8px;
      }

      summary {
        inline-size: fit-content;
        padding-block: 6px;
        color: var(--quiet);
        font-size: 13px;
        cursor: pointer;
      }

      .bar {
        block-size: 64px;
        margin-block: 12px;
        border-radius: 12px;
        background: var(--raised);
      }

      @container (max-width: 519px) {
        .figures {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        .figures > :last-child:nth-child(even) {
          grid-column: auto;
        }

        .figures > :last-child:nth-child(odd) {
          grid-column: 1 / -1;
        }
      }

      @media (pointer: coarse) {
        td {
          block-size: 44px;
        }

        td a {
          display: inline-block;
          padding-block: 10px;
        }
      }
    `,
  ];

  declare api: Api;
  declare bot: string;
  declare route: Route;
  declare isLate: boolean;
  declare scope: Scope;
  declare found: Insights | null;
  declare problem: Refused | null;
  /** The reader chooses days of the calendar. */
  declare isOwn: boolean;
  #asked = 0;

  constructor() {
    super();
    this.bot = "";
    this.isLate = this.isOwn = false;
    this.scope = SCOPE;
    this.found = this.problem = null;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("bot") && !changed.has("route")) return;
    const parameters = new URLSearchParams(this.route?.query ?? "");
    const scope = { ...SCOPE };
    for (const name of NAMES) scope[name] = parameters.get(name) ?? SCOPE[name];
    const isSame = !changed.has("bot") && JSON.stringify(scope) === JSON.stringify(this.scope);
    if (isSame && (this.found || this.problem)) return;
    if (changed.has("bot")) this.found = null;
    this.scope = scope;
    this.isOwn = scope.from !== "";
    void this.load();
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    this.problem = null;
    try {
      const found = await insights(this.api, this.bot, this.scope);
      if (asked === this.#asked) this.found = found;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.problem = error as Refused;
      if (this.found) this.dispatchEvent(failureNotice(error));
    }
  }

  #choose(more: Partial<Scope>): void {
    const scope = { ...this.scope, ...more };
    const parameters = new URLSearchParams();
    for (const name of NAMES) if (scope[name] !== SCOPE[name]) parameters.set(name, scope[name]);
    this.dispatchEvent(new GoEvent({ query: parameters.toString(), isReplacing: true }));
  }

  #period = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.isOwn = value === "";
    if (value) this.#choose({ days: value, from: "", to: "" });
  };

  // -- drawing

  override render() {
    const { found, problem } = this;
    return html`<h1 tabindex="-1">${words.title}</h1>
      ${this.#scopes()}
      ${problem && !found
        ? html`<div class="problem" role="alert">
            <p class="quiet">${problem.message}</p>
            <button type="button" class="button" @click=${() => this.load()}>${words.again}</button>
          </div>`
        : found
          ? this.#insights(found)
          : html`<div aria-busy="true">${this.isLate ? [0, 1, 2].map(() => html`<div class="bar"></div>`) : nothing}</div>`}`;
  }

  #scopes() {
    const { scope, found, isOwn } = this;
    const versions = [...new Set([...(found?.allVersions ?? []), ...(scope.version ? [scope.version] : [])])].filter(Boolean);
    const channels = [...new Set([...(found?.allChannels ?? []), ...(scope.channel ? [scope.channel] : [])])];
    return html`<div class="row" role="group" aria-label=${words.filters}>
      <select aria-label=${words.period} @change=${this.#period}>
        ${Object.entries(words.periods).map(([days, title]) => html`<option value=${days} ?selected=${!isOwn && scope.days === days}>${title}</option>`)}
        <option value="" ?selected=${isOwn}>${words.ownPeriod}</option>
      </select>
      ${isOwn
        ? html`<label>${words.from}<input type="date" .value=${scope.from} @change=${(event: Event) => this.#choose({ from: (event.target as HTMLInputElement).value })} /></label>
            <label>${words.to}<input type="date" .value=${scope.to} @change=${(event: Event) => this.#choose({ to: (event.target as HTMLInputElement).value })} /></label>`
        : nothing}
      ${this.#select(words.channel, scope.channel, [["", words.anyChannel], ...channels.map((id): [string, string] => [id, id])], (channel) => this.#choose({ channel }))}
      ${this.#select(words.version, scope.version, [["", words.anyVersion], ...versions.map((id): [string, string] => [id, id.slice(0, 7)])], (version) => this.#choose({ version }))}
    </div>`;
  }

  #select(label: string, value: string, options: readonly (readonly [string, string])[], choose: (value: string) => void) {
    return html`<select aria-label=${label} class=${value ? "on" : ""} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${options.map(([id, title]) => html`<option value=${id} ?selected=${id === value}>${title}</option>`)}
    </select>`;
  }

  #insights(found: Insights) {
    if (!found.conversations.count)
      return html`<div class="problem">
        <h2>${words.none}</h2>
        <p class="quiet">${words.noneHelp}</p>
        <button type="button" class="button" @click=${() => this.#choose({ ...SCOPE, days: "365" })}>${words.lastYear}</button>
      </div>`;
    return html`${found.isCut ? html`<p class="cut">${words.cut(number(100_000), moment(found.since))}</p>` : nothing}
      <h2 class="unseen">${words.figures}</h2>
      ${this.#figures(found)} ${this.#funnel(found)} ${this.#days(found)} ${this.#dropOffs(found)}
      <div class="two">
        ${this.#rows(words.goals, words.goal, found.goals)} ${this.#rows(words.channels, words.channel, found.channels)}
        ${this.#rows(words.versions, words.version, found.versions, (name) => html`<code>${name.slice(0, 7) || "–"}</code>`)}
      </div>`;
  }

  #figures(found: Insights) {
    const { answer, firstAnswer, notUnderstoodMessages: missed, userMessages } = found;
    const rows: [string, TemplateResult | string, string][] = [
      [words.conversations, this.#link(found.conversations, words.conversations), found.running.count ? `${words.running}: ${number(found.running.count)}` : ""],
      [words.completed, this.#link(found.completed, words.completed), found.completed.share === undefined ? "" : words.completedOf(found.completed.share)],
      [words.stopped, this.#link(found.stopped, words.stopped), found.stopped.share === undefined ? "" : words.completedOf(found.stopped.share)],
      [words.notUnderstood, this.#link(found.notUnderstood, words.notUnderstood), words.messagesOf(missed, userMessages ? missed / userMessages : 0)],
      [words.offered, this.#link(found.offered, words.offered), words.offers(found.offers)],
      [words.offersTaken, this.#link(found.offersTaken, words.offersTaken), found.offersTaken.share === undefined ? "" : words.offeredOf(found.offersTaken.share)],
      [words.offersRefused, this.#link(found.offersRefused, words.offersRefused), found.offersRefused.share === undefined ? "" : words.offeredOf(found.offersRefused.share)],
      [words.failed, this.#link(found.failed, words.failed), words.failedOf(found.errors)],
      [words.handedOver, this.#link(found.handedOver, words.handedOver), found.handedOver.share ? words.share(found.handedOver.share) : ""],
      [
        words.answer,
        answer.median === null ? "–" : duration(answer.median),
        answer.most === null ? words.noAnswer : [firstAnswer.median === null ? "" : words.firstAnswer(duration(firstAnswer.median)), words.answerHelp(duration(answer.most), found.timedMessages)].filter(Boolean).join(" · "),
      ],
    ];
    return html`<dl class="figures">
      ${rows.map(([title, value, note]) => html`<div><dt>${title}</dt><dd>${value}</dd><dd>${note}</dd></div>`)}
    </dl>`;
  }

  #funnel(found: Insights) {
    const most = found.conversations.count;
    const steps: [string, Figure][] = [
      [words.conversations, found.conversations],
      [words.begun, found.withGoal],
      [words.completed, found.completed],
    ];
    return html`<section>
      <h2 id="funnel">${words.funnel}</h2>
      <table class="bars" aria-labelledby="funnel">
        <tbody>
          ${steps.map(
            ([title, figure]) => html`<tr>
              <td class="name">${title}</td>
              <td>${meter(figure.count, most)}</td>
              <td class="number">${this.#link(figure, title)}</td>
              <td class="number quiet">${percent(most ? figure.count / most : 0)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  #days(found: Insights) {
    const days = everyDay(found);
    const lines = [
      { title: words.conversations, values: days.map(({ row }) => row?.conversations.count ?? 0) },
      { title: words.completed, values: days.map(({ row }) => row?.completed.count ?? 0) },
    ];
    return html`<section>
      <h2>${words.days}</h2>
      ${days.length > 1 ? html`<studio-chart .days=${days.map((one) => one.day)} .lines=${lines}></studio-chart>` : nothing}
      <details ?open=${days.length < 2}>
        <summary>${words.daysTable}</summary>
        ${this.#table(words.days, words.day, found.days.toReversed?.() ?? [...found.days].reverse(), day)}
      </details>
    </section>`;
  }

  #dropOffs(found: Insights) {
    const most = Math.max(1, ...found.dropOffs.map(({ stopped }) => stopped.count));
    return html`<section>
      <h2 id="drop-off">${words.dropOff}</h2>
      <p class="quiet">${found.dropOffs.length ? words.dropOffHelp : words.noDropOff}</p>
      ${found.dropOffs.length
        ? html`<table class="bars" aria-labelledby="drop-off">
            <thead>
              <tr>
                <th scope="col">${words.step}</th>
                <td></td>
                <th scope="col" class="number">${words.conversations}</th>
                <th scope="col" class="number">%</th>
              </tr>
            </thead>
            <tbody>
              ${found.dropOffs.map(
                ({ step, path, stopped }) => html`<tr>
                  <td class="name">
                    <button type="button" class="plain" aria-label=${words.openStep(step)} @click=${() => this.dispatchEvent(new OpenPathEvent(path))}><code>${step}</code></button>
                  </td>
                  <td>${meter(stopped.count, most)}</td>
                  <td class="number">${this.#link(stopped, step)}</td>
                  <td class="number quiet">${percent(stopped.share ?? 0)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
        : nothing}
    </section>`;
  }

  #rows(title: string, column: string, rows: readonly Row[], shown?: (name: string) => TemplateResult | string) {
    if (!rows.length) return nothing;
    return html`<section>
      <h2>${title}</h2>
      ${this.#table(title, column, rows, shown)}
    </section>`;
  }

  #table(title: string, column: string, rows: readonly Row[], shown: (name: string) => TemplateResult | string = (name) => name) {
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${title}>
      <table>
        <thead>
          <tr>
            <th scope="col">${column}</th>
            <th scope="col" class="number">${words.conversations}</th>
            <th scope="col" class="number">${words.completed}</th>
            <th scope="col" class="number">${words.notUnderstood}</th>
            <th scope="col" class="number">${words.failed}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`<tr>
              <td class="name" title=${row.name}>${shown(row.name)}</td>
              ${([row.conversations, row.completed, row.notUnderstood, row.failed] as const).map(
                (figure, index) => html`<td class="number">
                  ${this.#link(figure, `${row.name}, ${[words.conversations, words.completed, words.notUnderstood, words.failed][index]}`)}${figure.share === undefined || !figure.count
                    ? nothing
                    : html` <span class="quiet">${percent(figure.share)}</span>`}
                </td>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** A number that leads to its conversations; of nothing there is nothing to see. */
  #link(figure: Figure, what: string): TemplateResult | string {
    if (!figure.count) return "0";
    const query = new URLSearchParams({ filter: JSON.stringify(figure.filter) }).toString();
    const go = (event: MouseEvent) => follow(event, () => this.dispatchEvent(new GoEvent({ room: "conversations", query })));
    const shown = number(figure.count);
    return html`<a href=${addressOf({ bot: this.bot, room: "conversations", query })} aria-label=${words.see(shown, what)} @click=${go}>${shown}</a>`;
  }
}

/** A bar as long as its share; the number stands beside it. */
function meter(value: number, most: number) {
  return html`<svg class="meter" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true"><rect width=${(100 * value) / most} height="12" /></svg>`;
}
