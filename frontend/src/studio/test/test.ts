// <studio-test>: the room Test. What is edited are the files under tests/ in the workspace.

import { css, html, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { type Schema, schemas, type Vocabulary, vocabulary } from "../build/api";
import { FilesRoom } from "../build/files-room";
import { FlowDocument, type PlacedFinding } from "../build/flow-document";
import type { JsonTextEvent } from "../build/json-editor";
import { bin } from "../build/step-icons";
import { type Names, NO_NAMES, namesOf } from "../build/template-names";
import { type Command, GoEvent, TryEvent } from "../events";
import { cross, done, play, plus } from "../icons";
import { failureNotice, NoticeEvent } from "../notice";
import { register } from "../rooms";
import { controls, states, text } from "../shared-styles";
import { testLines, testLineStyles } from "../test-lines";
import { runTests, type TestRun } from "../test-run";
import { roomStyles, tables } from "../understand/styles";
import { words as frame } from "../words";
import { addScenario, merged, outcomeOf, removeScenario, type Scenario, type TestFile, testFiles } from "./scenarios";
import { seconds, words } from "./words";

const EMPTY = '{\n  "name": "",\n  "scenarios": []\n}\n';

interface Chosen {
  readonly file: string;
  /** Of the scenario in its file; null: the file as a whole. */
  readonly index: number | null;
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
    testLineStyles,
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
        align-items: flex-start;
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
      .list [role="img"] {
        display: block;
        flex: none;
        inline-size: 16px;
        block-size: 20px;
      }

      .list .mark::before {
        content: "";
        display: block;
        inline-size: 6px;
        block-size: 6px;
        margin: 7px 5px;
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
        font-size: 14px;
        overflow-wrap: anywhere;
      }

      .difference {
        max-block-size: 38vh;
        padding: 0 16px;
        overflow: auto;
      }

      .lines-of-test {
        max-block-size: none;
      }

      .understood .part {
        border-color: transparent;
        padding-inline: 0;
      }

      /* In sight however long the difference is. */
      .accept {
        position: sticky;
        inset-block-end: 0;
        display: flex;
        gap: 10px;
        align-items: center;
        padding-block: 8px;
        background: var(--surface);
        font-size: 12.5px;
      }

      .difference > :last-child:not(.accept) {
        margin-block-end: 10px;
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

      @container room (max-width: 760px) {
        .count {
          order: 1;
          flex-basis: 100%;
        }

        .count:empty {
          display: none;
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
  declare run: TestRun | null;
  /** The title of what runs; "": all; null: nothing. */
  declare running: string | null;
  declare isStale: boolean;
  declare schema: Schema | null;
  declare jump: number | null;
  #read: Readonly<Record<string, string>> = {};
  #files: readonly TestFile[] = [];
  #flow = new FlowDocument();
  #names: Names = NO_NAMES;
  #known: Vocabulary = { helpers: [], types: [] };
  #findings: readonly PlacedFinding[] = [];

  constructor() {
    super();
    this.chosen = this.run = this.running = this.schema = this.jump = null;
    this.isStale = false;
  }

  protected override begin(): void {
    this.chosen = this.run = this.running = null;
    this.isStale = false;
    this.#flow.clear();
    void this.#needJson();
    // Without them the editor completes less.
    void schemas(this.api).then((found) => (this.schema = found["tests"] ?? null), () => undefined);
    void vocabulary(this.api).then((found) => (this.#known = found), () => undefined);
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
    if (!this.workspace) return;
    const { files, findings } = this.workspace;
    this.#flow.read(files["flow.json"]);
    this.#findings = this.#flow.place(findings.filter(({ file }) => file === this.chosen?.file), files);
    if (this.#read === files) return;
    this.#read = files;
    this.#files = testFiles(files);
    this.#names = namesOf(this.#flow.outline, files["training.json"], files["bot.json"], this.#known.helpers, this.#known.types);
    if (this.chosen && !(this.chosen.file in files)) this.chosen = null;
    // While a file is broken nothing is known of its scenarios.
    const file = this.#files.find((one) => one.file === this.chosen?.file);
    if (this.chosen?.index != null && file && !file.isBroken && this.chosen.index >= file.scenarios.length) this.chosen = { file: file.file, index: null };
  }

  override commands(): Command[] {
    return [
      { title: words.runAll, run: () => void this.#run() },
      { title: words.newScenario, run: () => this.#newScenario() },
      { title: words.newFile, run: () => this.#newFile() },
      ...super.commands(),
    ];
  }

  async #run(scenario?: string): Promise<void> {
    if (this.running !== null) return;
    const { bot } = this;
    const { files } = this.workspace;
    this.running = scenario ?? "";
    try {
      const run = await runTests(this.api, bot, this.workspace.changed(), scenario);
      if (bot !== this.bot) return;
      this.run = merged(this.run, run, scenario);
      this.isStale = files !== this.workspace.files;
      if (scenario === undefined) this.#showFirstFailure(run);
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    } finally {
      if (bot === this.bot) this.running = null;
    }
  }

  #showFirstFailure(run: TestRun): void {
    for (const { file, scenarios } of run.suites) {
      const failed = scenarios.find(({ isPassed, isSkipped }) => !isPassed && !isSkipped);
      const found = failed && this.#files.find((one) => one.file === file)?.scenarios.find(({ title }) => title === failed.title);
      if (found) return this.#choose(file, found);
    }
  }

  #choose(file: string, scenario: Scenario | null): void {
    this.chosen = { file, index: scenario?.index ?? null };
    this.jump = scenario?.offset ?? null;
  }

  /** Adds a scenario to the file that is open, else to the last, else to a new one. */
  #newScenario(): void {
    const readable = this.#files.filter(({ isBroken }) => !isBroken);
    const file = readable.find((one) => one.file === this.chosen?.file) ?? readable.at(-1);
    const name = file?.file ?? this.#freeName();
    const added = addScenario(this.workspace.files[name] ?? EMPTY, file ?? { file: name, name, scenarios: [], isBroken: false }, words.newTitle, words.hello);
    this.apply({ [name]: added.text });
    const made = testFiles({ [name]: added.text })[0]?.scenarios[added.index];
    if (made) this.#choose(name, made);
  }

  #remove({ file, index }: Chosen, title: string): void {
    const text = this.workspace.files[file];
    if (text === undefined) return;
    this.apply({ [file]: index === null ? null : removeScenario(text, index) });
    this.chosen = null;
    this.dispatchEvent(new NoticeEvent(words.removed(title)));
  }

  #newFile(): void {
    const file = this.#freeName();
    this.apply({ [file]: EMPTY });
    this.chosen = { file, index: null };
  }

  #freeName(): string {
    let number = 1;
    while (`tests/test-${number}.json` in this.workspace.files) number += 1;
    return `tests/test-${number}.json`;
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
      <button type="button" class="plain" @click=${() => this.#newScenario()}>${plus}${words.newScenario}</button>
      <button type="button" class="plain" @click=${() => this.#newFile()}>${plus}${words.newFile}</button>`;
  }

  #list(): TemplateResult {
    return html`<nav class="list scroll" aria-label=${words.scenarios} @keydown=${this.#walk}>
      ${this.#files.map(
        (one) => html`<h2>
            <button type="button" aria-current=${this.chosen?.file === one.file && this.chosen.index === null ? "true" : "false"} @click=${() => this.#choose(one.file, null)}>
              ${one.name}${one.isBroken ? html`<span class="bad"> · ${words.broken}</span>` : nothing}
            </button>
          </h2>
          ${one.scenarios.map((scenario) => this.#row(one.file, scenario))}`,
      )}
      <div class="foot">${this.#starts()}</div>
    </nav>`;
  }

  #row(file: string, scenario: Scenario): TemplateResult {
    const { title, index, isLeftOut } = scenario;
    const outcome = outcomeOf(this.run, file, title);
    const isRunning = this.running === title || (this.running === "" && !isLeftOut);
    const state = isRunning ? "running" : outcome ? (outcome.isPassed ? "passed" : "failed") : isLeftOut ? "leftOut" : "unknown";
    const [look, icon] = state === "passed" ? ["good", done] : state === "failed" ? ["bad", cross] : ["mark", nothing];
    const shown = state === "passed" && outcome ? seconds(outcome.seconds) : state === "unknown" ? nothing : words.state[state];
    const isChosen = this.chosen?.file === file && this.chosen.index === index;
    return html`<button type="button" aria-current=${isChosen ? "true" : "false"} @click=${() => this.#choose(file, scenario)}>
      <span class=${look} role="img" aria-label=${words.state[state]}>${icon}</span><span>${title}</span><span class="state" aria-hidden="true">${shown}</span>
    </button>`;
  }

  #detail(chosen: Chosen): TemplateResult {
    const { file, index } = chosen;
    const suite = this.#files.find((one) => one.file === file);
    const scenario = index === null ? undefined : suite?.scenarios[index];
    const title = scenario?.title ?? suite?.name ?? file;
    const outcome = scenario && outcomeOf(this.run, file, scenario.title);
    const isUpdated = this.run !== null && file in this.run.updated && !this.isStale;
    const remove = scenario ? words.remove : words.removeFile;
    return html`<section class="detail" aria-label=${title}>
      <div class="top">
        <h2>${title}</h2>
        <code class="quiet">${file}</code>
        ${scenario ? html`<button type="button" class="button" ?disabled=${this.running !== null} @click=${() => void this.#run(scenario.title)}>${words.runOne}</button>` : nothing}
        <button type="button" class="plain brief" aria-label=${remove} title=${remove} ?disabled=${index !== null && !scenario} @click=${() => this.#remove(chosen, title)}>${bin}</button>
      </div>
      <div class="difference" role="status">
        ${outcome?.lines.length
          ? html`${testLines(outcome.lines, title)}
              ${isUpdated
                ? html`<p class="accept"><button type="button" class="button" aria-describedby="accept" @click=${() => this.#accept()}>${words.accept}</button><span class="quiet" id="accept">${words.acceptHelp}</span></p>`
                : nothing}`
          : outcome
            ? html`<p class="good">${words.asExpected(outcome.steps)}</p>`
            : nothing}
      </div>
      <build-json
        .text=${this.workspace.files[file] ?? ""}
        .file=${file}
        .schema=${this.schema}
        .within=${[]}
        .names=${this.#names}
        .findings=${this.#findings}
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
