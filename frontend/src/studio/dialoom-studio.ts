// <dialoom-studio>: the frame. Lets in whoever comes with a link or a session, shows the rooms of the chosen bot on the left,
// one of them in the middle and the try-out beside; says what happened.

import { html, LitElement, nothing } from "lit";
import { storedValue } from "../protocol/stored-value";
import { base, tokens } from "../view/tokens";
import { Api, type Known, type Refused, type Visit } from "./api";
import { StudioCopy } from "./copy-button";
import { type Command, follow, type Goal, GoEvent, OpenPathEvent, TryEvent } from "./events";
import { frame, rail } from "./frame-styles";
import { book, chevrons, home, leave, lens, mark, play, roomIcons } from "./icons";
import type { NoticeEvent } from "./notice";
import { outlineOf } from "./outline";
import type { Entry, StudioPalette } from "./palette/palette";
import { FIRST_ROOM, load, register, type Room, roomsFor } from "./rooms";
import { addressOf, type Route, routeAt, takeToken } from "./route";
import { controls, states, text } from "./shared-styles";
import { type Reason, StudioSignedOut } from "./signed-out";
import { takeOver } from "./take-over";
import { StudioUnsaved } from "./unsaved";
import { words } from "./words";
import { Workspace } from "./workspace";

const SAID_FOR = 6000;
const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : words.controlK;
/** As in the styles of the frame. */
const OVERLAY = "(max-width: 1099px)";
/** So many bots are seen at once; more want to be searched. */
const MANY = 8;

/** What is shown in a pane: an element, or the part of the studio whose code did not come. */
type Content = { readonly element: HTMLElement } | { readonly missing: string } | null;

export class DialoomStudio extends LitElement {
  static override properties = {
    visit: { state: true },
    reason: { state: true },
    problem: { state: true },
    provider: { state: true },
    route: { state: true },
    notice: { state: true },
    sought: { state: true },
    isLate: { state: true },
    main: { state: true },
    side: { state: true },
    isTrying: { state: true },
  };

  static override styles = [tokens, base, controls, text, states, frame, rail];

  declare visit: Visit | null;
  declare reason: Reason;
  declare problem: string;
  /** At which people sign in besides links. */
  declare provider: string | null;
  declare route: Route;
  declare notice: { text: string; isBad: boolean } | null;
  declare sought: string;
  declare isLate: boolean;
  declare main: Content;
  declare side: Content;
  /** The try-out stands beside. */
  declare isTrying: boolean;
  readonly api: Api;
  readonly workspace: Workspace;
  /** What is said where nobody is signed in, also when an answer comes late: "ended" while the page may go on where it was. */
  #over: "ended" | "left" | "nobody" = "nobody";
  /** Of a link that could not be tried yet. */
  #token: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The part whose element is in the main pane, or on its way there. */
  #part = "";
  /** Whether the try-out stands beside, for a page that is loaded again. */
  readonly #keptTrying = storedValue(() => sessionStorage, "dialoom-studio:try-out-open");
  /** This is not the room that the page was loaded with. */
  #hasGone = false;
  /** Made when it is first asked for. */
  #palette: StudioPalette | null = null;

