// One try-out as the page holds it: what was said, what it runs on, and what is done with it, one thing after the other. Plays
// itself again when the bot's files change.

import { backoff, Sleeper } from "../../protocol/backoff";
import type { Message } from "../../protocol/wire";
import { type Api, Refused } from "../api";
import type { Said } from "../events";
import { storedValue } from "../../protocol/stored-value";
import type { Finding, Workspace } from "../workspace";
import { type Called, type Decision, type Settings, type Start, type TestFile, type TryOut, TryOutApi } from "./api";
import { words } from "./words";

export const DRAFT = "draft";
/** The service's word for a try-out that went on elsewhere. */
const CHANGED = "try-out-changed";
/** The service's word for a bot that is still being trained: nothing was played. */
const TRAINING = "try-out-training";
/** Milliseconds after which a try-out is asked for again: a connection to a service that has just ended may hang. */
const READ_WITHIN = 10_000;
/** Milliseconds without a change of the files after which the talk is played on them. */
const REPLAY_AFTER = 400;
/** Milliseconds by which the clocks of the service and of this machine may differ without one of them being set. */
const SAME_TIME = 120_000;

export class Talk {
  state: TryOut | null = null;
  /** Counts the times that what was said became something else: who shows it begins again. */
  generation = 0;
  isBusy = false;
  /** The service's answer was lost: what it did is not known until it tells how the try-out stands. */
  isLost = false;
  /** The service's sentence on what could not be done; empty: all is well. */
  problem = "";
  /** The service's word for that. */
  code = "";
  /** Why the files as they are now cannot be played. The talk stays on those that could. */
  findings: readonly Finding[] = [];
  readonly #api: TryOutApi;
  readonly #workspace: Workspace;
  readonly #hearers = new Set<() => void>();
  /** The id of the try-out in this tab, for a page that is loaded again. */
  readonly #kept;
  /** The chat's ids of the user's messages, by the service's. */
  readonly #clientIds = new Map<string, string>();
  /** The time zone that was chosen; null: the bot's own. */
  #zone: string | null = null;
  #isClockSet = false;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** The files on which the talk was played. */
  #played: Workspace["files"] | null = null;
  /** The files on which it was last decided whether to play again. */
  #seen: Workspace["files"] | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stop: () => void;
  #isStopped = false;
  readonly #sleeper = new Sleeper();

  constructor(api: Api, workspace: Workspace, bot: string, store: () => Storage = () => sessionStorage) {
    this.#api = new TryOutApi(api, bot);
    this.#workspace = workspace;
    this.#kept = storedValue(store, `dialoom-studio:try-out:${bot}`);
    this.#stop = workspace.subscribe(() => this.#replaySoon());
  }

  get bot(): string {
    return this.#api.bot;
  }

