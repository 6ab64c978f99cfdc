// <build-publish>: shows what a publish changes, whether the tests pass and what becomes of running talks; publishes on one press,
// and takes it back on one more.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { type Api, Refused } from "../api";
import { done } from "../icons";
import { failureNotice, NoticeEvent } from "../notice";
import { register } from "../rooms";
import { controls, dialogs, text } from "../shared-styles";
import { day, short } from "../time";
import { testLines, testLineStyles } from "../test-lines";
import { runTests, type TestRun } from "../test-run";
import { type DraftDifference, draftDifference, type Erasure, ERASES, rollBack, shortOf } from "../versions/api";
import { StudioDifference } from "../versions/difference";
import { words as common } from "../words";
import { words as versions } from "../versions/words";
import type { Files, Finding, Workspace } from "../workspace";
import { publish, type Published } from "./api";
import { formStyles } from "./form-styles";
import { warn } from "./step-icons";
import { words } from "./words";

export class BuildPublish extends LitElement {
  static override properties = {
    found: { state: true },
    tests: { state: true },
    problem: { state: true },
    published: { state: true },
    isBusy: { state: true },
    hasSaved: { state: true },
    acceptsErasing: { state: true },
    goingBackErases: { state: true },
    open: { type: Boolean, reflect: true },
  };

  static override styles = [
    base,
    controls,
    text,
    dialogs,
    formStyles,
    testLineStyles,
    css`
      :host {
        display: contents;
      }

      dialog {
        inline-size: min(640px, calc(100vw - 32px));
      }

      .parts {
        display: flex;
        flex-direction: column;
        gap: 16px;
      }

      h3 {
        margin-block-end: 6px;
        font-size: 13px;
        font-weight: 600;
      }

      studio-difference {
        --changes-block-size: 30vh;
        --lines-block-size: 26vh;
      }

      summary {
        color: var(--quiet);
        font-size: 13px;
        cursor: default;
      }

      .state {
        display: flex;
        gap: 8px;
        align-items: center;
      }

      .accept {
        display: flex;
        gap: 10px;
        align-items: center;
        margin-block-start: 8px;
        font-size: 12.5px;

        & > button {
          flex: none;
        }
      }

      .erases {
        padding: 10px 12px;
        border: 1px solid var(--danger);
        border-radius: 8px;
        font-size: 13.5px;

        & p {
          margin: 0;
        }

        & label {
          display: flex;
          gap: 8px;
          align-items: center;
          margin-block-start: 8px;
          font-weight: 500;
        }
      }

      .access {
        padding: 10px 12px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        font-size: 13.5px;

        & ul {
          max-block-size: 24vh;
          margin: 6px 0 0;
          padding-inline-start: 20px;
          overflow: auto;
          overflow-wrap: anywhere;
        }
      }

      .good {
        color: light-dark(oklch(0.48 0.12 150), oklch(0.8 0.13 150));
      }

      .bad {
        color: var(--danger);
      }

      .end {
        display: flex;
        justify-content: end;
        gap: 8px;
        margin-block-start: 4px;
      }
    `,
  ];

  declare found: DraftDifference | null;
  declare tests: TestRun | "running" | Refused | null;
  declare problem: string;
  declare published: Published | null;
  declare isBusy: boolean;
  /** What was typed was saved to be compared. */
  declare hasSaved: boolean;
  declare acceptsErasing: boolean;
  /** Taking it back was refused because it would have conversations erased. */
  declare goingBackErases: boolean;
  declare open: boolean;
  api!: Api;
  workspace!: Workspace;
  bot = "";
  save: () => Promise<void> = async () => undefined;

  constructor() {
    super();
    register({ "studio-difference": StudioDifference });
    this.found = this.tests = this.published = null;
    this.problem = "";
    this.isBusy = this.hasSaved = this.acceptsErasing = this.goingBackErases = false;
    this.open = true;
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector("dialog")?.showModal();
    void this.#prepare();
  }

