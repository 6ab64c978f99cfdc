// <understand-missed>: sentences of real users that were not understood, by the value that they are nearest to; what is added to a
// value, and what that changes.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { follow, GoEvent } from "../events";
import { done, plus } from "../icons";
import { addressOf } from "../route";
import { controls, text } from "../shared-styles";
import type { Workspace } from "../workspace";
import { type Effect, type Group, type Missed, type Sense, type Sentence, type Turned, Understanding } from "./api";
import { tables } from "./styles";
import { type EntityType, isTaught, type Place, placeOfExpression } from "./training";
import { words } from "./words";

/** Milliseconds without a change after which its effect is asked for. */
const EFFECT_AFTER_MS = 600;
const DAY_MS = 86_400_000;

/** Sentences are to be added to the expressions of a value. */
export class AddEvent extends Event {
  constructor(
    readonly place: Place,
    readonly sentences: readonly string[],
  ) {
    super("understand-add");
  }
}

export class UnderstandMissed extends LitElement {
  static override properties = {
    api: { attribute: false },
    workspace: { attribute: false },
    bot: {},
    types: { attribute: false },
    training: {},
    days: { state: true },
    found: { state: true },
    problem: { state: true },
    chosen: { state: true },
    target: { state: true },
    effect: { state: true },
    effectProblem: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    tables,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-block-size: 0;
        block-size: 100%;
      }

      .top {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 10px;
        align-items: center;
        min-block-size: 48px;
        padding: 7px 16px;
        border-block-end: 1px solid var(--line);
        font-size: 13px;
      }

      select {
        min-block-size: 32px;
        max-inline-size: 260px;
        padding: 3px 8px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        color: inherit;
        font: inherit;
      }

      .gap {
        flex: 1;
      }

      .body {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(240px, 32%);
        min-block-size: 0;
      }

      .scroll {
        min-block-size: 0;
        overflow: hidden auto;
        padding-block-end: 48px;
        scrollbar-width: thin;
        scrollbar-color: var(--line-strong) transparent;
      }

      .effect {
        border-inline-start: 1px solid var(--line);
        padding: 12px 16px 48px;
        font-size: 13px;
      }

      .effect h2 {
        font-size: 13px;
      }

      .effect p,
      .effect ul {
        margin-block-start: 8px;
      }

      .effect ul {
        padding: 0;
        list-style: none;
      }

      .effect li {
        padding: 3px 0;
        overflow-wrap: anywhere;
      }

      .effect pre {
        padding: 8px;
        overflow: auto;
        border-radius: 8px;
        background: var(--raised);
      }

      .group {
        display: flex;
        gap: 8px;
        align-items: center;
        margin: 0;
        padding: 14px 16px 4px;
        font-size: 13px;
        font-weight: 600;
      }

      .group .quiet {
        font-weight: 400;
      }

      .box {
        inline-size: 36px;
      }

      input[type="checkbox"] {
        inline-size: 16px;
        block-size: 16px;
        margin: 6px 0 0;
        accent-color: var(--brand);
      }

      .group input[type="checkbox"] {
        margin: 0;
      }

      td {
        padding-block: 3px;
        line-height: 28px;
      }

      .said {
        line-height: 20px;
        padding-block: 7px;
      }

      .scroll table {
        table-layout: fixed;
      }

      summary {
        padding: 14px 16px 4px;
        color: var(--quiet);
        font-size: 13px;
        font-weight: 600;
        cursor: pointer;
      }

      .times {
        inline-size: 52px;
      }

      .talks {
        inline-size: 148px;
      }

      .where {
        inline-size: 224px;
        line-height: 20px;
        padding-block: 7px;
      }

      .where .plain {
        min-block-size: 28px;
        margin-block: -4px;
        text-align: start;
        overflow-wrap: anywhere;
      }

      .state {
        display: inline-flex;
        gap: 5px;
        align-items: center;
      }

      @media (pointer: coarse) {
        select {
          min-block-size: 44px;
          font-size: 16px;
        }

        input[type="checkbox"] {
          inline-size: 22px;
          block-size: 22px;
        }
      }

      @container room (max-width: 560px) {
        .talks {
          display: none;
        }

        .times {
          inline-size: 36px;
        }

        .where {
          inline-size: 128px;
        }
      }

