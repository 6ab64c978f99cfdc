// Runs one widget in a page: loads the chat when it is first opened, keeps the window's state across pages, counts what the
// user has not seen.

import { Corner } from "./corner";
import { Emitter } from "./emitter";
import type { Events, Options, User, Widget } from "./options";
import { chatName, Memory } from "./remembered";
import type { ChatListener, FollowStage, MountedChat, News, Preloaded, Stages } from "./stages";
import { countInTitle } from "./title";
import { english, launcherWords } from "./words";

export class PageWidget implements Widget {
  readonly #emitter = new Emitter();
  readonly #memory: Memory;
  readonly #corner: Corner | null;
  readonly #ended = new AbortController();
  /** Takes away what stands outside of the widget's own element. */
  readonly #leavings = new Set<() => void>();
  readonly #onDestroyed: () => void;
  #options: Options;
  #chat: MountedChat | null = null;
  #loading: Promise<MountedChat | null> | null = null;
  #unfollow: () => void = () => {};
  /** Whether the window is to be open once the chat has come. */
  #isWanted = false;
  #counted = 0;
  #words = english;
  #unread = 0;

  constructor(
    options: Options,
    readonly server: string,
    readonly stages: Stages,
    onDestroyed: () => void,
  ) {
    this.#options = options;
    this.#onDestroyed = onDestroyed;
    this.#memory = new Memory(chatName(server, options.bot.id, options.channel.id));
    const isInline = options.display?.mode === "inline";
    const actions = { open: () => this.open(), dismiss: () => this.#dismiss() };
    this.#corner = isInline ? null : new Corner(options, actions);
    if (this.#corner) document.body.append(this.#corner.host);
    addEventListener("storage", this.#changedElsewhere, { signal: this.#ended.signal });
    document.addEventListener("visibilitychange", this.#lookedAt, { signal: this.#ended.signal });
    void launcherWords(options.locale ?? "en", server).then((words) => {
      this.#words = words;
      if (this.#corner) this.#corner.words = words;
    });
    if (!this.#corner) void this.#load();
    else this.#begin(this.#corner);
  }

  // -- the page's side

  get element(): HTMLElement {
    return this.#corner?.host ?? this.#container;
  }

  get isOpen(): boolean {
    return this.#corner?.isOpen ?? true;
  }

  get unread(): number {
    return this.#unread;
  }

  open(): void {
    this.#show(true);
    this.#memory.put({ open: true, dismissed: true });
  }

  close(): void {
    this.#close(false);
  }

  send(text: string): void {
    void this.#load().then((chat) => chat?.say(text));
  }

  setUser(user: User | null): void {
    const { user: _before, ...rest } = this.#options;
    this.#options = user ? { ...rest, user } : rest;
    this.#count(0);
    this.#memory.put({ seen: 0, snippet: "" });
    this.#chat?.setUser(user);
    if (!this.#chat) void this.#follow();
  }

  setContext(context: Record<string, unknown>): void {
    if (this.#chat) return this.#chat.tell(context);
    const { session } = this.#options;
    this.#options = { ...this.#options, session: { ...session, context: { ...session?.context, ...context } } };
  }

  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  off<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): void {
    this.#emitter.off(name, listener);
  }

  destroy(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#unfollow();
    this.#chat?.remove();
    this.#chat = null;
    for (const leave of this.#leavings) leave();
    this.#preloaded?.remove();
    this.#corner?.host.remove();
    countInTitle(0);
    this.#emitter.clear();
    this.#onDestroyed();
  }

  /** Stands in the page again where a page's framework has made a new container. */
  settle(): void {
    if (this.#corner && !this.#corner.host.isConnected) document.body.append(this.#corner.host);
    if (!this.#corner) this.#chat?.enter(this.#container);
  }

  // -- opening and closing

  #begin(corner: Corner): void {
    const kept = this.#memory.get();
    corner.setLook(kept.look);
    this.#count(kept.unread ?? 0);
    corner.line = this.#unread ? (kept.snippet ?? "") : "";
    if (kept.open && this.#options.display?.keepOpen !== false) return this.#show(false);
    const work = () => {
      if (this.#ended.signal.aborted) return;
      void this.#follow();
      if (!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData) void this.#preload().catch(() => undefined);
    };
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 4000 });
    else setTimeout(work, 1500);
    this.#invite(corner);
  }

  #show(isByUser: boolean): void {
    const corner = this.#corner;
    if (!corner) return this.#chat?.focus();
    if (!corner.isOpen) corner.line = "";
    this.#isWanted = true;
    void this.#load().then((chat) => {
      if (!chat || corner.isOpen || !this.#isWanted) return;
      corner.isOpen = chat.isOpen = true;
      if (isByUser) chat.focus();
      this.#seen();
      this.#emitter.emit("open", undefined);
    });
  }

  #close(isByUser: boolean): void {
    this.#memory.put({ open: false });
    this.#isWanted = false;
    if (!this.#corner?.isOpen || !this.#chat) return;
    this.#corner.isOpen = this.#chat.isOpen = false;
    if (isByUser) this.#corner.focusLauncher();
    this.#emitter.emit("close", undefined);
  }

  // -- the chat's code

  #load(): Promise<MountedChat | null> {
    if (this.#chat || this.#ended.signal.aborted) return Promise.resolve(this.#chat);
    if (this.#corner) this.#corner.isBusy = true;
    this.#loading ??= this.#mount().finally(() => {
      this.#loading = null;
      if (this.#corner) this.#corner.isBusy = false;
    });
    return this.#loading;
  }

  #preloaded: Preloaded | null = null;

  async #preload(): Promise<void> {
    this.#preloaded ??= this.stages.preload();
    await this.#preloaded.ready.catch((error) => {
      this.#preloaded?.remove();
      this.#preloaded = null;
      throw error;
    });
  }

  async #mount(): Promise<MountedChat | null> {
    try {
      await this.#preload();
      const { mountChat } = await this.stages.chat();
      if (this.#ended.signal.aborted) return null;
      this.#unfollow();
      const chat = mountChat(this.#options, this.server, this.#listener);
      chat.enter(this.#corner?.root ?? this.#container);
      this.#chat = chat;
      return chat;
    } catch (error) {
      if (this.#ended.signal.aborted) return null;
      this.#emitter.emit("error", error as Error);
      if (this.#corner) this.#corner.line = this.#words.notNow;
      return null;
    }
  }

  get #listener(): ChatListener {
    return {
      onNews: (news) => this.#news(news),
      onLook: (look) => {
        this.#memory.put({ look });
        this.#corner?.setLook(look);
      },
      onLogin: () => this.#emitter.emit("login", undefined),
      onError: (error) => this.#emitter.emit("error", error),
      onClosing: this.#corner ? () => this.#close(true) : null,
    };
  }

  get #container(): HTMLElement {
    return containerOf(this.#options);
  }

  /** Only where a talk exists in this browser, and of the same user: nobody else has a connection. */
  async #follow(): Promise<void> {
    this.#unfollow();
    const { session } = this.#memory;
    if (!session || this.#chat) return;
    const stage = await this.#stage();
    if (!stage || this.#chat || this.#loading) return;
    this.#unfollow();
    this.#unfollow = stage.follow(this.#options, this.server, session, this.#memory.get().seen ?? 0, (news) => this.#news(news));
  }

  /** Null where it does not come, or too late: without it the window is merely silent. */
  async #stage(): Promise<FollowStage | null> {
    const stage = await this.stages.follow().catch(() => null);
    return this.#ended.signal.aborted ? null : stage;
  }

  // -- news

  #news({ messages, isHistory }: News): void {
    if (!isHistory) for (const { message } of messages) this.#emitter.emit("message", message);
    const last = messages.at(-1)?.position ?? 0;
    // A talk that was erased counts from 1 again.
    if (isHistory && last < (this.#memory.get().seen ?? 0)) {
      this.#lastSeen = 0;
      this.#memory.put({ seen: 0 });
    }
    if (this.#isLookedAt) return this.#seen(last);
    const { seen = 0 } = this.#memory.get();
    const fresh = messages.filter(({ position, message }) => message.from === "bot" && position > seen);
    const newest = fresh.at(-1);
    if (!newest) return;
    this.#counted += fresh.length;
    const { snippet } = newest;
    this.#count(Math.max(this.#unread, this.#counted));
    this.#memory.put({ snippet, unread: this.#unread });
    if (this.#corner) this.#corner.line = snippet;
  }

  get #isLookedAt(): boolean {
    return this.isOpen && document.visibilityState === "visible";
  }

  #lookedAt = (): void => {
    if (this.#isLookedAt) this.#seen();
  };

  #lastSeen = 0;

  #seen(last = 0): void {
    this.#lastSeen = Math.max(this.#lastSeen, last);
    this.#counted = 0;
    this.#count(0);
    const seen = Math.max(this.#lastSeen, this.#memory.get().seen ?? 0);
    this.#memory.put({ seen, unread: 0, snippet: "" });
  }

  #count(unread: number): void {
    const isNew = unread !== this.#unread;
    this.#unread = unread;
    if (!unread) this.#counted = 0;
    if (this.#corner) this.#corner.unread = unread;
    countInTitle(unread);
    if (isNew) this.#emitter.emit("unread", unread);
  }

  /** What is read in one tab is read in all. */
  #changedElsewhere = (event: StorageEvent): void => {
    if (event.key !== this.#memory.key || this.isOpen) return;
    const { unread = 0, snippet = "" } = this.#memory.get();
    if (unread >= this.#unread) return;
    this.#count(unread);
    if (this.#corner) this.#corner.line = unread ? snippet : "";
  };

  // -- the line that invites

  #invite(corner: Corner): void {
    const { proactive } = this.#options.display ?? {};
    const { dismissed, seen } = this.#memory.get();
    if (!proactive?.text || dismissed || seen) return;
    void this.#stage().then((stage) => {
      const stop = stage?.invite(proactive, () => {
        if (!corner.isOpen && !corner.line && !this.#memory.get().dismissed) corner.line = proactive.text;
      });
      if (stop) this.#leavings.add(stop);
    });
  }

  #dismiss(): void {
    if (!this.#corner) return;
    if (!this.#unread) this.#memory.put({ dismissed: true });
    this.#corner.line = "";
    this.#corner.focusLauncher();
  }
}

/** Throws where the page has no such element. */
export function containerOf({ display }: Options): HTMLElement {
  const container = document.getElementById(display?.containerId ?? "");
  if (!container) throw new Error(`Dialoom: the page has no element with the id "${display?.containerId}" (display.containerId).`);
  return container;
}
