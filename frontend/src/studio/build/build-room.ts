// What the Build room does. The texts of the bot's files are the one document; outline, form, JSON and map show it, and every change
// goes through here into the history and the workspace. How the room looks is left to build.ts.

import { LitElement } from "lit";
import { type Api, placeOf, Refused } from "../api";
import type { Command, OpenPathEvent } from "../events";
import { failureNotice, NoticeEvent } from "../notice";
import { register } from "../rooms";
import type { Route } from "../route";
import type { Files, Workspace } from "../workspace";
import { fix as fixed, type Schema, schemas, vocabulary, type Vocabulary } from "./api";
import type { AnswerEvent, BuildConversationDialog } from "./conversation-dialog";
import type { Wish, WishEvent } from "./events";
import * as actions from "./flow-actions";
import { FLOW } from "./flow-actions";
import { FlowDocument, marksOf, type PlacedFinding } from "./flow-document";
import { pathOfRow, type Row, rowOfPath } from "./flow-outline";
import type { BuildForm } from "./form";
import { type FileHistory, historyOf, type Place } from "./history";
import { removeAt, setAt } from "./json-edit";
import { nodeAt, pathAt, readTree, resolved } from "./json-tree";
import { type BuildOutline, type Mark, markKey } from "./outline";
import { RowText } from "./row-text";
import { openPublish, saveFiles } from "./saving";
import { type Names, NO_NAMES, namesOf } from "./template-names";
import { words } from "./words";

export type View = "outline" | "map" | "files";
export const VIEWS: readonly View[] = ["outline", "map", "files"];

/** Findings that the list draws at first, and again as often as one scrolls to its end: a thousand would hold the page. */
export const LISTED_AT_ONCE = 40;
const UNDO_SHOWN_MS = 8000;
/** Milliseconds between two looks at whether another program changed the folder. */
const LOOK_EVERY_MS = 15_000;
const EMPTY_TEST = '{\n  "name": "",\n  "scenarios": []\n}\n';
const EMPTY_FLOW = '{\n  "conversations": {}\n}\n';

export abstract class BuildRoom extends LitElement {
  static override properties = {
    api: { attribute: false },
    workspace: { attribute: false },
    bot: {},
    route: { attribute: false },
    view: { state: true },
    row: { state: true },
    isDetail: { state: true },
    tab: { state: true },
    file: { state: true },
    isListing: { state: true },
    listed: { state: true },
    bar: { state: true },
    hasJson: { state: true },
    hasMap: { state: true },
    isStale: { state: true },
    keyProblem: { state: true },
    known: { state: true },
    schemas: { state: true },
  };

  declare api: Api;
  declare workspace: Workspace;
  declare bot: string;
  declare route: Route;
  declare view: View;
  declare row: Row | null;
  /** The pane beside shows the row. */
  declare isDetail: boolean;
  declare tab: "form" | "json";
  /** In the view of files. */
  declare file: string;
  /** The list of findings is in the pane beside. */
  declare isListing: boolean;
  /** Findings of the list that are drawn, from its first. */
  declare listed: number;
  /** What was just removed and can come back. */
  declare bar: string;
  declare hasJson: boolean;
  declare hasMap: boolean;
  /** The files were changed outside while there are changes here. */
  declare isStale: boolean;
  declare keyProblem: string;
  declare known: Vocabulary;
  declare schemas: Readonly<Record<string, Schema>>;
  protected readonly flow = new FlowDocument();
  protected readonly rowText = new RowText();
  protected history: FileHistory | undefined;
  protected names: Names = NO_NAMES;
  #namedBy: readonly unknown[] = [];
  protected placed: readonly PlacedFinding[] = [];
  protected marks: ReadonlyMap<string, Mark> = new Map();
  #placedBy: readonly unknown[] = [];
  #finding = -1;
  #unsubscribe: (() => void) | undefined;
  #barTimer: ReturnType<typeof setTimeout> | undefined;
  #lookTimer: ReturnType<typeof setInterval> | undefined;
  #shownQuery = "";
  /** A place in the file that the JSON editor shows once it has drawn. */
  protected jump: number | null = null;