  constructor(api = new Api()) {
    super();
    this.api = api;
    this.workspace = new Workspace(api);
    this.visit = this.notice = this.main = this.side = this.provider = null;
    this.reason = "waiting";
    this.problem = this.sought = "";
    this.route = routeAt(location.pathname, location.search);
    this.isLate = this.isTrying = false;
    api.onover = () => this.#shut(this.visit ? "ended" : this.#over);
    api.onwait = (isWaiting) => {
      this.isLate = isWaiting;
    };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#moved);
    addEventListener("hashchange", this.#linked);
    addEventListener("keydown", this.#pressed);
    addEventListener("beforeunload", this.#leaving);
    document.addEventListener("visibilitychange", this.#seen);
    this.#token = takeToken();
    void this.#enter();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#moved);
    removeEventListener("hashchange", this.#linked);
    removeEventListener("keydown", this.#pressed);
    removeEventListener("beforeunload", this.#leaving);
    document.removeEventListener("visibilitychange", this.#seen);
    clearTimeout(this.#timer);
  }

  /** A link that was pasted over the page's own address loads nothing again. */
  #linked = (): void => {
    const token = takeToken();
    if (token === null) return;
    this.#token = token;
    void this.#enter();
  };

  #moved = (): void => {
    const route = routeAt(location.pathname, location.search);
    if (this.#wouldDrop(route.bot)) {
      // The browser has gone already: back to where the changes are, until it is known what becomes of them.
      history.pushState(null, "", addressOf(this.route));
      this.#go(route);
    } else this.route = route;
  };

  #leaving = (event: BeforeUnloadEvent): void => {
    takeOver();
    if (this.workspace.isChanged) event.preventDefault();
  };

  /** Whether going to the bot would put its files in the place of changes that are not saved. */
  #wouldDrop(bot: string | null): boolean {
    return bot !== null && bot !== this.workspace.bot && this.workspace.isChanged;
  }

  /** Who comes back to the page may have been signed out meanwhile, or in again in another tab, and there may be other
   * bots. */
  #seen = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.visit) void this.#visitAgain();
    else if (this.#over === "ended") void this.#enter();
  };

  #visitAgain = async (): Promise<void> => {
    const visit = await this.api.visit().catch(() => null);
    if (visit && this.visit) this.visit = visit;
  };

  #enter = async (): Promise<void> => {
    this.visit = null;
    this.reason = "waiting";
    try {
      if (this.#token !== null) await this.api.signIn(this.#token);
      this.#token = null;
      this.visit = await this.api.visit();
      if (this.#keptTrying.get()) void this.#try(null);
    } catch (error) {
      this.#refused(error as Refused);
    }
  };

  #refused(error: Refused): void {
    if (error.code === "studio-session") return;
    if (error.code === "link-over") {
      this.#token = null;
      this.#shut("over");
      return;
    }
    this.problem = error.message;
    this.#shut("failed");
  }

  /** Nothing of what was shown stays behind. */
  #shut(reason: Reason): void {
    this.#over = reason === "ended" || reason === "left" ? reason : "nobody";
    this.visit = this.main = this.side = this.#palette = null;
    this.#part = "";
    this.reason = "waiting";
    document.title = "Studio · Dialoom";
    void this.#tell(reason);
  }

  /** Says why nobody is signed in, once it is known how they can be: nothing moves then. */
  async #tell(reason: Reason): Promise<void> {
    if (reason !== "failed") this.provider = await this.api.provider().catch(() => null);
    this.reason = reason;
    const signedOut = () => this.renderRoot.querySelector<StudioSignedOut>("studio-signed-out");
    await this.updateComplete;
    await signedOut()?.updateComplete;
    signedOut()?.focus();
  }

  // -- going

  #go(goal: Goal): void {
    const bot = goal.bot === undefined ? this.route.bot : goal.bot;
    if (this.#wouldDrop(bot)) return void this.#askFirst(goal);
    const room = bot === null ? null : (goal.room ?? this.route.room);
    const address = addressOf({ bot, room, query: goal.query ?? "" });
    if (address === location.pathname + location.search) return;
    this.#hasGone = true;
    const isSamePage = bot === this.route.bot && room === this.route.room;
    history[goal.isReplacing ? "replaceState" : "pushState"](null, "", address);
    this.#moved();
    if (!isSamePage) scrollTo(0, 0);
  }

  async #askFirst(goal: Goal): Promise<void> {
    if (await this.#isLetGo()) this.#go(goal);
  }

  /** Asks what becomes of changes that are not saved; returns whether they are saved or dropped now. */
  async #isLetGo(): Promise<boolean> {
    const { workspace } = this;
    const name = this.visit?.bots.find(({ id }) => id === workspace.bot)?.name ?? workspace.bot;
    return (await this.renderRoot.querySelector<StudioUnsaved>("studio-unsaved")?.ask(name, workspace)) ?? false;
  }

  #follow(event: MouseEvent, goal: Goal): void {
    follow(event, () => {
      this.#botList?.hidePopover?.();
      this.#go(goal);
    });
  }

