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
  /** Is out of the page where the chat is a part of it. */
  readonly #corner: Corner;
  readonly #isInline: boolean;
  readonly #ended = new AbortController();
  readonly #onDestroyed: () => void;
  #options: Options;
  /** What `setContext` was given before the chat was there. */
  readonly #contexts: unknown[] = [];
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
    this.#isInline = options.display?.mode === "inline";
    this.#corner = new Corner(options, { open: () => this.open(), dismiss: () => this.#dismiss() });
    this.settle();
    addEventListener("storage", this.#changedElsewhere, { signal: this.#ended.signal });
    document.addEventListener("visibilitychange", this.#lookedAt, { signal: this.#ended.signal });
    void launcherWords(options.locale ?? "en", server).then((words) => {
      this.#words = words;
      this.#corner.words = words;
    });
    if (this.#isInline) {
      this.#corner.isOpen = true;
      void this.#load();
    } else this.#begin();
  }

  // -- the page's side

  get element(): HTMLElement {
    return this.#isInline ? this.#container : this.#corner.host;
  }

  get isOpen(): boolean {
    return this.#corner.isOpen;
  }

  get unread(): number {
    return this.#unread;
  }

  open(): void {
    this.#throwIfDestroyed();
    this.#show(true);
    this.#memory.put({ open: true, dismissed: true });
  }

  close(): void {
    this.#throwIfDestroyed();
    this.#close(false);
  }

  send(text: string): void {
    this.#throwIfDestroyed();
    void this.#load().then((chat) => chat?.say(text));
  }

  setUser(user: User | null): void {
    this.#throwIfDestroyed();
    const { user: _before, ...rest } = this.#options;
    this.#options = user ? { ...rest, user } : rest;
    this.#count(0);
    this.#memory.put({ seen: 0, snippet: "" });
    this.#chat?.setUser(user);
    if (!this.#chat) void this.#follow();
  }

  setContext(context: Record<string, unknown>): void {
    this.#throwIfDestroyed();
    if (this.#chat) return this.#chat.tell(context);
    // As it is now, without what the page changes in it later. The chat looks at it: this file has no room for that.
    this.#contexts.push(context?.constructor === Object ? { ...context } : context);
  }

  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    this.#throwIfDestroyed();
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
    this.#preloaded?.remove();
    this.#corner.host.remove();
    this.#corner.isOpen = false;
    countInTitle(0);
    this.#emitter.clear();
    this.#onDestroyed();
  }

  #throwIfDestroyed(): void {
    if (this.#ended.signal.aborted) throw new Error("Dialoom: this widget is destroyed; load() makes another.");
  }

  /**
   * Stands in the page again where a page's framework has made a new container. The window stands beside the body: it stays as it
   * is when a page gets another body, and nothing that is said of the body moves it.
   */
  settle(): void {
    if (this.#isInline) this.#chat?.enter(this.#container);
    else if (!this.#corner.host.isConnected) document.documentElement.append(this.#corner.host);
  }

  // -- opening and closing

  #begin(): void {
    const corner = this.#corner;
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
    const { requestIdleCallback: whenIdle } = globalThis as Partial<typeof globalThis>;
    if (whenIdle) whenIdle(work, { timeout: 4000 });
    else setTimeout(work, 1500);
    this.#invite();
  }

  #show(isByUser: boolean): void {
    const corner = this.#corner;
    if (this.#isInline) return this.#chat?.focus();
    corner.line = "";
    this.#isWanted = true;
    void this.#load().then((chat) => {
      if (!chat || corner.isOpen || !this.#isWanted) return;
      corner.isOpen = chat.isOpen = true;
      if (isByUser) chat.focus();
      this.#seen();
      this.#emitter.emit("open");
    });
  }

  #close(isByUser: boolean): void {
    this.#memory.put({ open: false });
    this.#isWanted = false;
    if (this.#isInline || !this.isOpen || !this.#chat) return;
    this.#corner.isOpen = this.#chat.isOpen = false;
    if (isByUser) this.#corner.focusLauncher();
    this.#emitter.emit("close");
  }

  // -- the chat's code

  #load(): Promise<MountedChat | null> {
    if (this.#chat || this.#ended.signal.aborted) return Promise.resolve(this.#chat);
    this.#corner.isBusy = true;
    this.#loading ??= this.#mount().finally(() => {
      this.#loading = null;
      this.#corner.isBusy = false;
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
      const chat = mountChat(this.#options, this.server, this.#listener, this.#contexts);
      chat.enter(this.#isInline ? this.#container : this.#corner.root);
      this.#chat = chat;
      return chat;
    } catch (error) {
      if (this.#ended.signal.aborted) return null;
      this.#fail(error as Error);
      this.#corner.line = this.#words.notNow;
      return null;
    }
  }

  get #listener(): ChatListener {
    return {
      onNews: (news) => this.#news(news),
      onLook: (look) => {
        this.#memory.put({ look });
        this.#corner.setLook(look);
      },
      onLogin: () => this.#emitter.emit("login"),
      onError: (error) => this.#fail(error),
      onClosing: this.#isInline ? null : () => this.#close(true),
    };
  }

  #fail(error: Error): void {
    console.error(error.message);
    this.#emitter.emit("error", error);
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
    this.#corner.line = snippet;
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
    this.#corner.unread = unread;
    countInTitle(unread);
    if (isNew) this.#emitter.emit("unread", unread);
  }

  /** What is read in one tab is read in all. */
  #changedElsewhere = (event: StorageEvent): void => {
    if (event.key !== this.#memory.key || this.isOpen) return;
    const { unread = 0, snippet = "" } = this.#memory.get();
    if (unread >= this.#unread) return;
    this.#count(unread);
    this.#corner.line = unread ? snippet : "";
  };

  // -- the line that invites

  #invite(): void {
    const { proactive } = this.#options.display ?? {};
    const { dismissed, seen } = this.#memory.get();
    if (!proactive?.text || dismissed || seen) return;
    void this.#stage().then((stage) => stage?.invite(proactive, this.#corner, this.#memory, this.#ended.signal));
  }

  #dismiss(): void {
    if (!this.#unread) this.#memory.put({ dismissed: true });
    this.#corner.line = "";
    this.#corner.focusLauncher();
  }
}

/** Throws where the page has no such element. */
export function containerOf({ display }: Options): HTMLElement {
  const container = find(document, display?.containerId ?? "");
  if (!container) throw new Error(`Dialoom: the page has no element with the id "${display?.containerId}" (display.containerId).`);
  return container;
}

/** Looks into open shadow roots, too: a page that is made of components has its containers there. */
function find(root: Document | ShadowRoot, id: string): HTMLElement | null {
  let found = root.getElementById(id);
  for (const { shadowRoot } of root.querySelectorAll("*")) found ??= shadowRoot && find(shadowRoot, id);
  return found;
}