  constructor() {
    super();
    this.bot = this.bar = this.keyProblem = "";
    this.view = "outline";
    this.row = null;
    this.tab = "form";
    this.file = FLOW;
    this.listed = LISTED_AT_ONCE;
    this.isDetail = this.isListing = this.hasJson = this.hasMap = this.isStale = false;
    this.known = { helpers: [], types: [] };
    this.schemas = {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#key);
    addEventListener("studio-open-path", this.#opened);
    addEventListener("focus", this.#look);
    this.#lookTimer = setInterval(this.#look, LOOK_EVERY_MS);
    this.addEventListener("build-wish", this.#wished);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#key);
    removeEventListener("studio-open-path", this.#opened);
    removeEventListener("focus", this.#look);
    clearInterval(this.#lookTimer);
    clearTimeout(this.#barTimer);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  // -- the document

  protected get files(): Files {
    return this.workspace.files;
  }

  protected override willUpdate(changes: Map<PropertyKey, unknown>): void {
    if (!this.workspace || !this.bot) return;
    if (!this.#unsubscribe) {
      this.history = historyOf(this.workspace);
      this.#unsubscribe = this.workspace.subscribe(() => this.requestUpdate());
    }
    if (changes.has("bot")) this.#begin();
    this.flow.read(this.files[FLOW]);
    if (this.row && !this.flow.has(this.row)) {
      this.row = null;
      this.isDetail = false;
    }
    this.#derive();
    this.#followRoute();
  }

  #begin(): void {
    this.flow.clear();
    this.row = null;
    this.isDetail = this.isListing = this.isStale = false;
    this.#shownQuery = "";
    void this.workspace.load(this.bot);
    void this.#loadWords();
  }

  async #loadWords(): Promise<void> {
    // Without them the fields complete less; the files can be edited all the same.
    const missing = (error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    };
    await Promise.all([vocabulary(this.api).then((known) => (this.known = known), missing), schemas(this.api).then((found) => (this.schemas = found), missing)]);
  }

  /** Works out what depends on the files and findings, once for each state of them. */
  #derive(): void {
    const named = [this.flow.outline, this.files["training.json"], this.files["bot.json"], this.known];
    if (named.some((one, index) => one !== this.#namedBy[index])) {
      this.#namedBy = named;
      this.names = namesOf(this.flow.outline, this.files["training.json"], this.files["bot.json"], this.known.helpers, this.known.types);
    }
    const placed = [this.workspace.findings, this.flow.outline];
    if (placed.some((one, index) => one !== this.#placedBy[index])) {
      this.#placedBy = placed;
      this.placed = this.flow.place(this.workspace.findings, this.files);
      this.marks = marksOf(this.placed, markKey);
    }
  }

  /** The address may name a place that is to be shown. */
  #followRoute(): void {
    const query = this.route?.query ?? "";
    if (query === this.#shownQuery || !this.workspace.draft) return;
    this.#shownQuery = query;
    const asked = new URLSearchParams(query);
    const at = asked.get("at");
    if (at !== null) this.openPath(asked.get("file") ?? FLOW, at);
  }

  #opened = (event: Event): void => {
    const { file, path } = event as OpenPathEvent;
    this.openPath(file, path);
  };

  /** Shows a place of a file; where it is a row, the keys go on there. */
  openPath(file: string, path: string): void {
    const row = file === FLOW && !this.flow.mistake && this.flow.text ? rowOfPath(resolved(readTree(this.flow.text), path)) : null;
    if (row) {
      this.#open(row);
      void this.updateComplete.then(() => this.#outline?.focus());
    } else if (file in this.files) this.openFile(file, this.#offsetOf(file, path));
  }

  #offsetOf(file: string, path: string): number | null {
    try {
      const root = readTree(this.files[file] ?? "");
      return nodeAt(root, resolved(root, path))?.start ?? null;
    } catch {
      // The file is broken: it is shown from its beginning, with the mistake marked.
      return null;
    }
  }

  protected openFile(file: string, offset: number | null = null): void {
    this.view = "files";
    this.file = file;
    this.jump = offset;
    void this.#needJson();
  }

  #open(row: Row, hasFocus = false): void {
    this.view = "outline";
    this.row = row;
    this.isDetail = true;
    this.isListing = false;
    this.keyProblem = "";
    void this.updateComplete.then(async () => {
      this.#outline?.reveal();
      const form = hasFocus ? this.renderRoot.querySelector<BuildForm>("build-form") : null;
      // A form that is new here draws its fields after the room is drawn.
      await form?.updateComplete;
      form?.focus();
    });
  }

  get #outline(): BuildOutline | null {
    return this.renderRoot.querySelector("build-outline");
  }

  // -- changes

  protected put(file: string, changed: string, group = ""): void {
    if (changed !== this.files[file]) this.history?.apply({ [file]: changed }, group);
  }

  #wished = (event: Event): void => {
    const { wish } = event as WishEvent;
    try {
      this.#do(wish);
    } catch (error) {
      // A broken text is not edited but as text; the bar above says where it is broken.
      if (!this.flow.mistake) throw error;
    }
  };

  #do(wish: Wish): void {
    const flow = this.files[FLOW] ?? "";
    switch (wish.kind) {
      case "select":
        this.row = wish.row;
        this.keyProblem = "";
        return;
      case "open":
        return this.#open(wish.row, wish.hasFocus);
      case "leave-detail":
        return this.#outline?.focus();
      case "edit":
        return this.put(FLOW, wish.value === undefined ? removeAt(flow, wish.path) : setAt(flow, wish.path, wish.value), wish.group);
      case "text":
        return this.put(wish.file, wish.text, wish.group);
      case "new-conversation":
        return this.questions?.ask({ kind: "new" });
      case "rename":
        return this.#rename(wish.key, wish.name);
      case "fix":
        return void this.fix(wish.number);
      case "show-finding":
        return this.#showFinding(wish.number);
      default:
        return this.#change(wish, flow);
    }
  }

  /** What moves rows. The chosen row is afterwards the one that was changed. */
  #change(wish: Wish & { kind: "add" | "remove" | "double" | "move" | "move-conversation" }, flow: string): void {
    if (wish.kind === "remove") return this.#remove(wish.row, flow);
    if (wish.kind === "move-conversation") this.put(FLOW, actions.moveConversation(flow, wish.key, wish.before));
    else if (wish.kind === "add") {
      const wording = wish.type === "question" ? words.startQuestion : words.startWording;
      this.put(FLOW, actions.addStep(flow, wish.conversation, wish.index, actions.newStep(wish.type, this.flow.outline.entities, wording)));
      this.#chooseAfter({ conversation: wish.conversation, index: wish.index }, true);
    } else if (wish.row.index !== null && wish.kind === "double") {
      const { conversation, index } = wish.row;
      this.put(FLOW, actions.doubleStep(flow, conversation, index));
      this.#chooseAfter({ conversation, index: index + 1 });
    } else if (wish.kind === "move" && wish.row.index !== null) {
      const { conversation, index } = wish.row;
      this.put(FLOW, actions.moveStep(flow, { conversation, index }, wish.conversation, wish.index));
      const isBelow = wish.conversation === conversation && wish.index > index;
      this.#chooseAfter({ conversation: wish.conversation, index: isBelow ? wish.index - 1 : wish.index });
    }
  }

  #chooseAfter(row: Row, isNew = false): void {
    this.flow.read(this.files[FLOW]);
    if (isNew) return this.#open(row, true);
    this.row = row;
    void this.updateComplete.then(() => this.#outline?.reveal());
  }

  #remove(row: Row, flow: string): void {
    if (row.index === null) {
      const references = actions.referencesTo(this.files, row.conversation).filter((one) => one.row?.conversation !== row.conversation);
      if (references.length) return this.questions?.ask({ kind: "remove", key: row.conversation, references });
    }
    this.#removeNow(row, flow);
  }

  #removeNow(row: Row, flow: string): void {
    const all = this.flow.outline.conversations;
    const at = all.findIndex(({ key }) => key === row.conversation);
    const beside = all[at + 1]?.key ?? all[at - 1]?.key;
    const rest = (all[at]?.steps.length ?? 1) - 1;
    this.put(FLOW, actions.removeRow(flow, row));
    if (row.index !== null) this.#chooseAfter({ conversation: row.conversation, index: rest > 0 ? Math.min(row.index, rest - 1) : null });
    else if (beside !== undefined) this.#chooseAfter({ conversation: beside, index: null });
    this.#showBar(row.index === null ? words.removedConversation(row.conversation) : words.removedStep);
  }

  #showBar(said: string): void {
    this.bar = said;
    clearTimeout(this.#barTimer);
    this.#barTimer = setTimeout(() => (this.bar = ""), UNDO_SHOWN_MS);
  }

  #rename(key: string, name: string): void {
    if (name === key) return void (this.keyProblem = "");
    const isTaken = this.flow.outline.conversations.some((one) => one.key === name);
    this.keyProblem = !name ? words.keyEmpty : isTaken ? words.keyTaken : "";
    if (this.keyProblem) return;
    this.history?.apply(actions.renameConversation(this.files, key, name));
    this.#chooseAfter({ conversation: name, index: null });
  }

