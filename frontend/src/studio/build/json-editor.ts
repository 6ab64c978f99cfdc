// <build-json>: a JSON text in CodeMirror. The text belongs to whoever shows the element: it is told every edit, and the editor takes
// over what is changed elsewhere. Undo is the room's, over all files.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { moveLineDown, moveLineUp, standardKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { css, html, LitElement } from "lit";
import type { Schema } from "./api";
import { WishEvent } from "./events";
import type { PlacedFinding } from "./flow-document";
import { changeBetween } from "./history";
import { completeJson } from "./json-completion";
import { unitOf } from "./json-edit";
import { JsonMistake, nodeAt, type Path, readTree } from "./json-tree";
import { type Names, NO_NAMES } from "./template-names";
import { words } from "./words";

/** The text was edited in the editor. */
export class JsonTextEvent extends Event {
  constructor(readonly text: string) {
    super("build-json-text");
  }
}

const fromOutside = Annotation.define<boolean>();

export const jsonTheme: Extension = [
  EditorView.theme({
    "&": { height: "100%", fontSize: "13px", color: "var(--text)", backgroundColor: "transparent" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "20px" },
    ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    ".cm-gutters": { backgroundColor: "transparent", color: "var(--quiet)", border: "0" },
    ".cm-activeLine": { backgroundColor: "color-mix(in oklab, transparent, var(--text) 4%)" },
    ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in oklab, transparent, var(--brand) 28%) !important" },
    ".cm-selectionMatch": { backgroundColor: "color-mix(in oklab, transparent, var(--brand) 14%)" },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in oklab, transparent, var(--text) 14%)" },
    ".cm-foldPlaceholder": { backgroundColor: "var(--raised)", border: "0", color: "var(--quiet)" },
    ".cm-tooltip": { border: "1px solid var(--line)", borderRadius: "9px", backgroundColor: "var(--panel)", color: "var(--text)", boxShadow: "0 8px 28px var(--shadow)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": { padding: "4px", maxHeight: "240px" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 8px", borderRadius: "6px" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--raised-hover)", color: "var(--text)" },
    ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal" },
    ".cm-completionInfo": { padding: "7px 10px", maxWidth: "280px", fontFamily: "var(--font)" },
    ".cm-diagnostic": { padding: "7px 10px", fontFamily: "var(--font)", borderLeft: "0" },
    ".cm-diagnosticAction": { backgroundColor: "var(--brand)", color: "var(--brand-text)", borderRadius: "6px", padding: "3px 9px" },
    ".cm-merge-revert": { width: "30px", backgroundColor: "var(--raised)", borderInline: "1px solid var(--line)" },
    ".cm-merge-revert button": { left: "3px", width: "24px", height: "20px", border: "1px solid var(--line-strong)", borderRadius: "6px", backgroundColor: "var(--surface)", color: "var(--text)", lineHeight: "1" },
    ".cm-collapsedLines": { background: "var(--raised) !important", color: "var(--quiet)", fontFamily: "var(--font)" },
    ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: "none !important" },
    ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--line)" },
    ".cm-textfield": { backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)", borderRadius: "6px", color: "inherit" },
    ".cm-button": { backgroundImage: "none", backgroundColor: "var(--raised)", border: "1px solid var(--line-strong)", borderRadius: "6px", color: "inherit" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: "var(--brand-ink)" },
      { tag: tags.string, color: "light-dark(oklch(0.45 0.1 155), oklch(0.82 0.1 155))" },
      { tag: [tags.number, tags.bool, tags.null], color: "light-dark(oklch(0.5 0.12 60), oklch(0.82 0.1 75))" },
      { tag: [tags.separator, tags.brace, tags.squareBracket], color: "var(--quiet)" },
    ]),
  ),
];

export class BuildJson extends LitElement {
  static override properties = {
    text: {},
    file: {},
    label: {},
    schema: { attribute: false },
    within: { attribute: false },
    names: { attribute: false },
    findings: { attribute: false },
    isReadOnly: { attribute: false },
    jump: { attribute: false },
  };

  static override styles = css`
    :host {
      display: block;
      min-inline-size: 0;
    }

    .place {
      block-size: 100%;
    }
  `;

  declare text: string;
  declare file: string;
  declare label: string;
  declare schema: Schema | null;
  /** Where the text stands in its file. */
  declare within: Path;
  declare names: Names;
  declare findings: readonly PlacedFinding[];
  declare isReadOnly: boolean;
  /** An offset in the text that is to be shown. */
  declare jump: number | null;
  #view: EditorView | undefined;
  #shown = "";
  readonly #settings = new Compartment();

  constructor() {
    super();
    this.text = this.file = this.label = "";
    this.schema = this.jump = null;
    this.within = [];
    this.names = NO_NAMES;
    this.findings = [];
    this.isReadOnly = false;
  }

