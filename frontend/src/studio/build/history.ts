// Undo and redo over all files of a bot, whoever changed them: outline, form, JSON, fixes, other rooms. Changes that follow each
// other without a pause and belong together are one step.

import type { Changes, Files, Workspace } from "../workspace";

/** Milliseconds after which typing begins a new step. */
const PAUSE_MS = 900;
const MAX_STEPS = 500;

/** The characters of a file that a step changed. `null`: the file was not there, or is not there afterwards. */
interface Span {
  readonly file: string;
  readonly at: number;
  readonly before: string | null;
  readonly after: string | null;
}

interface Step {
  readonly spans: readonly Span[];
  readonly group: string;
}

/** Where a step of undo or redo has changed something. */
export interface Place {
  readonly file: string;
  readonly offset: number;
}

export class FileHistory {
  #undo: Step[] = [];
  #redo: Step[] = [];
  #bot = "";
  /** The files after the last change that was recorded. */
  #known: Files = {};
  /** The files before the newest step, while it can still grow. */
  #before: Files = {};
  #group = "";
  #at = 0;
  #isOwn = false;
  #isLoaded = false;
  readonly #now: () => number;

  constructor(
    readonly workspace: Workspace,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    workspace.subscribe(() => this.#seen());
    this.#seen();
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /** Changes files. Changes of one `group` that follow each other quickly are undone together. */
  apply(changes: Changes, group = ""): void {
    this.#group = group;
    this.workspace.replace(changes);
    this.#group = "";
  }

  undo(): Place | null {
    return this.#step(this.#undo, this.#redo, true);
  }

  redo(): Place | null {
    return this.#step(this.#redo, this.#undo, false);
  }

  #step(from: Step[], to: Step[], isBack: boolean): Place | null {
    const step = from.pop();
    if (!step) return null;
    to.push(step);
    const changes: Record<string, string | null> = {};
    for (const { file, at, before, after } of step.spans) {
      const [old, put] = isBack ? [after, before] : [before, after];
      const text = this.workspace.files[file] ?? "";
      changes[file] = put === null ? null : text.slice(0, at) + put + text.slice(at + (old?.length ?? 0));
    }
    this.#isOwn = true;
    this.workspace.replace(changes);
    this.#isOwn = false;
    const [first] = step.spans;
    return first ? { file: first.file, offset: first.at } : null;
  }

  #seen(): void {
    const { bot, files, draft } = this.workspace;
    if (bot !== this.#bot || !this.#isLoaded || !draft) {
      if (bot !== this.#bot) this.#undo = this.#redo = [];
      this.#bot = bot;
      this.#isLoaded = draft !== null;
      this.#known = files;
      this.#at = -Infinity;
      return;
    }
    if (files === this.#known) return;
    if (!this.#isOwn) this.#record(files);
    else this.#at = -Infinity;
    this.#known = files;
  }

  #record(files: Files): void {
    const now = this.#now();
    const newest = this.#undo.at(-1);
    const grows = newest !== undefined && this.#group !== "" && newest.group === this.#group && now - this.#at < PAUSE_MS;
    if (grows) this.#undo.pop();
    else this.#before = this.#known;
    this.#at = now;
    const spans = spansBetween(this.#before, files);
    if (!spans.length) return;
    this.#undo.push({ spans, group: this.#group });
    if (this.#undo.length > MAX_STEPS) this.#undo.shift();
    this.#redo = [];
  }
}

function spansBetween(before: Files, after: Files): Span[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).map((name) => spanOf(name, before[name], after[name]));
}

function spanOf(file: string, before: string | undefined, after: string | undefined): Span {
  if (before === undefined || after === undefined) return { file, at: 0, before: before ?? null, after: after ?? null };
  const { from, to, insert } = changeBetween(before, after);
  return { file, at: from, before: before.slice(from, to), after: insert };
}

/** Returns the one stretch in which two texts differ. */
export function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let tail = 0;
  while (tail < shorter - from && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

const histories = new WeakMap<Workspace, FileHistory>();

/** Returns the history of a workspace, which lasts while one goes from room to room. */
export function historyOf(workspace: Workspace): FileHistory {
  let found = histories.get(workspace);
  if (!found) histories.set(workspace, (found = new FileHistory(workspace)));
  return found;
}