  protected get questions(): BuildConversationDialog | null {
    return this.renderRoot.querySelector("build-conversation-dialog");
  }

  protected answered(event: AnswerEvent): void {
    const { answer } = event;
    const flow = this.files[FLOW] ?? "";
    if (answer.kind === "remove") return this.#removeNow({ conversation: answer.key, index: null }, flow);
    this.put(FLOW, actions.addConversation(flow || EMPTY_FLOW, answer, words.startWording));
    this.#chooseAfter({ conversation: answer.key, index: 0 }, true);
  }

  protected undo(isBack: boolean): void {
    const place = isBack ? this.history?.undo() : this.history?.redo();
    this.bar = "";
    if (!place) return void this.dispatchEvent(new NoticeEvent(words.nothingToUndo));
    this.flow.read(this.files[FLOW]);
    this.#show(place);
  }

  /** Chooses the row where something was changed, or shows its file. */
  #show({ file, offset }: Place): void {
    if (this.view === "files") {
      if (file in this.files) this.file = file;
      return;
    }
    if (file !== FLOW || this.flow.mistake || !this.flow.text) return;
    const row = rowOfPath(pathAt(readTree(this.flow.text), offset));
    if (!row || !this.flow.has(row)) return;
    this.row = row;
    void this.updateComplete.then(() => this.#outline?.reveal());
  }