  override focus(): void {
    this.#view?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = undefined;
    this.#shown = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  /** CodeMirror counts every line end as one character. */
  get #plain(): string {
    return this.text.replaceAll("\r\n", "\n");
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    const place = this.renderRoot.querySelector(".place");
    if (!place) return;
    const shown = `${this.file} ${JSON.stringify(this.within)}`;
    if (!this.#view) this.#view = new EditorView({ parent: place, root: this.renderRoot as ShadowRoot, state: this.#state() });
    else if (shown !== this.#shown) this.#view.setState(this.#state());
    else {
      const now = this.#view.state.doc.toString();
      if (now !== this.#plain) this.#view.dispatch({ changes: changeBetween(now, this.#plain), annotations: fromOutside.of(true) });
      if (changes.has("isReadOnly") || changes.has("label")) this.#view.dispatch({ effects: this.#settings.reconfigure(this.#changing()) });
    }
    const isNew = shown !== this.#shown;
    this.#shown = shown;
    if (isNew || changes.has("findings") || changes.has("text")) this.#mark(this.#view);
    if (this.jump !== null) this.#go(this.#view, this.jump);
  }

  #go(view: EditorView, offset: number): void {
    const plain = this.text.slice(0, offset).replaceAll("\r\n", "\n").length;
    const at = Math.min(plain, view.state.doc.length);
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    view.focus();
    this.dispatchEvent(new Event("build-json-jumped"));
  }

  #changing(): Extension {
    return [
      EditorState.readOnly.of(this.isReadOnly),
      EditorView.contentAttributes.of({ "aria-label": this.label, tabindex: "0" }),
    ];
  }

  #state(): EditorState {
    return EditorState.create({
      doc: this.#plain,
      extensions: [
        lineNumbers(),
        foldGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        drawSelection(),
        indentUnit.of(unitOf(this.text)),
        bracketMatching(),
        closeBrackets(),
        json(),
        search({ top: true }),
        lintGutter(),
        autocompletion({ override: [(context) => completeJson(context, this)], icons: false }),
        keymap.of([
          { key: "Mod-.", run: () => this.#fixHere() },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...foldKeymap,
          ...standardKeymap,
          { key: "Alt-ArrowUp", run: moveLineUp },
          { key: "Alt-ArrowDown", run: moveLineDown },
        ]),
        this.#settings.of(this.#changing()),
        jsonTheme,
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => this.#updated(update)),
      ],
    });
  }

  #updated(update: ViewUpdate): void {
    if (!update.docChanged || update.transactions.some((one) => one.annotation(fromOutside))) return;
    const typed = update.state.doc.toString();
    this.text = this.text.includes("\r\n") ? typed.replaceAll("\n", "\r\n") : typed;
    this.dispatchEvent(new JsonTextEvent(this.text));
  }

  /** Marks what is wrong: a mistake of the JSON itself, else the findings at their places. */
  #mark(view: EditorView): void {
    const plain = this.#plain;
    view.dispatch(setDiagnostics(view.state, diagnosticsOf(plain, this.findings, this.within, (finding) => this.#fix(finding))));
  }

  #fix(finding: PlacedFinding): void {
    this.dispatchEvent(new WishEvent({ kind: "fix", number: finding.number }));
  }

  /** The finding on the cursor's line that has a fix. */
  #fixHere(): boolean {
    const { state } = this.#view ?? {};
    if (!state) return false;
    const line = state.doc.lineAt(state.selection.main.head);
    const root = treeOf(this.#plain);
    const here = this.findings.find((one) => {
      const start = root instanceof JsonMistake ? -1 : (nodeAt(root, one.path.slice(this.within.length))?.start ?? -1);
      return one.isFixable && line.from <= start && start <= line.to;
    });
    if (here) this.#fix(here);
    return here !== undefined;
  }

  override render() {
    return html`<div class="place"></div>`;
  }
}

function treeOf(text: string) {
  try {
    return readTree(text);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    return error;
  }
}

function diagnosticsOf(text: string, findings: readonly PlacedFinding[], prefix: Path, fix: (finding: PlacedFinding) => void): Diagnostic[] {
  const root = treeOf(text);
  if (root instanceof JsonMistake) {
    const from = Math.min(root.offset, text.length);
    return [{ from, to: Math.min(from + 1, text.length), severity: "error", message: root.message }];
  }
  return findings
    .map((one): Diagnostic => {
      const node = nodeAt(root, one.path.slice(prefix.length)) ?? root;
      const firstLine = text.indexOf("\n", node.start);
      // Of a container its first line is enough.
      const to = firstLine > 0 ? Math.min(node.end, firstLine) : node.end;
      return {
        from: node.start,
        to,
        severity: one.isError ? "error" : "warning",
        message: one.finding.message,
        actions: one.isFixable ? [{ name: `${words.fix} (${words.fixKey})`, apply: () => fix(one) }] : [],
      };
    })
    .sort((one, other) => one.from - other.from);
}
