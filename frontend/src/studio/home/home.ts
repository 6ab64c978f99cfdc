// <studio-home>: the bots of this service, each a card that says how it stands and leads to its rooms; with none, the way to
// the first.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import { type Api, type Known, Refused, type Visit } from "../api";
import { follow, GoEvent } from "../events";
import { plus } from "../icons";
import { failureNotice } from "../notice";
import { FIRST_ROOM, roomsFor } from "../rooms";
import { addressOf } from "../route";
import { column, controls, dialogs, states, text } from "../shared-styles";
import { runTests, type TestRun } from "../test-run";
import { day } from "../time";
import { words as frame } from "../words";
import { type Standing, standing } from "./api";
import { words } from "./words";

/** Bots that are asked for at the same time. */
const AT_ONCE = 2;
/** Bots whose tests run by themselves: of more the service does not keep what it compiled for it. */
const MAX_TESTED = 8;

export class StudioHome extends LitElement {
  static override properties = {
    api: { attribute: false },
    visit: { attribute: false },
    standings: { state: true },
    runs: { state: true },
    isMaking: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    column,
    states,
    dialogs,
    css`
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px 16px;
      }

      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr));
        gap: 12px;
        margin: 16px 0 0;
        padding: 0;
        list-style: none;
      }

      .bot {
        position: relative;
        min-block-size: 92px;
        padding: 14px 16px;
        border: 1px solid var(--line);
        border-radius: 12px;
      }

      .bot h2 {
        overflow-wrap: anywhere;
      }

      .card {
        color: var(--text);
        text-decoration: none;
      }

      /* The whole card leads there; what stands above it acts for itself. */
      .card::after {
        content: "";
        position: absolute;
        inset: 0;
        border-radius: 12px;
      }

      .card:focus-visible {
        outline: none;
      }

      .card:focus-visible::after {
        outline: 2px solid var(--focus);
        outline-offset: 2px;
      }

      @media (hover: hover) {
        .bot:hover {
          border-color: var(--line-strong);
        }
      }

      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        align-items: baseline;
        gap: 2px 12px;
        margin-block-start: 8px;
        font-size: 13px;
        line-height: 20px;
      }

      dt {
        color: var(--quiet);
      }

      .bad {
        color: var(--danger);
        font-weight: 500;
      }

      .tests {
        position: relative;
        z-index: 1;
      }

      .tests:not(.bad) {
        color: light-dark(oklch(0.48 0.12 150), oklch(0.8 0.13 150));
      }

      .bot .plain {
        position: relative;
        z-index: 1;
        min-block-size: 24px;
        margin-inline-start: -8px;
        padding-block: 1px;
      }

      .first {
        max-inline-size: 720px;
        margin-inline: auto;
      }

      .first > p {
        margin-block: 4px 20px;
      }

      dialog {
        inline-size: min(640px, calc(100vw - 32px));
      }

      dialog h2 {
        margin-block-end: 12px;
      }
    `,
  ];

  declare api: Api;
  declare visit: Visit | null;
  /** How the bots stand, or why that is not known. */
  declare standings: Readonly<Record<string, Standing | Error>>;
  /** "refused": the tests could not be run. */
  declare runs: Readonly<Record<string, TestRun | "running" | "refused">>;
  declare isMaking: boolean;
  #asked = new Set<string>();

  constructor() {
    super();
    this.visit = null;
    this.standings = this.runs = {};
    this.isMaking = false;
  }