  // -- saving

  protected async save(): Promise<void> {
    if (await saveFiles(this)) this.isStale = false;
  }

  /** Looks whether the files were changed by another program. What nobody edits here is taken over. */
  #look = async (): Promise<void> => {
    const { workspace } = this;
    if (document.visibilityState !== "visible" || !workspace?.draft || workspace.isSaving || workspace.bot !== this.bot || workspace.conflict) return;
    const { revision } = workspace;
    const now = (await this.api.call("GET", `${placeOf(this.bot)}/draft`).catch(() => null)) as { revision: string } | null;
    if (!now || now.revision === revision || workspace.revision !== revision || workspace.isSaving) return;
    if (workspace.isChanged) this.isStale = true;
    else {
      await workspace.load(this.bot, true);
      this.dispatchEvent(new NoticeEvent(words.takenOver));
    }
  };

  protected publish(): Promise<void> {
    return openPublish(this);
  }

  // -- findings

  #showFinding(number: number): void {
    const placed = this.placed[number];
    if (!placed) return;
    this.#finding = number;
    const { finding, row, path } = placed;
    if (row && !this.flow.mistake) {
      this.#open(row);
      return;
    }
    const offset = finding.line === undefined ? this.#offsetOf(finding.file, path.join("/")) : offsetOfLine(this.files[finding.file] ?? "", finding.line, finding.column ?? 1);
    this.openFile(finding.file, offset);
  }

  protected nextFinding(by: number): void {
    const count = this.placed.length;
    if (count) this.#showFinding((this.#finding + by + count) % count);
  }

  protected async fix(number: number): Promise<void> {
    const placed = this.placed[number];
    if (!placed?.isFixable) return void this.dispatchEvent(new NoticeEvent(words.notFixable));
    try {
      const { bot, workspace } = this;
      let before: Files;
      let files: Files;
      do {
        before = workspace.files;
        files = await fixed(this.api, bot, workspace.changed(), placed.finding);
        if (bot !== workspace.bot) return;
        // The answer has the files as they were asked for: what was typed since would be gone.
      } while (before !== workspace.files);
      this.history?.apply(files);
      this.dispatchEvent(new NoticeEvent(words.fixed));
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  }

  /** Of the chosen row, else of the one that was shown last. */
  #fixHere(): void {
    const here = this.placed.findIndex(({ row, isFixable }) => isFixable && row !== null && this.row !== null && markKey(row) === markKey(this.row));
    const first = this.placed.findIndex(({ isFixable }) => isFixable);
    void this.fix(here >= 0 ? here : this.#finding >= 0 && this.placed[this.#finding]?.isFixable ? this.#finding : first);
  }

  // -- keys and commands

  #key = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const isElsewhere = !event.composedPath().includes(this) && target instanceof Element && target.matches("input, textarea, [contenteditable], [contenteditable] *");
    if (isElsewhere || event.defaultPrevented || this.renderRoot.querySelector("build-merge, build-publish[open]")) return;
    const isControl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (isControl && key === "s") void this.save();
    else if (isControl && key === "z") this.undo(!event.shiftKey);
    else if (isControl && key === "y") this.undo(false);
    else if (isControl && key === ".") this.#fixHere();
    else if (key === "f8") this.nextFinding(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };

  /** What the palette offers of this room, beside the flow's parts, which it finds by itself. */
  commands(): Command[] {
    const { commands } = words;
    return [
      { title: commands.save, run: () => void this.save() },
      { title: commands.publish, run: () => void this.publish() },
      { title: commands.undo, run: () => this.undo(true) },
      { title: commands.redo, run: () => this.undo(false) },
      ...(this.flow.mistake ? [] : [{ title: commands.newConversation, run: () => this.questions?.ask({ kind: "new" }) }]),
      { title: commands.findings, run: () => this.list() },
      { title: commands.nextFinding, run: () => this.nextFinding(1) },
      ...VIEWS.map((view) => ({ title: commands[view], run: () => this.showView(view) })),
    ];
  }

  protected list(): void {
    this.listed = LISTED_AT_ONCE;
    this.view = "outline";
    this.isListing = true;
    this.isDetail = true;
  }

  /** Takes the pane beside away. */
  protected close(): void {
    this.isDetail = this.isListing = false;
    void this.updateComplete.then(() => this.#outline?.focus());
  }

  /** Opens the menu that adds a step after the chosen row. */
  protected addAfter(): void {
    this.#outline?.addAfter();
  }

  protected showTab(tab: "form" | "json"): void {
    this.tab = tab;
    this.rowText.forget();
    if (tab === "json") void this.#needJson();
  }

  /** Puts the row's JSON into the file as far as it can be read. */
  protected writeRow(row: Row, typed: string): void {
    const path = pathOfRow(row);
    const written = this.rowText.write(this.flow.text, path, typed);
    if (written !== null) this.put(FLOW, written, `json ${path.join("/")}`);
  }

  protected addTestFile(): void {
    let number = 1;
    while (`tests/test-${number}.json` in this.files) number += 1;
    const name = `tests/test-${number}.json`;
    this.put(name, EMPTY_TEST);
    this.openFile(name);
  }

  protected showView(view: View): void {
    this.view = view;
    if (view === "files") void this.#needJson();
    if (view === "map") void this.#needMap();
  }

  async #needJson(): Promise<void> {
    const { BuildJson } = await import("./json-editor");
    register({ "build-json": BuildJson });
    this.hasJson = true;
  }

  async #needMap(): Promise<void> {
    const { BuildMap } = await import("./map");
    register({ "build-map": BuildMap });
    this.hasMap = true;
  }
}

function offsetOfLine(textOfFile: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = textOfFile.indexOf("\n", start) + 1;
  return Math.min(textOfFile.length, start + column - 1);
}