  #open(event: OpenPathEvent): void {
    // Where the try-out lies over the room, the room could not be seen.
    if (matchMedia(OVERLAY).matches) this.#endTry();
    this.#go({ room: "build", query: new URLSearchParams({ file: event.file, at: event.path }).toString() });
  }

  async #leave(): Promise<void> {
    takeOver();
    if (this.workspace.isChanged && !(await this.#isLetGo())) return;
    try {
      await this.api.signOut();
    } catch (error) {
      this.#say((error as Error).message, true);
      return;
    }
    this.#shut("left");
  }

  #say(said: string, isBad: boolean): void {
    this.notice = { text: said, isBad };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.notice = null;
    }, SAID_FOR);
  }

  // -- what the panes hold

  get #bot(): Known | undefined {
    return this.visit?.bots.find(({ id }) => id === this.route.bot);
  }

  get #rooms(): readonly Room[] {
    return roomsFor(this.visit?.role ?? "", this.visit?.isForNamedBots);
  }

  /** Analysts see conversations as they were; what they have not, is not offered to them. */
  get #mayTry(): boolean {
    return this.#bot !== undefined && this.visit?.role !== "analyst";
  }

  protected override willUpdate(): void {
    if (!this.visit) return;
    const [first] = this.#rooms;
    if (this.route.room && first && !this.#rooms.includes(this.route.room)) {
      this.route = { ...this.route, room: first };
      history.replaceState(null, "", addressOf(this.route));
    }
    const part = this.route.bot === null ? "home" : this.#bot ? (this.route.room ?? FIRST_ROOM) : "";
    if (part !== this.#part) {
      this.#part = part;
      this.main = null;
      if (part) void this.#load(part).then((content) => (this.#part === part ? this.#fill(content) : undefined));
    }
    for (const content of [this.main, this.side]) if (content && "element" in content) Object.assign(content.element, this.#given());
  }

  /** What had the focus in the last room is gone: the keys go on in this one. */
  async #fill(content: Content): Promise<void> {
    this.main = content;
    await this.updateComplete;
    if (this.#hasGone && this.isConnected && document.activeElement === document.body) this.renderRoot.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }

  /** The properties of each room's element and of the try-out's. */
  #given() {
    const { api, workspace, route, visit, isLate } = this;
    return { api, workspace, route, visit, isLate, bot: route.bot ?? "" };
  }

  async #load(part: string): Promise<Content> {
    try {
      const name = await load(part);
      return { element: document.createElement(name) };
    } catch (error) {
      // The browser's error for code that did not come; anything else is a mistake in that code.
      if (!(error instanceof TypeError)) throw error;
      return { missing: part };
    }
  }

  /** Shows the try-out, with a talk if one is given. */
  async #try(talk: TryEvent["talk"] | null): Promise<void> {
    this.isTrying = true;
    this.#keptTrying.set("1");
    if (!this.side || "missing" in this.side) this.side = await this.#load("try-out");
    await this.updateComplete;
    if (talk && this.side && "element" in this.side) (this.side.element as HTMLElement & { open?(talk: NonNullable<TryEvent["talk"]>): void }).open?.(talk);
  }

  #endTry = (): void => {
    this.isTrying = false;
    this.#keptTrying.set(null);
  };

  /** Opens the try-out by its button, or closes it. */
  #toggleTry = async (): Promise<void> => {
    if (this.isTrying) return this.#endTry();
    await this.#tryHere();
  };

  /** Shows the try-out and goes there. */
  async #tryHere(): Promise<void> {
    await this.#try(null);
    if (this.side && "element" in this.side) this.side.element.focus();
  }

  /** Closes the try-out where it lies over the room; what is open above it is closed by the same key first. */
  #escape(event: KeyboardEvent): void {
    const isAbove = event.composedPath().some((one) => one instanceof Element && one.matches("dialog, [popover]"));
    if (event.defaultPrevented || isAbove || !this.isTrying || !matchMedia(OVERLAY).matches) return;
    this.#endTry();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".try")?.focus());
  }

  // -- the palette

  #pressed = (event: KeyboardEvent): void => {
    if (event.key === "Escape") return this.#escape(event);
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !this.visit) return;
    event.preventDefault();
    void this.#search();
  };

  async #search(): Promise<void> {
    const { workspace } = this;
    const bot = this.#bot;
    try {
      this.#palette ??= document.createElement(await load("palette")) as StudioPalette;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#say(words.notLoaded(words.search), true);
      return;
    }
    this.requestUpdate();
    await this.updateComplete;
    const palette = this.#palette;
    await palette.open(this.#entries());
    if (!bot || (workspace.bot === bot.id && workspace.draft)) return;
    await workspace.load(bot.id);
    palette.entries = this.#entries();
  }

  /** What the palette finds, the nearest first: the room's own commands, rooms, bots, then the parts of the flow. */
  #entries(): Entry[] {
    const bot = this.#bot;
    const { main } = this;
    const room = main && "element" in main ? (main.element as HTMLElement & { commands?(): readonly Command[] }) : null;
    const commands = [...(room?.commands?.() ?? []), ...(this.#mayTry ? [{ title: words.tryOut, run: () => void this.#tryHere() }] : []), { title: words.signOut, run: () => void this.#leave() }];
    const rooms = bot ? this.#rooms.map((one): Entry => ({ kind: "room", title: words.room[one], run: () => this.#go({ room: one }) })) : [];
    const bots = (this.visit?.bots ?? []).map(({ id, name }): Entry => ({ kind: "bot", title: name, note: id, run: () => this.#go({ bot: id, room: this.route.room ?? FIRST_ROOM }) }));
    return [
      ...commands.map((command): Entry => ({ kind: "command", title: command.title, run: () => command.run() })),
      ...rooms,
      { kind: "room", title: words.home, run: () => this.#go({ bot: null }) },
      ...bots,
      ...(bot && this.workspace.bot === bot.id ? this.#flowEntries() : []),
    ];
  }

  #flowEntries(): Entry[] {
    const { conversations, entities } = outlineOf(this.workspace.files);
    const to = (path: string) => () => this.#open(new OpenPathEvent(path));
    return [
      ...conversations.map(({ key, path, type }): Entry => ({ kind: "conversation", title: key, note: type, run: to(path) })),
      ...conversations.flatMap(({ key, steps }) =>
        steps.map(({ path, type, entity, text }, at): Entry => ({ kind: "step", title: `${key} ${at + 1} · ${entity || type}`, ...(text && { note: text }), run: to(path) })),
      ),
      ...[...entities].map(([entity, path]): Entry => ({ kind: "entity", title: entity, run: to(path) })),
    ];
  }

  protected override updated(): void {
    if (!this.visit) return;
    const { room } = this.route;
    const parts = [this.#bot?.name, room ? words.room[room] : words.home, "Dialoom"];
    document.title = parts.filter(Boolean).join(" · ");
  }

  // -- drawing

  override render() {
    const { visit } = this;
    return html`${visit ? this.#frame(visit) : this.#signedOut()}
      <div class="notice" role=${this.notice?.isBad ? "alert" : "status"}>
        ${this.notice ? html`<p class=${this.notice.isBad ? "bad" : ""}>${this.notice.text}</p>` : nothing}
      </div>`;
  }

  #signedOut() {
    return html`<studio-signed-out .reason=${this.reason} .problem=${this.problem} .provider=${this.provider} .isLate=${this.isLate} @studio-again=${this.#enter}></studio-signed-out>`;
  }

  #frame(visit: Visit) {
    const isBeside = this.isTrying && this.#mayTry;
    return html`<div
      class="frame ${isBeside ? "beside" : ""}"
      @studio-notice=${(event: NoticeEvent) => this.#say(event.text, event.isBad)}
      @studio-go=${(event: GoEvent) => this.#go(event.goal)}
      @studio-open-path=${(event: OpenPathEvent) => this.#open(event)}
      @studio-try=${({ talk }: TryEvent) => void (talk || !matchMedia(OVERLAY).matches ? this.#try(talk) : null)}
      @studio-close-try-out=${this.#endTry}
      @studio-bots-changed=${this.#visitAgain}
    >
      ${this.#rail(visit)}
      <main tabindex="-1">${this.isLate ? html`<div class="waiting" role="progressbar" aria-label=${words.loading}></div>` : nothing}${this.#room()}</main>
      ${isBeside ? html`<aside class="side" aria-label=${words.tryOut}>${this.#content(this.side)}</aside>` : nothing}
      ${this.#palette ?? nothing}<studio-unsaved></studio-unsaved>
    </div>`;
  }

  #rail(visit: Visit) {
    const { bot } = this.route;
    return html`<aside class="rail" aria-label=${words.studio}>
      <a class="item brand" href=${addressOf({ bot: null })} title=${words.home} aria-current=${bot === null ? "page" : nothing} @click=${(event: MouseEvent) => this.#follow(event, { bot: null })}>
        ${mark}<span class="title">Dialoom</span>
      </a>
      ${visit.bots.length ? this.#switch(visit) : nothing}
      <button type="button" class="item" title=${`${words.search} (${KEYS})`} aria-keyshortcuts="Control+K Meta+K" @click=${this.#search}>
        ${lens}<span class="title">${words.search}</span><kbd aria-hidden="true">${KEYS}</kbd>
      </button>
      <nav class="rooms" aria-label=${words.rooms}>${this.#bot ? html`<ul>${this.#rooms.map((room) => this.#roomLink(room))}</ul>` : nothing}</nav>
      <div class="foot">
        ${this.#mayTry ? this.#tryButton() : nothing}
        <a class="item" href="/docs" title=${words.reference} target="_blank" rel="noopener">${book}<span class="title">${words.reference}</span><span class="unseen">${words.newTab}</span></a>
        <button type="button" class="item" title=${words.signOut} @click=${this.#leave}>${leave}<span class="title">${words.signOut}</span></button>
        <p>Dialoom ${visit.release}</p>
      </div>
    </aside>`;
  }

  #tryButton() {
    return html`<button type="button" class="item try" title=${words.tryOut} aria-pressed=${this.isTrying ? "true" : "false"} @click=${this.#toggleTry}>
      ${play}<span class="title">${words.tryOut}</span>
    </button>`;
  }

  #roomLink(room: Room) {
    const title = words.room[room];
    const { bot } = this.route;
    return html`<li>
      <a
        class="item room"
        href=${addressOf({ bot, room })}
        title=${title}
        aria-current=${this.route.room === room ? "page" : nothing}
        @click=${(event: MouseEvent) => this.#follow(event, { room })}
        >${roomIcons[room]}<span class="title">${title}</span></a
      >
    </li>`;
  }

  get #botList(): HTMLElement | null {
    return this.renderRoot.querySelector(".bots");
  }

  #switch(visit: Visit) {
    const name = this.#bot?.name ?? this.route.bot;
    const sought = this.sought.trim().toLowerCase();
    const found = visit.bots.filter((bot) => !sought || `${bot.name} ${bot.id}`.toLowerCase().includes(sought));
    return html`<button type="button" class="item switch" popovertarget="bots" title=${name ?? words.chooseBot}>
        ${name ? html`<span class="initial" aria-hidden="true">${initial(name)}</span>` : home}<span class="title">${name ?? words.chooseBot}</span>${name ? html`<span class="unseen">${words.switchBot}</span>` : nothing}${chevrons}
      </button>
      <div class="bots" id="bots" popover @toggle=${this.#toggled}>
        ${visit.bots.length > MANY
          ? html`<input
              type="search"
              class="search"
              aria-label=${words.findBot}
              placeholder=${words.findBot}
              .value=${this.sought}
              @input=${(event: InputEvent) => {
                this.sought = (event.target as HTMLInputElement).value;
              }}
            />`
          : nothing}
        <ul aria-label=${words.bots}>
          ${found.map((bot) => this.#botLink(bot))}
        </ul>
        ${found.length ? nothing : html`<p class="quiet none">${words.noBotFound}</p>`}
      </div>`;
  }

  #toggled = (event: Event): void => {
    if ((event as ToggleEvent).newState !== "open") this.sought = "";
    else this.#botList?.querySelector<HTMLElement>("input, a")?.focus();
  };

  #botLink(bot: Known) {
    const room = this.route.room ?? FIRST_ROOM;
    return html`<li>
      <a
        class="item bot"
        href=${addressOf({ bot: bot.id, room })}
        aria-current=${this.route.bot === bot.id ? "true" : nothing}
        @click=${(event: MouseEvent) => this.#follow(event, { bot: bot.id, room })}
      >
        <span class="initial" aria-hidden="true">${initial(bot.name)}</span><span class="title">${bot.name}</span>
      </a>
    </li>`;
  }

  #room() {
    const { bot } = this.route;
    if (bot === null || this.#bot) return this.#content(this.main);
    return html`<div class="problem" role="alert">
      <h1 tabindex="-1">${words.unknownBot(bot)}</h1>
      <p class="quiet">${words.unknownBotHelp}</p>
    </div>`;
  }

  #content(content: Content) {
    if (!content) return nothing;
    if ("element" in content) return content.element;
    const title = (words.room as Readonly<Record<string, string>>)[content.missing] ?? (content.missing === "home" ? words.home : words.tryOut);
    // Browsers may keep a failed import for as long as the page lives: only loading the page tries again for certain.
    return html`<div class="problem" role="alert">
      <h1 tabindex="-1">${words.notLoaded(title)}</h1>
      <p class="quiet">${words.notLoadedHelp}</p>
      <button type="button" class="button" @click=${() => location.reload()}>${words.loadAgain}</button>
    </div>`;
  }
}

function initial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? "";
}

export function define(): void {
  register({ "studio-copy": StudioCopy, "studio-signed-out": StudioSignedOut, "studio-unsaved": StudioUnsaved, "dialoom-studio": DialoomStudio });
}