  get #mayBuild(): boolean {
    return roomsFor(this.visit?.role ?? "").includes("build");
  }

  get #mayMake(): boolean {
    return this.#mayBuild && !this.visit?.isForNamedBots;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("visit")) void this.#load();
  }

  async #load(): Promise<void> {
    if (!this.#mayBuild) return;
    const waiting = (this.visit?.bots ?? []).map(({ id }) => id).filter((id) => !this.#asked.has(id));
    for (const id of waiting) this.#asked.add(id);
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && this.isConnected; id = waiting.shift()) {
        const found = await standing(this.api, id).catch((error: Error) => error);
        this.standings = { ...this.standings, [id]: found };
        if (!(found instanceof Error) && found.hasTests && (this.visit?.bots.length ?? 0) <= MAX_TESTED) await this.#run(id, true);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  #again(id: string): void {
    this.#asked.delete(id);
    const { [id]: _, ...others } = this.standings;
    this.standings = others;
    void this.#load();
  }

  override render() {
    const bots = this.visit?.bots ?? [];
    if (!bots.length) return this.#first();
    return html`<header>
        <h1 tabindex="-1">${words.title}</h1>
        ${this.#mayMake ? html`<button type="button" class="button" @click=${this.#ask}>${plus}${words.newBot}</button>` : nothing}
      </header>
      <ul>
        ${bots.map((bot) => this.#card(bot))}
      </ul>
      <dialog aria-labelledby="new" @close=${this.#closed}>
        <h2 id="new">${words.newTitle}</h2>
        ${this.isMaking
          ? html`<studio-new-bot .api=${this.api}><button type="button" slot="cancel" class="button" @click=${() => this.#dialog?.close()}>${words.cancel}</button></studio-new-bot>`
          : nothing}
      </dialog>`;
  }

  #first() {
    return html`<div class="first">
      <h1 tabindex="-1">${words.none}</h1>
      <p class="quiet">${this.#mayMake ? words.noneHelp : words.noneForRole}</p>
      ${this.#mayMake ? html`<studio-new-bot .api=${this.api}></studio-new-bot>` : nothing}
    </div>`;
  }

  #card({ id, name }: Known) {
    const room = FIRST_ROOM;
    const go = (event: MouseEvent) => follow(event, () => this.dispatchEvent(new GoEvent({ bot: id, room })));
    const found = this.standings[id];
    return html`<li class="bot">
      <h2><a class="card" href=${addressOf({ bot: id, room })} @click=${go}>${name}</a></h2>
      ${found instanceof Error ? html`<p class="quiet" role="alert">${found.message}</p><button type="button" class="plain" @click=${() => this.#again(id)}>${frame.tryAgain}</button>` : found ? this.#standing(id, found) : nothing}
    </li>`;
  }

  #standing(id: string, { version, activatedAt, talks, oldTalks, findings, unpublished, author, hasTests }: Standing) {
    const short = version?.slice(0, 8) ?? "";
    return html`${unpublished ? html`<p class="unpublished" title=${frame.goesLive}>${frame.unpublished(unpublished)}${author ? html` <span class="quiet">${words.by(author)}</span>` : nothing}</p>` : nothing}<dl>
      ${version ? html`<dt>${words.version}</dt><dd>${activatedAt ? words.active(short, day(activatedAt)) : short}</dd>` : nothing}
      <dt>${words.talks}</dt><dd>${talks}${oldTalks ? html`<span class="quiet">, ${words.talksOld(oldTalks)}</span>` : nothing}</dd>
      <dt>${words.findings}</dt><dd class=${findings ? "bad" : ""}>${findings || words.noFindings}</dd>
      <dt>${words.tests}</dt><dd>${hasTests ? this.#tests(id) : words.noTests}</dd>
    </dl>`;
  }

  #tests(id: string) {
    const run = this.runs[id];
    const go = (event: MouseEvent) => follow(event, () => this.dispatchEvent(new GoEvent({ bot: id, room: "test" })));
    if (run === "running") return html`<span role="status">${words.running}</span>`;
    if (!run) return html`<button type="button" class="plain" @click=${() => this.#run(id)}>${words.runTests}</button>`;
    const [isGood, told] = run === "refused" ? [false, words.notRun] : run.failed ? [false, words.failed(run.failed, run.failed + run.passed)] : [true, words.passed(run.passed)];
    return html`<span role="status"><a class=${isGood ? "tests" : "tests bad"} href=${addressOf({ bot: id, room: "test" })} @click=${go}>${told}</a></span>`;
  }

  /** `isSilent`: nobody asked for it; where it fails, the button is there. */
  async #run(id: string, isSilent = false): Promise<void> {
    this.runs = { ...this.runs, [id]: "running" };
    try {
      const run = await runTests(this.api, id);
      this.runs = { ...this.runs, [id]: run };
    } catch (error) {
      const { [id]: _, ...others } = this.runs;
      this.runs = error instanceof Refused ? { ...others, [id]: "refused" } : others;
      if (!isSilent) this.dispatchEvent(failureNotice(error));
    }
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  // The event comes a moment after the closing: the dialog may be open again by then.
  #closed(): void {
    this.isMaking = this.#dialog?.open ?? false;
  }

  async #ask(): Promise<void> {
    this.isMaking = true;
    await this.updateComplete;
    this.#dialog?.showModal();
  }
}
