// <studio-build>: how the Build room looks. What it does is in build-room.ts.

import { html, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { cross, plus } from "../icons";
import { controls, states, text } from "../shared-styles";
import { BuildRoom, LISTED_AT_ONCE, type View, VIEWS } from "./build-room";
import { buildStyles } from "./build-styles";
import { WishEvent } from "./events";
import { filesWaiting } from "./files-room";
import { FLOW } from "./flow-actions";
import { publishActs } from "./publish-acts";
import type { PlacedFinding } from "./flow-document";
import { isSameRow, pathOfRow, type Row } from "./flow-outline";
import type { JsonTextEvent } from "./json-editor";
import { bin, redoIcon, stepIcons, undoIcon, wand, warn } from "./step-icons";
import { words as frame } from "../words";
import { words } from "./words";

export class StudioBuild extends BuildRoom {
  static override styles = [base, controls, text, states, buildStyles];

  #wish(wish: WishEvent["wish"]): void {
    this.dispatchEvent(new WishEvent(wish));
  }

  override render() {
    const waiting = filesWaiting(this.workspace, this.bot);
    if (waiting) return waiting;
    return html`${this.#head()}
      <div>${this.#bars()}</div>
      ${this.view === "files" ? this.#filesView() : this.view === "map" ? this.#mapView() : this.#outlineView()}
      ${this.bar
        ? html`<div class="undo-bar" role="status"><div>${this.bar}<button type="button" class="plain" @click=${() => this.undo(true)}>${words.undo}</button></div></div>`
        : nothing}
      <build-conversation-dialog .taken=${this.flow.outline.conversations.map(({ key }) => key)} @build-answer=${this.answered}></build-conversation-dialog>`;
  }

  #head(): TemplateResult {
    const { workspace, history } = this;
    const { isChanged, isSaving } = workspace;
    const errors = this.placed.filter(({ isError }) => isError).length;
    const count = this.placed.length;
    const brief = (name: string, icon: unknown, isOff: boolean, run: () => void) =>
      html`<button type="button" class="plain brief" aria-label=${name} title=${name} ?disabled=${isOff} @click=${run}>${icon}</button>`;
    return html`<header>
      <h1 tabindex="-1">${frame.room.build}</h1>
      <div class="views" role="group" aria-label=${words.views}>
        ${VIEWS.map((view: View) => html`<button type="button" aria-pressed=${view === this.view ? "true" : "false"} @click=${() => this.showView(view)}>${words[view]}</button>`)}
      </div>
      <span class="gap"></span>
      <button
        type="button"
        class="plain count ${errors ? "bad" : count ? "doubt" : ""}"
        aria-pressed=${this.isListing ? "true" : "false"}
        title="${words.findings(count)} (F8)"
        @click=${() => (this.isListing && this.isDetail ? this.close() : this.list())}
      >
        ${count ? warn : nothing}<span class=${count ? "wide-word" : ""}>${words.findings(count)}</span>${count ? html`<span class="narrow-word" aria-hidden="true">${count}</span>` : nothing}
      </button>
      ${brief(`${words.undo} (Ctrl Z)`, undoIcon, !history?.canUndo, () => this.undo(true))}
      ${brief(`${words.redo} (Ctrl ⇧ Z)`, redoIcon, !history?.canRedo, () => this.undo(false))}
      <button type="button" class="button" title="Ctrl S" ?disabled=${!isChanged || isSaving} @click=${() => void this.save()}>${isSaving ? words.saving : isChanged ? words.save : words.saved}</button>
      ${publishActs(workspace, () => this.publish())}
    </header>`;
  }

  #bars() {
    const { mistake } = this.flow;
    return html`${mistake
      ? html`<div class="bar" role="alert">${words.broken(mistake.line)}${this.flow.outline.conversations.length ? ` ${words.shownAsBefore}` : nothing}<button type="button" class="button" @click=${() => this.openFile(FLOW, mistake.offset)}>${words.showPlace}</button></div>`
      : nothing}
    ${this.isStale
      ? html`<div class="bar" role="status">${words.changedOutside}<button type="button" class="button" @click=${() => void this.save()}>${words.merge}</button></div>`
      : nothing}
    ${this.workspace.conflict
      ? html`<div class="bar" role="status">${words.notSaved}: ${words.conflictTitle}<button type="button" class="button" @click=${() => void this.save()}>${words.merge}</button></div>`
      : nothing}`;
  }

  // -- the outline and the pane beside

  #outlineView(): TemplateResult {
    const { outline } = this.flow;
    const isBeside = this.isDetail && (this.isListing || this.row !== null);
    return html`<div class="body ${isBeside ? "split" : ""}">
      <div class="pane">
        ${outline.conversations.length
          ? html`<build-outline
              .outline=${outline}
              .selected=${this.row}
              .marks=${this.marks}
              .isReadOnly=${this.flow.mistake !== null}
            ></build-outline>`
          : this.flow.mistake
            ? html`<div class="empty"></div>`
            : this.#noConversation()}
        <div class="foot">
          <button type="button" class="plain" ?disabled=${this.flow.mistake !== null} @click=${() => this.#wish({ kind: "new-conversation" })}>${plus}${words.newConversation}</button>
          <span>${words.keys}</span>
        </div>
      </div>
      ${isBeside ? (this.isListing ? this.#findings() : this.row ? this.#detail(this.row) : nothing) : nothing}
    </div>`;
  }

  #noConversation(): TemplateResult {
    return html`<div class="empty">
      <h2>${words.noConversations}</h2>
      <p>${words.noConversationsHelp}</p>
      <button type="button" class="button main" @click=${() => this.#wish({ kind: "new-conversation" })}>${plus}${words.newConversation}</button>
    </div>`;
  }

  #findings(): TemplateResult {
    return html`<section class="detail" aria-label=${words.findingsTitle}>
      <div class="top"><strong>${words.findings(this.placed.length)}</strong>${this.#closeButton()}</div>
      <div class="scroll" @scroll=${(event: Event) => this.#listMore(event.currentTarget as Element)}>
        ${this.placed.length
          ? html`<ul class="findings">${this.placed.slice(0, this.listed).map((one) => this.#finding(one, true))}</ul>`
          : html`<div class="empty"><p>${words.noFindings}</p></div>`}
      </div>
    </section>`;
  }

  /** Draws more of the list before its end is reached. */
  #listMore({ scrollTop, clientHeight, scrollHeight }: Element): void {
    if (this.listed < this.placed.length && scrollHeight - scrollTop < 2 * clientHeight) this.listed += LISTED_AT_ONCE;
  }

  #finding({ number, finding, row, isError, isFixable }: PlacedFinding, hasPlace: boolean): TemplateResult {
    const place = row ? (row.index === null ? row.conversation : `${row.conversation} · ${row.index + 1}`) : finding.file;
    return html`<li class="found ${isError ? "error" : ""}">
      ${warn}
      <button type="button" class="said" @click=${() => this.#wish({ kind: "show-finding", number })}>
        <span class="unseen">${isError ? words.error : words.warning}: </span>${finding.message}${hasPlace
          ? html`<span class="place">${place}${finding.line ? ` · ${words.line(finding.line)}` : ""}</span>`
          : nothing}
      </button>
      ${isFixable ? html`<button type="button" class="plain" @click=${() => this.#wish({ kind: "fix", number })}>${wand}${words.fix} <kbd>${words.fixKey}</kbd></button>` : nothing}
    </li>`;
  }

  #brief(name: string, icon: unknown, run: () => void): TemplateResult {
    return html`<button type="button" class="plain brief" aria-label=${name} title=${name} ?disabled=${this.flow.mistake !== null} @click=${run}>${icon}</button>`;
  }

  #closeButton(): TemplateResult {
    return html`<button type="button" class="plain brief" aria-label=${words.close} title="${words.close} (Esc)" @click=${() => this.close()}>${cross}</button>`;
  }

  #detail(row: Row): TemplateResult {
    const here = this.placed.filter((one) => isSameRow(one.row, row));
    const conversation = this.flow.outline.conversations.find(({ key }) => key === row.conversation);
    const step = row.index === null ? undefined : conversation?.steps[row.index];
    return html`<section class="detail" aria-label=${words.detail} @keydown=${(event: KeyboardEvent) => this.#detailKey(event)}>
      <div class="top">
        ${step ? stepIcons[step.type] : nothing}<strong>${conversation?.title}${row.index === null ? "" : ` · ${row.index + 1}`}</strong>
        <div class="views" role="tablist">
          ${(["form", "json"] as const).map(
            (tab) => html`<button type="button" role="tab" aria-selected=${tab === this.tab ? "true" : "false"} @click=${() => this.showTab(tab)}>${words[tab]}</button>`,
          )}
        </div>
        ${this.#brief(words.addStep, plus, () => this.addAfter())} ${this.#brief(words.remove, bin, () => this.#wish({ kind: "remove", row }))} ${this.#closeButton()}
      </div>
      ${this.tab === "form"
        ? html`<div class="scroll">
            <build-form
              .value=${this.flow.valueOf(row) ?? {}}
              .row=${row}
              .names=${this.names}
              .keyProblem=${this.keyProblem}
              .findings=${here}
              .isReadOnly=${this.flow.mistake !== null}
            ></build-form>
          </div>`
        : this.#rowJson(row)}
    </section>`;
  }

  #detailKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    this.#wish({ kind: "leave-detail" });
    if (this.offsetWidth < 620) this.close();
  }

  #rowJson(row: Row) {
    if (!this.hasJson) return html`<div class="empty" role="status">${words.loading}</div>`;
    const path = pathOfRow(row);
    const shown = this.flow.text ? this.rowText.read(this.flow.text, path) : "";
    return html`<build-json
      .text=${shown}
      .file=${FLOW}
      .schema=${this.schemas[FLOW] ?? null}
      .within=${path}
      .names=${this.names}
      .findings=${this.placed.filter(({ row: at }) => isSameRow(at, row))}
      .label=${words.jsonOf(row.conversation)}
      .isReadOnly=${this.flow.mistake !== null}
      @build-json-text=${(event: JsonTextEvent) => this.writeRow(row, event.text)}
    ></build-json>`;
  }

  // -- files

  #filesView(): TemplateResult {
    const names = Object.keys(this.files).sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
    const changed = this.workspace.changed();
    return html`<div class="files">
      <div class="file-tabs">
        <div role="tablist" aria-label=${words.file}>${names.map(
          (name) =>
            html`<button type="button" role="tab" class=${name in changed ? "dot" : ""} aria-selected=${name === this.file ? "true" : "false"} @click=${() => this.openFile(name)}>${name}</button>`,
        )}</div>
        <button type="button" class="plain" @click=${() => this.addTestFile()}>${plus}${words.newTest}</button>
      </div>
      ${this.hasJson
        ? html`<build-json
            .text=${this.files[this.file] ?? ""}
            .file=${this.file}
            .schema=${this.schemas[this.file] ?? (this.file.startsWith("tests/") ? (this.schemas["tests"] ?? null) : null)}
            .within=${[]}
            .names=${this.names}
            .findings=${this.placed.filter(({ finding }) => finding.file === this.file)}
            .jump=${this.jump}
            .label=${words.jsonOf(this.file)}
            @build-json-text=${(event: JsonTextEvent) => this.#wish({ kind: "text", file: this.file, text: event.text, group: `text ${this.file}` })}
            @build-json-jumped=${() => (this.jump = null)}
          ></build-json>`
        : html`<div class="empty" role="status">${words.loading}</div>`}
    </div>`;
  }

  #mapView() {
    if (!this.hasMap) return html`<div class="empty" role="status">${words.loading}</div>`;
    return html`<build-map .api=${this.api} .bot=${this.bot} .workspace=${this.workspace} .files=${this.files} .marks=${this.marks}></build-map>`;
  }
}

function rank(name: string): number {
  const at = ["flow.json", "training.json", "bot.json"].indexOf(name);
  return at < 0 ? 3 : at;
}
