// <studio-test>: the room Test. What is edited are the files under tests/ in the workspace.

import { css, html, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { type Schema, schemas } from "../build/api";
import { FilesRoom } from "../build/files-room";
import type { JsonTextEvent } from "../build/json-editor";
import { NO_NAMES } from "../build/template-names";
import { type Command, GoEvent, TryEvent } from "../events";
import { cross, done, play, plus } from "../icons";
import { failureNotice, NoticeEvent } from "../notice";
import { register } from "../rooms";
import { controls, states, text } from "../shared-styles";
import { roomStyles, tables } from "../understand/styles";
import { words as frame } from "../words";
import { merged, outcomeOf, type Run, runTests, type Scenario, type TestFile, testFiles } from "./scenarios";
import { seconds, words } from "./words";

const EMPTY = '{\n  "name": "",\n  "scenarios": []\n}\n';

interface Chosen {
  readonly file: string;
  /** Null: the file as a whole. */
  readonly title: string | null;
}

export class StudioTest extends FilesRoom {
  static override properties = {
    ...FilesRoom.properties,
    chosen: { state: true },
    run: { state: true },
    running: { state: true },
    isStale: { state: true },
    schema: { state: true },
    jump: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    states,
    roomStyles,
    tables,
    css`
      .body {
        display: grid;
        grid-template-columns: minmax(220px, 34%) minmax(0, 1fr);
        min-block-size: 0;
      }

      .count {
        font-size: 13px;
        font-variant-numeric: tabular-nums;
      }

      .list {
        padding: 8px;
        border-inline-end: 1px solid var(--line);
      }

      .list h2 {
        margin-block: 10px 2px;
        font-size: 12px;
      }

      .list button {
        display: flex;
        gap: 8px;
        align-items: baseline;
        inline-size: 100%;
        min-block-size: 32px;
        padding: 5px 8px;
        border: 0;
        border-radius: 8px;
        background: none;
        color: inherit;
        font-size: 13px;
        line-height: 20px;
        text-align: start;
        overflow-wrap: anywhere;
      }

      .list h2 button {
        color: var(--quiet);
        font-size: 12px;
        font-weight: 600;
      }

      .list svg,
      .list .mark {
        flex: none;
        inline-size: 16px;
        block-size: 16px;
        align-self: center;
      }

      .list .mark::before {
        content: "";
        display: block;
        inline-size: 6px;
        block-size: 6px;
        margin: 5px;
        border-radius: 50%;
        background: var(--line-strong);
      }

      .list [aria-current="true"] {
        background: var(--raised);
      }


      .list .state {
        margin-inline-start: auto;
        color: var(--quiet);
        font-size: 12px;
        white-space: nowrap;
      }

      .foot {
        display: flex;
        flex-wrap: wrap;
        gap: 2px;
        padding: 8px 0 48px;
      }

      .foot button {
        inline-size: auto;
        color: var(--quiet);
      }

      .detail {
        display: grid;
        grid-template-rows: auto auto minmax(0, 1fr);
        min-inline-size: 0;
        min-block-size: 0;
      }

      .top {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 12px;
        align-items: center;
        padding: 8px 16px;
      }

      .top h2 {
        flex: 1 1 200px;
        overflow-wrap: anywhere;
      }

      .difference {
        max-block-size: 38vh;
        padding: 0 16px 10px;
        overflow: auto;
      }

      .difference h3 {
        font-size: 13px;
        margin-block-end: 4px;
      }

      .difference pre {
        padding: 8px 10px;
        border-radius: 8px;
        background: var(--raised);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      .accept {
        display: flex;
        gap: 10px;
        align-items: center;
        margin-block-start: 8px;
        font-size: 12.5px;
      }

      build-json {
        border-block-start: 1px solid var(--line);
        min-block-size: 0;
      }

      @media (pointer: coarse) {
        .list button {
          min-block-size: 44px;
        }
      }

      @container room (max-width: 620px) {
        .body {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: minmax(120px, 40%) minmax(0, 1fr);
        }

        .list {
          border-inline-end: 0;
          border-block-end: 1px solid var(--line);
        }
      }
    `,
  ];

  declare chosen: Chosen | null;
  declare run: Run | null;
  /** The title of what runs; "": all; null: nothing. */
  declare running: string | null;
  declare isStale: boolean;
  declare schema: Schema | null;
  declare jump: number | null;
  #read: Readonly<Record<string, string>> = {};
  #files: readonly TestFile[] = [];

  constructor() {
    super();
    this.chosen = this.run = this.running = this.schema = this.jump = null;
    this.isStale = false;
  }

  protected override begin(): void {
    this.chosen = this.run = this.running = null;
    this.isStale = false;
    void this.#needJson();
    // Without a schema the editor completes less.
    void schemas(this.api).then((found) => (this.schema = found["tests"] ?? null), () => undefined);
  }

  async #needJson(): Promise<void> {
    const { BuildJson } = await import("../build/json-editor");
    register({ "build-json": BuildJson });
  }

  protected override filesChanged(): void {
    this.isStale = this.run !== null;
  }

  protected override willUpdate(changes: Map<PropertyKey, unknown>): void {
    super.willUpdate(changes);
    if (!this.workspace || this.#read === this.workspace.files) return;
    this.#read = this.workspace.files;
    this.#files = testFiles(this.#read);
    if (this.chosen && !(this.chosen.file in this.#read)) this.chosen = null;
  }

  override commands(): Command[] {
    return [{ title: words.runAll, run: () => void this.#run() }, { title: words.newFile, run: () => this.#newFile() }, ...super.commands()];
  }

  async #run(scenario?: string): Promise<void> {
    if (this.running !== null) return;
    const { bot } = this;
    this.running = scenario ?? "";
    try {
      const run = await runTests(this.api, bot, this.workspace.changed(), scenario);
      if (bot !== this.bot) return;
      this.run = merged(this.run, run, scenario);
      this.isStale = false;
      if (scenario === undefined) this.#showFirstFailure(run);
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    } finally {
      if (bot === this.bot) this.running = null;
    }
  }

  #showFirstFailure(run: Run): void {
    for (const { file, scenarios } of run.suites) {
      const failed = scenarios.find(({ isPassed, isSkipped }) => !isPassed && !isSkipped);
      const found = failed && this.#files.find((one) => one.file === file)?.scenarios.find(({ title }) => title === failed.title);
      if (found) return this.#choose(file, found);
    }
  }

  #choose(file: string, scenario: Scenario | null): void {
    this.chosen = { file, title: scenario?.title ?? null };
    this.jump = null;
    if (scenario) this.jump = scenario.offset;
  }

  #newFile(): void {
    let number = 1;
    while (`tests/test-${number}.json` in this.workspace.files) number += 1;
    const file = `tests/test-${number}.json`;
    this.apply({ [file]: EMPTY });
    this.chosen = { file, title: null };
  }

  #accept(): void {
    const updated = this.run?.updated ?? {};
    this.apply(updated);
    this.dispatchEvent(new NoticeEvent(words.accepted(Object.keys(updated).length)));
  }

  override render() {
    const waiting = this.waiting();
    if (waiting) return waiting;
    const { run } = this;
    return html`<header>
        <h1 tabindex="-1">${frame.room.test}</h1>
        <button type="button" class="button" ?disabled=${this.running !== null || !this.#files.length} @click=${() => void this.#run()}>${play}${this.running === null ? words.runAll : words.running}</button>
        <span class="count" role="status">
          ${run ? html`<span class="good">${words.passed(run.passed)}</span>${run.failed ? html` · <span class="bad">${words.failed(run.failed)}</span>` : nothing}` : nothing}
          ${run && this.isStale ? html`<span class="quiet"> · ${words.stale}</span>` : nothing}
        </span>
        <span class="gap"></span>
        ${this.acts()}
      </header>
      ${this.bars()}
      ${this.#files.length
        ? html`<div class="body">${this.#list()}${this.chosen ? this.#detail(this.chosen) : html`<div class="empty"><p>${words.choose}</p></div>`}</div>`
        : html`<div class="empty"><h2>${words.none}</h2><p>${words.noneHelp}</p>${this.#starts()}</div>`}`;
  }

  #starts() {
    return html`<button type="button" class="plain" @click=${() => this.dispatchEvent(new TryEvent())}>${words.fromTryOut}</button>
      <button type="button" class="plain" @click=${() => this.dispatchEvent(new GoEvent({ room: "conversations" }))}>${words.fromConversation}</button>
      <button type="button" class="plain" @click=${() => this.#newFile()}>${plus}${words.newFile}</button>`;
  }

  #list(): TemplateResult {
    return html`<nav class="list scroll" aria-label=${words.scenarios} @keydown=${this.#walk}>
      ${this.#files.map(
        (one) => html`<h2>
            <button type="button" aria-current=${this.chosen?.file === one.file && this.chosen.title === null ? "true" : "false"} @click=${() => this.#choose(one.file, null)}>
              ${one.name}${one.isBroken ? html`<span class="bad"> · ${words.broken}</span>` : nothing}
            </button>
          </h2>
          ${one.scenarios.map((scenario) => this.#row(one.file, scenario))}`,
      )}
      <div class="foot">${this.#starts()}</div>
    </nav>`;
  }

  #row(file: string, scenario: Scenario): TemplateResult {
    const { title, isLeftOut } = scenario;
    const outcome = outcomeOf(this.run, file, title);
    const isRunning = this.running === title || (this.running === "" && !isLeftOut);
    const state = isRunning ? "running" : outcome ? (outcome.isPassed ? "passed" : "failed") : isLeftOut ? "leftOut" : "unknown";
    const icon = state === "passed" ? html`<span class="good">${done}</span>` : state === "failed" ? html`<span class="bad">${cross}</span>` : html`<span class="mark"></span>`;
    const isChosen = this.chosen?.file === file && this.chosen.title === title;
    return html`<button type="button" aria-current=${isChosen ? "true" : "false"} @click=${() => this.#choose(file, scenario)}>
      ${icon}<span>${title}</span><span class="state">${state === "passed" && outcome ? seconds(outcome.seconds) : words.state[state]}</span>
    </button>`;
  }

  #detail({ file, title }: Chosen): TemplateResult {
    const outcome = title === null ? undefined : outcomeOf(this.run, file, title);
    const isUpdated = this.run !== null && file in this.run.updated && !this.isStale;
    return html`<section class="detail" aria-label=${title ?? file}>
      <div class="top">
        <h2>${title ?? file}</h2>
        ${title === null ? nothing : html`<button type="button" class="button" ?disabled=${this.running !== null} @click=${() => void this.#run(title)}>${play}${words.runOne}</button>`}
      </div>
      <div class="difference">
        ${outcome?.lines.length
          ? html`<h3 class="bad">${words.difference}</h3><pre tabindex="0">${outcome.lines.join("\n")}</pre>
              ${isUpdated
                ? html`<p class="accept"><button type="button" class="button" aria-describedby="accept" @click=${() => this.#accept()}>${words.accept}</button><span class="quiet" id="accept">${words.acceptHelp}</span></p>`
                : nothing}`
          : nothing}
      </div>
      <build-json
        .text=${this.workspace.files[file] ?? ""}
        .file=${file}
        .schema=${this.schema}
        .within=${[]}
        .names=${NO_NAMES}
        .findings=${[]}
        .jump=${this.jump}
        .label=${words.jsonOf(file)}
        @build-json-text=${(event: JsonTextEvent) => this.apply({ [file]: event.text }, `text ${file}`)}
        @build-json-jumped=${() => (this.jump = null)}
      ></build-json>
    </section>`;
  }

  /** Arrow keys go through the list. */
  #walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLButtonElement>("button[aria-current]")];
    const next = step && buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}
