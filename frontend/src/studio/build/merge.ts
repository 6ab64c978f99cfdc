// <build-merge>: mine beside theirs, file by file, when somebody else saved the same files meanwhile. Chunks of theirs are taken over
// one by one; nothing is saved until one says so.

import { json } from "@codemirror/lang-json";
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { css, html, LitElement } from "lit";
import { base } from "../../view/tokens";
import { controls, text } from "../shared-styles";
import type { Files } from "../workspace";
import { jsonTheme } from "./json-editor";
import { mergedFiles } from "./merge-texts";
import { words } from "./words";

export class BuildMerge extends LitElement {
  static override properties = { base: { attribute: false }, mine: { attribute: false }, theirs: { attribute: false }, file: { state: true } };

  static override styles = [
    base,
    controls,
    text,
    css`
      dialog {
        display: grid;
        grid-template-rows: auto auto minmax(0, 1fr) auto;
        gap: 10px;
        inline-size: min(1240px, calc(100vw - 32px));
        block-size: calc(100dvh - 32px);
        max-inline-size: none;
        max-block-size: none;
        padding: 18px 20px;
        border: 1px solid var(--line);
        border-radius: 14px;
        background: var(--panel);
        color: var(--text);
      }

      dialog:not([open]) {
        display: none;
      }

      dialog::backdrop {
        background: oklch(0.2 0.02 264 / 0.4);
      }

      .tabs {
        display: flex;
        gap: 2px;
        overflow-x: auto;
      }

      .tabs button {
        padding: 4px 10px;
        border: 0;
        border-radius: 7px;
        background: none;
        color: var(--quiet);
        font-size: 13px;
      }

      .tabs [aria-selected="true"] {
        background: var(--raised-hover);
        color: var(--text);
      }

      .both {
        display: grid;
        grid-template: auto minmax(0, 1fr) / 1fr 1fr;
        min-block-size: 0;
        border: 1px solid var(--line);
        border-radius: 10px;
        overflow: hidden;
      }

      .both > span {
        padding: 5px 12px;
        border-block-end: 1px solid var(--line);
        background: var(--raised);
        color: var(--quiet);
        font-size: 12.5px;
      }

      .place {
        grid-column: 1 / -1;
        min-block-size: 0;
        overflow: auto;
      }

      .end {
        display: flex;
        justify-content: end;
        gap: 8px;
      }
    `,
  ];

  /** What both began with. */
  declare base: Files;
  declare mine: Files;
  declare theirs: Files;
  declare file: string;
  /** Mine, as far as it was merged. */
  #merged: Record<string, string> = {};
  #view: MergeView | undefined;
  #done: (files: Files | null) => void = () => undefined;

  constructor() {
    super();
    this.base = this.mine = this.theirs = {};
    this.file = "";
  }

  /** Whoever waits for it waits no longer where its room is left. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end(null);
  }

  /** The files that differ. */
  get #names(): string[] {
    return [...new Set([...Object.keys(this.mine), ...Object.keys(this.theirs)])].filter((name) => this.mine[name] !== this.theirs[name]).sort();
  }

  /** Shows the dialog. Resolves with the merged files, with theirs, or with null when nothing was decided. */
  async ask(): Promise<Files | null> {
    this.#merged = mergedFiles(this.base, this.mine, this.theirs);
    const names = this.#names;
    if (!names.length) return this.theirs;
    this.file = names[0] ?? "";
    await this.updateComplete;
    this.renderRoot.querySelector("dialog")?.showModal();
    this.#show();
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  #show(): void {
    const parent = this.renderRoot.querySelector<HTMLElement>(".place");
    if (!parent) return;
    this.#view?.destroy();
    const shared = [lineNumbers(), json(), jsonTheme, EditorView.lineWrapping, EditorState.phrases.of({ "$ unchanged lines": words.unchangedLines })];
    const { file } = this;
    const keep = EditorView.updateListener.of((update) => {
      if (update.docChanged) this.#merged[file] = update.state.doc.toString();
    });
    this.#view = new MergeView({
      parent,
      root: this.renderRoot as ShadowRoot,
      a: { doc: this.#merged[file] ?? "", extensions: [...shared, keep, EditorView.contentAttributes.of({ "aria-label": `${words.mine}: ${file}` })] },
      b: { doc: this.theirs[file] ?? "", extensions: [...shared, EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-label": `${words.theirs}: ${file}` })] },
      revertControls: "b-to-a",
      collapseUnchanged: { margin: 3, minSize: 6 },
      renderRevertControl: () => {
        const button = document.createElement("button");
        button.title = words.takeTheirs;
        button.ariaLabel = words.takeTheirs;
        button.textContent = "←";
        return button;
      },
      gutter: true,
    });
  }

  #choose(file: string): void {
    this.file = file;
    this.#show();
  }

  #end(files: Files | null): void {
    this.#view?.destroy();
    this.#view = undefined;
    this.renderRoot.querySelector("dialog")?.close();
    this.#done(files);
  }

  /** Of a file that one side took away, an empty text means that it goes. */
  get #result(): Files {
    const kept = Object.entries(this.#merged).filter(([name, one]) => one !== "" || (name in this.theirs && name in this.mine));
    return Object.fromEntries(kept);
  }

  override render() {
    const cancelled = (event: Event) => {
      event.preventDefault();
      this.#end(null);
    };
    return html`<dialog aria-labelledby="title" @cancel=${cancelled}>
      <div>
        <h2 id="title">${words.conflictTitle}</h2>
        <p class="quiet">${words.conflictHelp}</p>
      </div>
      <div class="tabs" role="tablist" aria-label=${words.file}>
        ${this.#names.map((name) => html`<button type="button" role="tab" aria-selected=${name === this.file ? "true" : "false"} @click=${() => this.#choose(name)}>${name}</button>`)}
      </div>
      <div class="both"><span>${words.mine}</span><span>${words.theirs}</span><div class="place"></div></div>
      <div class="end">
        <button type="button" class="button" @click=${() => this.#end(null)}>${words.cancel}</button>
        <button type="button" class="button" @click=${() => this.#end(this.theirs)}>${words.keepTheirs}</button>
        <button type="button" class="button main" @click=${() => this.#end(this.#result)}>${words.saveMerged}</button>
      </div>
    </dialog>`;
  }
}
