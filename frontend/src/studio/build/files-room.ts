// What rooms share that edit the bot's files beside Build: they follow the workspace, undo, save and publish.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Api } from "../api";
import type { Command } from "../events";
import type { Route } from "../route";
import type { Changes, Workspace } from "../workspace";
import { type FileHistory, historyOf } from "./history";
import { publishActs } from "./publish-acts";
import { openPublish, saveFiles } from "./saving";
import { redoIcon, undoIcon } from "./step-icons";
import { words } from "./words";

export abstract class FilesRoom extends LitElement {
  static override properties = { api: { attribute: false }, workspace: { attribute: false }, bot: {}, route: { attribute: false } };

  declare api: Api;
  declare workspace: Workspace;
  declare bot: string;
  declare route: Route;
  protected history: FileHistory | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor() {
    super();
    this.bot = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#key);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#key);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Another bot is shown. */
  protected abstract begin(): void;

  /** The files are others than they were. */
  protected filesChanged(): void {}

  protected override willUpdate(changes: Map<PropertyKey, unknown>): void {
    if (!this.workspace || !this.bot) return;
    if (!this.#unsubscribe) {
      this.history = historyOf(this.workspace);
      let { files } = this.workspace;
      this.#unsubscribe = this.workspace.subscribe(() => {
        this.requestUpdate();
        if (files !== this.workspace.files) this.filesChanged();
        ({ files } = this.workspace);
      });
    }
    if (!changes.has("bot")) return;
    void this.workspace.load(this.bot);
    this.begin();
  }

  protected apply(changes: Changes, group = ""): void {
    this.history?.apply(changes, group);
  }

  protected save(): Promise<boolean> {
    return saveFiles(this);
  }

  protected publish(): void {
    void openPublish(this);
  }

  #key = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const isField = target instanceof Element && target.matches("input, textarea");
    const isElsewhere = !event.composedPath().includes(this) && target instanceof Element && target.matches("input, textarea, [contenteditable], [contenteditable] *");
    const isControl = event.ctrlKey || event.metaKey;
    if (!isControl || isElsewhere || event.defaultPrevented || this.renderRoot.querySelector("build-merge, build-publish[open]")) return;
    const key = event.key.toLowerCase();
    if (key === "s") void this.save();
    // A field that is being typed in has its own undo.
    else if (key === "z" && !isField) event.shiftKey ? this.history?.redo() : this.history?.undo();
    else if (key === "y" && !isField) this.history?.redo();
    else return;
    event.preventDefault();
  };

  commands(): Command[] {
    const { commands } = words;
    return [
      { title: commands.save, run: () => void this.save() },
      { title: commands.publish, run: () => this.publish() },
      { title: commands.undo, run: () => void this.history?.undo() },
      { title: commands.redo, run: () => void this.history?.redo() },
    ];
  }

  /** What stands in place of the room while its files are not there; null: they are. */
  protected waiting(): TemplateResult | null {
    return filesWaiting(this.workspace, this.bot);
  }

  /** The buttons at the end of the head, and the bar of a conflict under it. */
  protected acts(): TemplateResult {
    const { isChanged, isSaving } = this.workspace;
    const brief = (name: string, icon: unknown, isOff: boolean, run: () => unknown) =>
      html`<button type="button" class="plain brief" aria-label=${name} title=${name} ?disabled=${isOff} @click=${run}>${icon}</button>`;
    return html`${brief(`${words.undo} (Ctrl Z)`, undoIcon, !this.history?.canUndo, () => this.history?.undo())}
      ${brief(`${words.redo} (Ctrl ⇧ Z)`, redoIcon, !this.history?.canRedo, () => this.history?.redo())}
      <button type="button" class="button" title="Ctrl S" ?disabled=${!isChanged || isSaving} @click=${() => void this.save()}>${isSaving ? words.saving : isChanged ? words.save : words.saved}</button>
      ${publishActs(this.workspace, () => this.publish())}`;
  }

  protected bars(): TemplateResult {
    const { conflict } = this.workspace;
    return html`<div>
      ${conflict
        ? html`<div class="bar" role="status">${words.notSaved}: ${words.conflictTitle}<button type="button" class="button" @click=${() => void this.save()}>${words.merge}</button></div>`
        : nothing}
    </div>`;
  }
}

/** Says that the files of a bot are loading, or why they are not there; null: they are. */
export function filesWaiting(workspace: Workspace | undefined, bot: string): TemplateResult | null {
  const problem = workspace?.problem;
  if (problem)
    return html`<div class="problem" role="alert">
      <h1 tabindex="-1">${words.notLoaded}</h1>
      <p class="quiet">${problem.message}</p>
      <button type="button" class="button" @click=${() => void workspace.load(bot, true)}>${words.tryAgain}</button>
    </div>`;
  return workspace?.draft && workspace.bot === bot ? null : html`<div class="problem quiet" role="status">${words.loading}</div>`;
}