  async #prepare(): Promise<void> {
    try {
      if (this.workspace.isChanged) {
        await this.save();
        if (this.workspace.isChanged) return this.#close();
        this.hasSaved = true;
      }
      this.found = await draftDifference(this.api, this.bot);
    } catch (error) {
      this.problem = (error as Error).message;
      return;
    }
    await this.#test();
  }

  async #test(): Promise<void> {
    this.tests = "running";
    try {
      this.tests = await runTests(this.api, this.bot);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.tests = error;
    }
  }

  /** Puts what came into the tests that failed, saves them and runs all again. */
  async #accept(updated: Files): Promise<void> {
    this.isBusy = true;
    try {
      this.workspace.replace(updated);
      await this.save();
      if (!this.workspace.isChanged) await this.#test();
    } finally {
      this.isBusy = false;
    }
  }

  async #publish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const note = String(new FormData(event.target as HTMLFormElement).get("note") ?? "");
    this.isBusy = true;
    this.problem = "";
    try {
      this.published = await publish(this.api, this.bot, this.workspace.revision, note, this.acceptsErasing);
      if (!this.open) this.dispatchEvent(new NoticeEvent(words.published));
      void this.workspace.load(this.bot, true);
    } catch (error) {
      this.problem = (error as Error).message;
      if (!this.open) this.dispatchEvent(failureNotice(error));
    }
    this.isBusy = false;
  }

  async #goBack(version: string): Promise<void> {
    this.isBusy = true;
    this.problem = "";
    try {
      await rollBack(this.api, this.bot, version, this.goingBackErases);
      void this.workspace.load(this.bot, true);
      this.dispatchEvent(new NoticeEvent(words.wentBack(shortOf(version))));
      this.#close();
    } catch (error) {
      this.goingBackErases ||= error instanceof Refused && error.code === ERASES;
      this.problem = (error as Error).message;
      if (!this.open) this.dispatchEvent(failureNotice(error));
    }
    this.isBusy = false;
  }

  #close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  override render() {
    return html`<dialog aria-labelledby="title" @close=${() => (this.open = false)}>${this.published ? this.#after(this.published) : this.#before()}</dialog>`;
  }

  #after(published: Published): TemplateResult {
    const { previous } = published;
    return html`<div class="parts" role="status">
      <h2 id="title" class="state good">${done}${words.published}</h2>
      <p><code>${shortOf(published.version)}</code> · ${words.runningTalks(published.runningTalks)}</p>
      ${published.runningTalks ? html`<p class="quiet">${words.newTalks}</p>` : nothing}
      ${this.problem ? html`<p class="bad" role="alert">${this.problem}</p>` : nothing}
      <div class="end">
        ${previous
          ? html`<button type="button" class="button ${this.goingBackErases ? "grave" : ""}" ?disabled=${this.isBusy} @click=${() => void this.#goBack(previous)}>
              ${this.goingBackErases ? words.goBackErasing : words.goBack}
            </button>`
          : nothing}
        <button type="button" class="button main" autofocus @click=${this.#close}>${words.close}</button>
      </div>
    </div>`;
  }

  #before(): TemplateResult {
    const { found } = this;
    const { errors } = this.workspace;
    const count = this.workspace.findings.length;
    const isRed = this.tests instanceof Refused || (this.tests instanceof Object && this.tests.failed > 0);
    const isReady = found !== null && !this.isBusy && !errors && (!found.erases || this.acceptsErasing) && found.changes.length + found.lines.length > 0;
    return html`<form class="parts" @submit=${this.#publish}>
      <div>
        <h2 id="title">${words.publishTitle}</h2>
        <p class="quiet">${common.goesLive}${this.hasSaved ? ` ${words.savedByOpening}` : nothing}</p>
      </div>
      <section>
        <h3>${versions.difference}</h3>
        ${found ? html`<studio-difference .found=${found}></studio-difference>` : this.problem ? nothing : html`<p class="quiet">${words.loading}</p>`}
      </section>
      <section>
        <h3>${words.tests}</h3>
        ${this.#tests()}
      </section>
      ${found ? html`<p class="quiet">${words.runningTalks(found.runningTalks)}${count ? ` ${words.findings(count)}.` : nothing}</p>` : nothing}
      ${found?.erases ? this.#erases(found.erases) : nothing}
      ${found?.access?.length
        ? html`<section class="access">
            <p>${versions.access}</p>
            <ul tabindex="0" lang="en">
              ${found.access.map((line) => html`<li>${line}</li>`)}
            </ul>
          </section>`
        : nothing}
      <div class="field">
        <label for="note">${words.note}</label>
        <input id="note" name="note" autocomplete="off" maxlength="200" placeholder=${words.noteHelp} />
      </div>
      ${errors ? html`<p class="bad" role="alert">${words.mendFirst(errors)}</p>` : nothing}
      ${this.problem ? html`<p class="bad" role="alert">${this.problem}</p>` : nothing}
      <div class="end">
        <button type="button" class="button" @click=${this.#close}>${words.cancel}</button>
        <button class="button main" ?disabled=${!isReady}>${isRed ? words.publishAnyway : words.publish}</button>
      </div>
    </form>`;
  }

  #erases({ days, previousDays, conversations, beginsAt }: Erasure): TemplateResult {
    const quiet = new Date(Date.parse(beginsAt) - days * 86_400_000).toISOString();
    return html`<section class="erases">
      <p>${words.erases(previousDays, days, conversations, day(quiet), short(beginsAt))}</p>
      <label><input type="checkbox" .checked=${this.acceptsErasing} @change=${(event: Event) => (this.acceptsErasing = (event.target as HTMLInputElement).checked)} />${words.acceptErasing}</label>
    </section>`;
  }

  #tests(): TemplateResult {
    const { tests } = this;
    if (tests === null) return html`<p class="quiet">–</p>`;
    if (tests === "running") return html`<p class="quiet" role="status">${words.runningTests}</p>`;
    if (tests instanceof Refused) {
      const [first] = (tests.members.findings as readonly Finding[] | undefined) ?? [];
      return html`<p class="bad" role="alert">${words.testsNotRun} ${first ? [first.file, first.message].filter(Boolean).join(": ") : tests.message}</p>`;
    }
    if (!tests.passed && !tests.failed) return html`<p class="quiet">${words.noTests}</p>`;
    const failing = tests.suites.flatMap((suite) => suite.scenarios.filter((one) => !one.isPassed && !one.isSkipped).map((one) => ({ suite, one })));
    return html`<p class="state ${tests.failed ? "bad" : "good"}" role="status">
        ${tests.failed ? warn : done}${tests.failed ? `${words.testsFailed(tests.failed)} · ${words.testsPassed(tests.passed)}` : words.testsPassed(tests.passed)}
      </p>
      ${failing.map(
        ({ suite, one }) =>
          html`<details>
            <summary>${suite.name || suite.file}: ${one.title}</summary>
            ${testLines(one.lines, one.title)}
          </details>`,
      )}
      ${Object.keys(tests.updated).length
        ? html`<p class="accept"><button type="button" class="button" ?disabled=${this.isBusy} aria-describedby="accept" @click=${() => void this.#accept(tests.updated)}>${words.acceptReplies}</button><span class="quiet" id="accept">${words.acceptHelp}</span></p>`
        : nothing}`;
  }
}