      @container room (max-width: 820px) {
        .body {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: minmax(0, 1fr) auto;
        }

        .effect {
          max-block-size: 34vh;
          border-inline-start: 0;
          border-block-start: 1px solid var(--line);
          padding-block-end: 12px;
        }
      }
    `,
  ];

  declare api: Api;
  declare workspace: Workspace;
  declare bot: string;
  declare types: readonly EntityType[];
  /** The text of training.json. */
  declare training: string;
  declare days: string;
  declare found: Missed | null;
  declare problem: string;
  declare chosen: ReadonlySet<string>;
  /** What is chosen to add to, as JSON of type and value; "": what the first chosen sentence is nearest to. */
  declare target: string;
  declare effect: Effect | "running" | null;
  declare effectProblem: string;
  #loading = new AbortController();
  #measuring = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.bot = this.problem = this.target = this.effectProblem = this.training = "";
    this.days = "30";
    this.types = [];
    this.found = this.effect = null;
    this.chosen = new Set();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#loading.abort();
    this.#measuring.abort();
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has("bot") && this.bot) {
      this.chosen = new Set();
      this.target = "";
      this.effect = null;
      void this.#load();
    }
    if (changes.has("training")) this.#effectSoon();
  }

  get #since(): string {
    return new Date(Date.now() - Number(this.days) * DAY_MS).toISOString().slice(0, 10);
  }

  async #load(): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    this.found = null;
    this.problem = "";
    try {
      const found = await new Understanding(this.api, this.bot, signal).missed(this.#since);
      if (!signal.aborted) this.found = found;
    } catch (error) {
      if (!signal.aborted) this.problem = (error as Error).message;
    }
  }

  #effectSoon(): void {
    clearTimeout(this.#timer);
    this.#measuring.abort();
    this.effectProblem = "";
    const changes = this.workspace.changed();
    this.effect = Object.keys(changes).length ? "running" : null;
    if (this.effect) this.#timer = setTimeout(() => void this.#seeEffect(), EFFECT_AFTER_MS);
  }

  async #seeEffect(): Promise<void> {
    const { signal } = (this.#measuring = new AbortController());
    try {
      const effect = await new Understanding(this.api, this.bot, signal).effect(this.workspace.changed(), this.#since);
      if (!signal.aborted) this.effect = effect;
    } catch (error) {
      if (signal.aborted) return;
      this.effect = null;
      this.effectProblem = (error as Error).message;
    }
  }

  #choose(texts: readonly string[], isChosen: boolean): void {
    const chosen = new Set(this.chosen);
    for (const text of texts) isChosen ? chosen.add(text) : chosen.delete(text);
    this.chosen = chosen;
    if (!chosen.size) this.target = "";
  }

  #add(place: Place, sentences: readonly string[]): void {
    this.dispatchEvent(new AddEvent(place, sentences));
    this.#choose(sentences, false);
  }

  /** The value that the bar adds to: the chosen one, else the nearest; where none is near, nothing is guessed. */
  get #place(): Place | null {
    if (this.target) return JSON.parse(this.target) as Place;
    const first = this.found?.groups.flatMap(({ sentences }) => sentences).find(({ text }) => this.chosen.has(text));
    return first?.nearest ? { type: first.nearest.type, value: first.nearest.value } : null;
  }

  override render() {
    const { found } = this;
    return html`<div class="top">
        ${this.chosen.size ? this.#adding() : this.#period()}
      </div>
      <div class="body">
        <div class="scroll" tabindex="-1">
          ${this.problem
            ? html`<div class="empty"><p role="alert">${this.problem}</p><button type="button" class="button" @click=${() => void this.#load()}>${words.tryAgain}</button></div>`
            : !found
              ? html`<div class="empty" role="status"><p>${words.loading}</p></div>`
              : found.groups.length
                ? this.#groups(found.groups)
                : html`<div class="empty"><h2>${words.noMissed}</h2><p>${words.noMissedHelp}</p></div>`}
        </div>
        <section class="effect scroll" aria-labelledby="effect" tabindex="0">${this.#effect()}</section>
      </div>`;
  }

  #period() {
    const choose = (event: Event) => {
      this.days = (event.target as HTMLSelectElement).value;
      void this.#load();
      this.#effectSoon();
    };
    return html`<label>${words.since} <select @change=${choose}>
        ${Object.entries(words.days).map(([days, name]) => html`<option value=${days} ?selected=${days === this.days}>${name}</option>`)}
      </select></label>
      ${this.found?.isCut ? html`<span class="quiet">${words.missedCut}</span>` : nothing}`;
  }

  #adding() {
    if (!this.types.some((one) => isTaught(one) && one.values.length)) return html`<span class="quiet">${words.noTaught}</span>`;
    const place = this.#place;
    const key = JSON.stringify(place);
    return html`<span id="adding">${words.addChosen(this.chosen.size)}</span>
      <select aria-labelledby="adding" @change=${(event: Event) => (this.target = (event.target as HTMLSelectElement).value)}>
        ${place ? nothing : html`<option value="" selected disabled>${words.chooseValue}</option>`}
        ${this.types.filter(isTaught).map(
          ({ name, values }) =>
            html`<optgroup label=${name}>
              ${values.map(({ value }) => {
                const own = JSON.stringify({ type: name, value } satisfies Place);
                return html`<option value=${own} ?selected=${own === key}>${value}</option>`;
              })}
            </optgroup>`,
        )}
      </select>
      <button type="button" class="button main" ?disabled=${!place} @click=${() => place && this.#add(place, [...this.chosen])}>${plus}${words.add}</button>`;
  }

  /** What the draft understands by now stands below, folded up. */
  #groups(groups: readonly Group[]) {
    const isOpen = ({ understood }: Sentence) => !understood;
    const mended = groups.flatMap(({ sentences }) => sentences.filter((one) => !isOpen(one)));
    return html`${groups.filter(({ sentences }) => sentences.some(isOpen)).map((group) => this.#group({ ...group, sentences: group.sentences.filter(isOpen) }))}
      ${mended.length
        ? html`<details class="mended"><summary>${words.mended(mended.length)}</summary>${this.#table(words.mended(mended.length), mended)}</details>`
        : nothing}`;
  }

  #group(group: Group): TemplateResult {
    const title = group.value === null ? words.nearNone : words.near(group.value);
    const texts = group.sentences.map(({ text }) => text);
    const isWhole = texts.every((one) => this.chosen.has(one));
    return html`<h2 class="group">
        <input type="checkbox" aria-label=${words.chooseGroup(title)} .checked=${isWhole} @change=${(event: Event) => this.#choose(texts, (event.target as HTMLInputElement).checked)} />
        ${title} <span class="quiet">${words.times(group.sentences.reduce((sum, { count }) => sum + count, 0))}</span>
      </h2>
      ${this.#table(title, group.sentences, group.value !== null)}`;
  }

  /** `isNear`: near enough to their value to be offered it. */
  #table(title: string, sentences: readonly Sentence[], isNear = false): TemplateResult {
    return html`<table aria-label=${title}>
      <tbody>
        ${sentences.map((one) => this.#row(one, isNear))}
      </tbody>
    </table>`;
  }

  #row(one: Sentence, isNear: boolean): TemplateResult {
    const { text, understood, count, conversations } = one;
    const added = placeOfExpression(this.types, text);
    return html`<tr>
      <td class="box">
        <input type="checkbox" aria-label=${words.choose(text)} .checked=${this.chosen.has(text)} @change=${(event: Event) => this.#choose([text], (event.target as HTMLInputElement).checked)} />
      </td>
      <td class="said" dir="auto">${text}</td>
      <td class="times number quiet" title=${words.timesLong(count)}>${words.times(count)}</td>
      <td class="talks">${this.#talks(conversations)}</td>
      <td class="where">
        ${added
          ? html`<span class="state good">${done}${words.added(added.value)}</span>`
          : understood
            ? html`<span class="state good">${done}${words.understoodNow(understood.value)}</span>`
            : suggestions(one, isNear).map(
                (place) => html`<button type="button" class="plain" aria-label=${words.addSentence(text, place.value)} @click=${() => this.#add(place, [text])}>${plus}${words.addTo(place.value)}</button>`,
              )}
      </td>
    </tr>`;
  }

  #talks(ids: readonly string[]) {
    const query = new URLSearchParams({ filter: JSON.stringify({ _id: { $in: ids } }) }).toString();
    const go = (event: MouseEvent) => follow(event, () => this.dispatchEvent(new GoEvent({ room: "conversations", query })));
    return html`<a href=${addressOf({ bot: this.bot, room: "conversations", query })} @click=${go}>${words.conversations(ids.length)}</a>`;
  }

  // -- what the changes do

  #effect() {
    const { effect } = this;
    return html`<h2 id="effect">${words.effect}</h2>
      <div role="status">
        ${this.effectProblem
          ? html`<p class="bad">${this.effectProblem}</p>`
          : effect === null
            ? html`<p class="quiet">${words.effectNone}</p>`
            : effect === "running"
              ? html`<p class="quiet">${words.effectRunning}</p>`
              : this.#told(effect)}
      </div>`;
  }

  #told({ red, green, passed, failed, sentences }: Effect) {
    return html`${red.length ? html`<p class="bad">${words.testsRed(red.length)}</p>${red.map((one) => this.#turned(one))}` : nothing}
      ${green.length ? html`<p class="good">${words.testsGreen(green.length)}</p>${green.map((one) => this.#turned(one))}` : nothing}
      ${red.length || green.length ? nothing : html`<p class=${failed ? "" : "good"}>${words.testsSame(passed, failed)}</p>`}
      <p>${words.sentencesTurned(sentences.length)}</p>
      <ul>
        ${sentences.map(({ text, before, after }) => html`<li>${text} <span class=${after ? "good" : "bad"}>${words.becomes(name(after))}</span>${before ? html` <span class="quiet">(${name(before)})</span>` : nothing}</li>`)}
      </ul>`;
  }

  #turned({ title, lines }: Turned) {
    if (!lines.length) return html`<p>${title}</p>`;
    return html`<details><summary>${title}</summary><pre tabindex="0">${lines.join("\n")}</pre></details>`;
  }
}

/** The values that a sentence may be meant for: the nearest one if that is near, and what users were asked about. */
export function suggestions({ nearest, offered }: Sentence, isNear: boolean): Place[] {
  const found = [...(nearest && isNear ? [nearest] : []), ...offered];
  return found.filter((one, at) => found.findIndex(({ type, value }) => type === one.type && value === one.value) === at);
}

function name(sense: Sense | null): string {
  return sense?.value ?? words.notUnderstood;
}