  get messages(): readonly Message[] {
    const said = this.state?.turns.flatMap((turn) => turn.messages) ?? [];
    return [...said, ...this.#waitingMessages(said.at(-1))].map((message) => {
      const clientId = this.#clientIds.get(message.id);
      return clientId ? { ...message, clientId } : message;
    });
  }

  /** What the user said that is not played yet stands behind the rest. What cannot be shown is masked: the chat knows what it sent. */
  #waitingMessages(last: Message | undefined): Message[] {
    const { turns = [], waiting = [] } = this.state ?? {};
    const shown = { from: "user", type: "text", createdAt: last?.createdAt ?? "", replies: [] } as const;
    return waiting
      .map(({ user }, index) => ({ ...shown, id: waitingId(turns.length + index), position: (last?.position ?? 0) + index + 1, text: textOf(user), isOpening: !!user.event }))
      .filter(({ isOpening }) => !isOpening);
  }

  get isOnDraft(): boolean {
    return this.state?.on === DRAFT;
  }

  /** The moment by the try-out's clock where it was set; null: it is the real time. */
  get clock(): string | null {
    return this.#isClockSet ? (this.state?.now ?? null) : null;
  }

  /** The turn that a replay has changed first; -1 for none. */
  get differsAt(): number {
    const { state } = this;
    return state?.differsAt == null ? -1 : state.turns.findIndex(({ index }) => index === state.differsAt);
  }

  /** The last turn's call that got no answer. */
  get unanswered(): Called | undefined {
    return this.state?.turns.at(-1)?.trace.find((entry): entry is Called => entry.kind === "called" && !!entry.failure && entry.status == null);
  }

  subscribe(hear: () => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  /** Ends what goes on here; the service keeps the try-out for a day. */
  stop(): void {
    this.#isStopped = true;
    this.#sleeper.cut();
    this.#stop();
    clearTimeout(this.#timer);
    this.#hearers.clear();
  }

  /** Goes on with this tab's try-out of the bot, or starts one on the draft. */
  async open(): Promise<void> {
    await this.#workspace.load(this.bot);
    const id = this.#kept.get();
    if (id === null) return this.start();
    await this.#do(async () => {
      const state = await this.#api.read(id).catch((error: unknown) => {
        // Over after a day, or of somebody else.
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      });
      if (state) this.#take(state, true);
      else this.#kept.set(null);
    });
    if (!this.state && !this.problem) await this.start();
    else if (this.isOnDraft) this.#replaySoon();
  }

  /** Starts anew; what is not given is as in the talk before, real calls aside. */
  start(given: Partial<Start> = {}): Promise<void> {
    if (given.timezone) this.#zone = given.timezone;
    return this.#do(async () => {
      const { state } = this;
      const on = given.on ?? state?.on ?? DRAFT;
      // Real calls are chosen for one talk: the next one acts only if that is chosen again.
      const calls = state?.calls === "mocked" ? state.calls : "recorded";
      const kept = state && { channel: state.channel, mocks: state.mocks, ...(this.#zone && { timezone: this.#zone }) };
      const files = this.#workspace.changed();
      const played = this.#workspace.files;
      const started = await this.#api.start({
        calls,
        ...kept,
        ...given,
        on,
        ...(on === DRAFT && { files }),
      });
      this.#played = played;
      this.#clientIds.clear();
      this.#take(started, true);
    });
  }

  /** Plays a turn. `clientId`: what the chat calls the message. */
  say(said: Said, clientId = ""): Promise<void> {
    return this.#do(async () => {
      const { state } = this;
      if (!state) return;
      const next = await this.#api.say(state, said);
      const count = next.turns.length + next.waiting.length;
      const own = next.waiting.length ? waitingId(count - 1) : next.turns.at(-1)?.messages.find(({ from }) => from === "user")?.id;
      if (own && clientId) this.#clientIds.set(own, clientId);
      this.#take({ ...next, differsAt: null, before: null }, false);
    });
  }

  /** Keeps the first `count` turns, those that wait among them. */
  rewind(count: number): Promise<void> {
    return this.#change((state) => this.#api.rewind(state, count));
  }

  set(settings: Settings): Promise<void> {
    if (settings.timezone !== undefined) this.#zone = settings.timezone;
    return this.#change((state) => this.#api.settings(state, settings));
  }

  /**
   * Plays the same turns on another version, or on the draft as it is edited. `isForChange`: only if the files are others than before.
   * `decision`: about the call at which the talk has stopped.
   */
  replay(on?: string, isForChange = false, decision?: Decision): Promise<void> {
    clearTimeout(this.#timer);
    return this.#do(async () => {
      const { state } = this;
      if (!state) return;
      const played = this.#workspace.files;
      const isDraft = (on ?? state.on) === DRAFT;
      // What waited for the replay before was played by it.
      if (isForChange && this.#played && isSame(this.#played, played)) return;
      try {
        const next = await this.#api.replay(state, on, isDraft ? this.#workspace.changed() : {}, decision);
        this.findings = [];
        this.#take(next, true);
      } catch (error) {
        if (!(error instanceof Refused && error.code === "findings")) throw error;
        this.findings = (error.members.findings as readonly Finding[] | undefined) ?? [];
      }
      if (isDraft) this.#played = played;
    }, !decision);
  }

  /** Puts a conversation test of this talk among the bot's files, where it is not saved yet. */
  async test(title: string): Promise<TestFile | null> {
    const { state } = this;
    if (!state) return null;
    const made = await this.#api.test(state.id, title);
    if (this.#workspace.bot !== this.bot) return made;
    let { file } = made;
    // A test of this title stays: the new one stands beside it.
    for (let number = 2; file in this.#workspace.files; number++) file = made.file.replace(/\.json$/, `-${number}.json`);
    this.#workspace.set(file, made.text);
    return { ...made, file };
  }

  /** The workspace also tells of what is no change of the files: that does not put the replay off. */
  #replaySoon(): void {
    const { files, bot } = this.#workspace;
    if (bot !== this.bot || !this.isOnDraft || files === this.#seen) return;
    this.#seen = files;
    clearTimeout(this.#timer);
    if (this.#played && isSame(this.#played, files)) return;
    this.#timer = setTimeout(() => void this.replay(undefined, true), REPLAY_AFTER);
  }

  #change(call: (state: TryOut) => Promise<TryOut>): Promise<void> {
    return this.#do(async () => {
      if (this.state) this.#take(await call(this.state), true);
    });
  }

  #take(state: TryOut, isOther: boolean): void {
    const before = this.#shown();
    this.state = state;
    this.#isClockSet = Math.abs(Date.parse(state.now) - Date.now()) > SAME_TIME;
    this.#kept.set(state.id);
    if (isOther && before !== this.#shown()) this.generation += 1;
  }

  /** What the chat shows: what was said, and what was just sent and waits. */
  #shown(): string {
    return JSON.stringify([this.messages, this.state?.waiting]);
  }

  /** One thing after the other: each is done on what the one before has left. `isRepeatable`: done once more where it was lost. */
  #do(work: () => Promise<void>, isRepeatable = false): Promise<void> {
    this.#waiting += 1;
    const done = this.#queue.then(async () => {
      this.isBusy = true;
      this.problem = this.code = "";
      this.#tell();
      try {
        await work().catch(async (error: unknown) => {
          if (!isLost(error) || !this.state) throw error;
          if (await this.#isUnchanged(error)) {
            if (!isRepeatable) throw error;
            await work();
          }
        });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === CHANGED) await this.#readAgain();
        this.problem = error.message;
        this.code = error.code;
      } finally {
        this.#waiting -= 1;
        this.isBusy = this.#waiting > 0;
        this.#tell();
      }
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /**
   * Asks how the try-out stands until the service tells, after an answer of it was lost. Returns whether nothing has happened to it.
   * A turn that broke off is played on: a replay sends nothing, and asks about what was sent.
   */
  async #isUnchanged(lost: Refused): Promise<boolean> {
    const { state } = this;
    if (!state) return true;
    this.isLost = true;
    this.problem = words.brokeOff;
    this.#tell();
    try {
      for (let tries = 0; ; await this.#sleeper.sleep(backoff(Math.min(tries, 3)))) {
        if (this.#isStopped) throw lost;
        tries += 1;
        const next = await this.#api.read(state.id, AbortSignal.timeout(READ_WITHIN)).catch((error: unknown) => {
          if (isAway(error)) return null;
          throw error;
        });
        if (!next) continue;
        this.problem = "";
        if (next.revision === state.revision) return true;
        this.#take(await this.#playedOn(next), true);
        return false;
      }
    } finally {
      this.isLost = false;
    }
  }

  /** A turn that broke off is played on; it stays as it is where the files as they are now cannot be played. */
  async #playedOn(state: TryOut): Promise<TryOut> {
    if (!state.waiting.length || state.asks) return state;
    const played = this.#workspace.files;
    const isDraft = state.on === DRAFT;
    const next = await this.#api.replay(state, undefined, isDraft ? this.#workspace.changed() : {}).catch((error: unknown) => {
      if (error instanceof Refused) return null;
      throw error;
    });
    if (next && isDraft) this.#played = played;
    return next ?? state;
  }

  /** Shows how the try-out stands after another tab was faster: what is done here next is done to that. */
  async #readAgain(): Promise<void> {
    const { state } = this;
    const next = state && (await this.#api.read(state.id).catch(() => null));
    if (next) this.#take(next, true);
  }

  #tell(): void {
    for (const hear of [...this.#hearers]) hear();
  }
}

/** The service was not reached or failed: what was asked may have been done. */
function isLost(error: unknown): error is Refused {
  return error instanceof Refused && (error.status === 0 || (error.status >= 500 && error.code !== TRAINING));
}

/** It may answer again by itself. */
function isAway(error: unknown): boolean {
  return error instanceof Refused && (error.status === 0 || error.status > 500);
}

const waitingId = (index: number) => `waiting-${index}`;

/** What was written; "***" for all else. */
function textOf({ text, option }: Said): string {
  return typeof text === "string" ? text : typeof option === "string" ? option : "***";
}

/** Whether the files from which a bot is made are the same; its tests decide nothing of what it says. */
function isSame(before: Workspace["files"], after: Workspace["files"]): boolean {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.every((name) => name.startsWith("tests/") || before[name] === after[name]);
}
