// The bot's files as they are edited: loaded once for all rooms, checked while one types, saved together. The try-out plays
// what is here, saved or not.

import { type Api, placeOf, Refused } from "./api";

export interface Finding {
  readonly file: string;
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  readonly level?: string;
  readonly line?: number;
  readonly column?: number;
  /** The finding carries an edit that `POST draft/fix` applies. */
  readonly isFixable?: boolean;
  /** What the fix does, in a few words. */
  readonly fixTitle?: string | null;
}

export interface Draft {
  /** Whether the files are the bot's folder, a stored draft, or still those of the active version. */
  readonly source: "folder" | "draft" | "version";
  readonly revision: string;
  readonly base: string;
  readonly files: Files;
  readonly canWriteFolder: boolean;
  readonly folder: string | null;
  readonly findings: readonly Finding[];
  /** In how many parts the files differ from the active version. */
  readonly unpublished: number;
  readonly author: { readonly name: string; readonly at: string } | null;
}

export type Files = Readonly<Record<string, string>>;
/** Only what differs; null: the file goes. */
export type Changes = Readonly<Record<string, string | null>>;

/** The files were changed by somebody else since they were loaded. */
export interface Conflict {
  readonly revision: string;
  readonly files: Files;
}

/** Milliseconds without a change after which the files are checked. */
const CHECK_AFTER = 300;

export class Workspace {
  bot = "";
  files: Files = {};
  /** The files as they were loaded or saved. */
  saved: Files = {};
  revision = "";
  findings: readonly Finding[] = [];
  /** In how many parts the files, saved or not, differ from the active version. */
  unpublished = 0;
  /** What else the service told of the draft; null until it is loaded. */
  draft: Draft | null = null;
  /** Why it could not be loaded. */
  problem: Refused | null = null;
  /** Set when a save met files that somebody else changed, until `take` or another `save`. */
  conflict: Conflict | null = null;
  isSaving = false;
  readonly #api: Api;
  readonly #hearers = new Set<() => void>();
  #loading: Promise<void> | null = null;
  #isChecking = false;
  /** The files were changed since the check that is on its way. */
  #isCheckDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Loads the bot's draft, unless it is here or on its way. A failure is kept in `problem`. `isAgain`: what is here is out of
   * date; whoever has opened another bot meanwhile stays there. */
  load(bot: string, isAgain = false): Promise<void> {
    if (isAgain && this.bot !== bot) return Promise.resolve();
    if (!isAgain && this.bot === bot && this.#loading) return this.#loading;
    const isOther = this.bot !== bot;
    if (isOther) this.#clear(bot);
    const loading = this.#load(bot).finally(() => {
      // A failure is asked for again by whoever comes next.
      if (this.#loading === loading && this.problem) this.#loading = null;
    });
    this.#loading = loading;
    return loading;
  }

  /** Puts a text in place of a file's, or removes the file (null). */
  set(name: string, text: string | null): void {
    this.replace({ [name]: text });
  }

  /** Puts several files at once. */
  replace(changes: Changes): void {
    this.files = applied(this.files, changes);
    this.#tell();
    this.#checkSoon();
  }

  /** What is not saved yet. */
  changed(): Changes {
    return difference(this.saved, this.files);
  }

  get isChanged(): boolean {
    return Object.keys(this.changed()).length > 0;
  }

  /** How many findings keep the bot from being published. */
  get errors(): number {
    return this.findings.filter(({ level }) => level === "error").length;
  }

  /** Saves what is changed. Rejects with the refusal; of one for somebody else's changes `conflict` holds their files. */
  async save(): Promise<void> {
    const { bot, files } = this;
    const changes = this.changed();
    if (!Object.keys(changes).length) {
      this.conflict = null;
      return this.#tell();
    }
    this.isSaving = true;
    this.#tell();
    try {
      const body = { revision: this.revision, files: changes };
      const done = (await this.#api.call("PUT", `${placeOf(bot)}/draft`, body)) as Pick<Draft, "revision" | "findings" | "unpublished">;
      if (bot !== this.bot) return;
      this.saved = files;
      this.revision = done.revision;
      this.findings = done.findings ?? this.findings;
      this.unpublished = done.unpublished ?? this.unpublished;
      this.conflict = null;
    } catch (error) {
      if (bot === this.bot && error instanceof Refused && error.code === "draft-changed")
        this.conflict = error.members as unknown as Conflict;
      throw error;
    } finally {
      this.isSaving = false;
      this.#tell();
    }
  }

  /** Takes back what is not saved. */
  drop(): void {
    clearTimeout(this.#timer);
    this.files = this.saved;
    this.conflict = null;
    this.#tell();
  }

  /** Ends a conflict: theirs become the saved files, `files` what is edited on. */
  take(files: Files): void {
    if (!this.conflict) return;
    this.saved = this.conflict.files;
    this.revision = this.conflict.revision;
    this.conflict = null;
    this.files = files;
    this.#tell();
    this.#checkSoon();
  }

  /** Calls `hear` after each change. Returns what ends that. */
  subscribe(hear: () => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  #clear(bot: string): void {
    clearTimeout(this.#timer);
    this.bot = bot;
    this.files = this.saved = {};
    this.findings = [];
    this.unpublished = 0;
    this.revision = "";
    this.draft = this.problem = this.conflict = null;
    this.#tell();
  }

  async #load(bot: string): Promise<void> {
    const { revision } = this;
    try {
      const draft = (await this.#api.call("GET", `${placeOf(bot)}/draft`)) as Draft;
      // What was saved meanwhile is newer.
      if (bot !== this.bot || revision !== this.revision) return;
      this.draft = draft;
      this.problem = null;
      const typed = this.changed();
      // Of files that both changed the next save asks.
      if (Object.keys(typed).some((name) => draft.files[name] !== this.saved[name])) return this.#tell();
      this.saved = draft.files;
      this.files = applied(draft.files, typed);
      this.revision = draft.revision;
      this.findings = draft.findings;
      this.unpublished = draft.unpublished;
    } catch (error) {
      if (bot !== this.bot) return;
      if (!(error instanceof Refused)) throw error;
      this.problem = error;
    }
    this.#tell();
  }

  #checkSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_AFTER);
  }

  /** Has the files checked: one check at a time, and after it the files as they are then. */
  async #check(): Promise<void> {
    this.#isCheckDue = this.#isChecking;
    if (this.#isChecking) return;
    const { bot } = this;
    this.#isChecking = true;
    try {
      const found = (await this.#api.call("POST", `${placeOf(bot)}/draft/check`, { files: this.changed() })) as Pick<Draft, "findings" | "unpublished">;
      // Of files that were changed meanwhile the findings still say more than those before them.
      if (bot !== this.bot) return;
      this.findings = found.findings;
      this.unpublished = found.unpublished;
      this.#tell();
    } catch (error) {
      // The next change asks again; saving says what is wrong with the service.
      if (!(error instanceof Refused)) throw error;
    } finally {
      this.#isChecking = false;
      if (this.#isCheckDue) void this.#check();
    }
  }

  #tell(): void {
    for (const hear of [...this.#hearers]) hear();
  }
}

function applied(before: Files, changes: Changes): Files {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter((one): one is [string, string] => one[1] !== null));
}

function difference(before: Files, after: Files): Changes {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]));
}
