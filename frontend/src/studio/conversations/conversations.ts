// <studio-conversations>: the list of a bot's conversations with its filter, live, and the chosen one's transcript beside it.

import { html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import { type Api, Refused, type Visit } from "../api";
import { type Command, GoEvent } from "../events";
import { failureNotice } from "../notice";
import type { Route } from "../route";
import { controls, states, text } from "../shared-styles";
import { moment, short } from "../time";
import { count, page, type Row, said } from "./api";
import type { ErasedEvent } from "./erase-user";
import { ALL, type Choice, type Query, queryOf, readParameters, writeParameters } from "./filter";
import type { FilterEvent, Refusal } from "./filter-bar";
import { listStyles } from "./list-styles";
import { nameOf } from "./names";
import { status } from "./styles";
import { words as frame } from "../words";
import { number, words } from "./words";

/** Between two looks for what is new, in milliseconds; more where a look takes long, so that it is a tenth of the time. */
const LOOK_AGAIN = 5000;
const REST = 10;
/** Roles that may erase a user; the service decides. */
const ERASERS = ["administrator", "operator"];
/** An arrow key that is held down reads only the conversation where it stops. */
const READ_AFTER = 120;

export class StudioConversations extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    route: { attribute: false },
    visit: { attribute: false },
    isLate: { type: Boolean },
    choice: { state: true },
    own: { state: true },
    query: { state: true },
    refusal: { state: true },
    rows: { state: true },
    fresh: { state: true },
    next: { state: true },
    total: { state: true },
    chosen: { state: true },
    problem: { state: true },
    beat: { state: true },
    isAway: { state: true },
    isSearching: { state: true },
    isCut: { state: true },
    channels: { state: true },
    version: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    states,
    status,
    listStyles,
  ];

  declare api: Api;
  declare bot: string;
  declare route: Route;
  declare visit: Visit | null;
  declare isLate: boolean;
  declare choice: Choice;
  declare own: Query | null;
  declare query: Query;
  declare refusal: Refusal | null;
  declare rows: readonly Row[] | null;
  /** Conversations that came since the list was shown. */
  declare fresh: readonly Row[];
  declare next: string | null;
  /** "many": more than the service counts; null: not known. */
  declare total: number | "many" | null;
  declare chosen: string;
  declare problem: Refused | null;
  declare beat: number;
  declare isAway: boolean;
  declare isSearching: boolean;
  declare isCut: boolean;
  declare channels: readonly string[];
  declare version: string;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;
  #isNarrow = false;
  #watch: ResizeObserver | null = null;

  constructor() {
    super();
    this.bot = this.chosen = this.version = "";
    this.isLate = this.isAway = this.isSearching = this.isCut = false;
    this.visit = null;
    this.beat = 0;
    this.channels = [];
    this.#clear();
    this.choice = ALL;
    this.own = null;
    this.query = {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#escape);
    this.#plan();
    this.#watch = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(([entry]) => this.#sized(entry?.contentRect.width ?? 1000));
    this.#watch?.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#escape);
    clearTimeout(this.#timer);
    clearTimeout(this.#reading);
    this.#watch?.disconnect();
  }

  #sized(width: number): void {
    const isNarrow = width < 800;
    if (isNarrow === this.#isNarrow) return;
    this.#isNarrow = isNarrow;
    this.requestUpdate();
  }

  #clear(): void {
    this.rows = this.refusal = this.problem = this.next = this.total = null;
    this.fresh = [];
  }

  // -- what the address says

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("bot") && !changed.has("route")) return;
    const isOther = changed.has("bot");
    const parameters = new URLSearchParams(this.route?.query ?? "");
    this.chosen = parameters.get("id") ?? "";
    if (isOther) void this.#about();
    const { choice, own } = readParameters(parameters);
    const isSame = !isOther && JSON.stringify([choice, own]) === JSON.stringify([this.choice, this.own]);
    if (isSame && (this.rows || this.problem)) return;
    this.choice = choice;
    this.own = own;
    void this.load();
  }

  #address(more: { choice?: Choice; own?: Query | null; id?: string }, isReplacing: boolean): void {
    const { choice = this.choice, own = this.own, id = this.chosen } = more;
    const parameters = writeParameters(choice, own);
    if (id) parameters.set("id", id);
    this.dispatchEvent(new GoEvent({ query: parameters.toString(), isReplacing }));
  }

  // -- what the service says

  async #about(): Promise<void> {
    try {
      const bot = await this.api.bot(this.bot);
      this.channels = bot.channels.map(({ id }) => id);
      this.version = bot.version;
    } catch {
      // The list says what is wrong.
    }
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    const { bot, own, choice } = this;
    try {
      this.isCut = false;
      let query = own ?? queryOf(choice, Date.now());
      if (!own && choice.text.trim()) {
        this.isSearching = true;
        // Of a period only its messages are searched: a text that is rare takes long to be looked for in all of them.
        const { StartedAt: CreatedAt } = query;
        const found = await said(this.api, bot, choice.text.trim(), CreatedAt ? { CreatedAt } : {});
        if (asked !== this.#asked) return;
        this.isCut = found.isCut;
        query = queryOf(choice, Date.now(), found.ids);
      }
      const found = await page(this.api, bot, query);
      if (asked !== this.#asked) return;
      this.#clear();
      this.query = query;
      this.rows = found.records;
      this.next = found.next;
      this.isAway = false;
      this.total = found.next ? null : found.records.length;
      if (found.next) void this.#count(asked, query);
    } catch (error) {
      if (asked === this.#asked) this.#refused(error as Refused, own);
    } finally {
      if (asked === this.#asked) this.isSearching = false;
    }
  }

  #refused(error: Refused, own: Query | null): void {
    const pointer = error.members?.["pointer"];
    if (own && error.status === 400) {
      this.query = own;
      this.refusal = { message: error.message, pointer: typeof pointer === "string" ? pointer : "" };
      this.rows ??= [];
      return;
    }
    this.problem = error;
    if (this.rows) this.dispatchEvent(failureNotice(error));
  }

  async #count(asked: number, query: Query): Promise<void> {
    const total = await count(this.api, this.bot, query).then((found) => found ?? "many", () => null);
    if (asked === this.#asked) this.total = total;
  }

  async #more(): Promise<void> {
    const { next, rows } = this;
    if (!next || !rows || this.#isLoading) return;
    this.#isLoading = true;
    const asked = this.#asked;
    try {
      const found = await page(this.api, this.bot, this.query, next);
      if (asked !== this.#asked) return;
      const known = new Set(rows.map(({ _id }) => _id));
      this.rows = [...rows, ...found.records.filter(({ _id }) => !known.has(_id))];
      this.next = found.next;
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    } finally {
      this.#isLoading = false;
    }
  }

  #plan(took = 0): void {
    clearTimeout(this.#timer);
    const look = async () => {
      const begun = performance.now();
      await this.#look();
      if (this.isConnected) this.#plan(performance.now() - begun);
    };
    this.#timer = setTimeout(() => void look(), Math.max(LOOK_AGAIN, REST * took));
  }

  /** Rows change where they stand; new ones wait until they are asked for, so that nothing moves under the pointer. */
  async #look(): Promise<void> {
    if (document.visibilityState !== "visible" || !this.rows || this.refusal) return;
    const asked = this.#asked;
    try {
      const found = await page(this.api, this.bot, this.query);
      if (asked !== this.#asked || !this.rows) return;
      const changed = new Map(found.records.map((row) => [row._id, row]));
      const known = new Set(this.rows.map(({ _id }) => _id));
      this.rows = this.rows.map((row) => changed.get(row._id) ?? row);
      this.fresh = found.records.filter(({ _id }) => !known.has(_id));
      if (!this.rows.length) this.#show();
      this.isAway = false;
      this.beat += 1;
    } catch {
      if (asked === this.#asked) this.isAway = true;
    }
  }

  #show = (): void => {
    const { fresh, rows } = this;
    this.rows = [...fresh, ...(rows ?? [])];
    if (typeof this.total === "number") this.total += fresh.length;
    this.fresh = [];
    this.renderRoot.querySelector(".list")?.scrollTo({ top: 0 });
  };

  // -- what the reader does

  commands(): Command[] {
    return [{ title: words.clear, run: () => this.#address({ choice: ALL, own: null }, false) }];
  }

  #filter = (event: FilterEvent): void => {
    this.choice = event.choice;
    this.own = event.own;
    this.#address({}, true);
    void this.load();
  };

  #choose(id: string, isReplacing = false): void {
    this.chosen = id;
    clearTimeout(this.#reading);
    this.#address({ id }, isReplacing);
  }

  #keys = (event: KeyboardEvent): void => {
    const links = [...this.renderRoot.querySelectorAll<HTMLAnchorElement>("td a")];
    const at = links.findIndex((link) => link === event.target);
    if (at < 0) return;
    const goal = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    const link = links[Math.max(0, Math.min(goal, links.length - 1))];
    link?.focus();
    link?.scrollIntoView({ block: "nearest" });
    if (this.#isNarrow || !link || !this.chosen) return;
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#choose(link.dataset["id"] ?? "", true), READ_AFTER);
  };

  #back = (): void => {
    const id = this.chosen;
    this.#choose("");
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus());
  };

  /** Closes the transcript; a field, a list or a dialog has this key for itself. */
  #escape = (event: KeyboardEvent): void => {
    const isOthers = event.composedPath().some((one) => one instanceof Element && one.matches("input, select, textarea, dialog, [popover], [contenteditable]"));
    // Where the list gave way to the transcript, what had the focus is hidden, and the page has it.
    const isHere = event.target === document.body || event.composedPath().includes(this);
    if (event.key !== "Escape" || event.defaultPrevented || isOthers || !isHere || !this.chosen) return;
    event.preventDefault();
    this.#back();
  };

  #erased = (event: ErasedEvent): void => {
    this.rows = this.rows?.filter((row) => row.User !== event.user || row.Channel !== event.channel) ?? null;
    this.#choose("", true);
    void this.load();
  };

  // -- drawing

  override render() {
    if (this.problem && !this.rows) return this.#problem(this.problem);
    const isChosen = this.chosen !== "";
    return html`<div class="top ${isChosen ? "behind" : ""}">
        <div class="head">
          <h1 tabindex="-1">${words.title}</h1>
          <span class="quiet" role="status">${this.total === null ? "" : this.total === "many" ? words.many(this.rows?.length ?? 0) : words.count(this.total)}</span>
          <span class="live ${this.isAway ? "away" : ""}">${this.isAway ? words.notLive : words.live}</span>
        </div>
        <studio-filter
          .choice=${this.choice}
          .own=${this.own}
          .query=${this.query}
          .refusal=${this.refusal}
          .channels=${this.channels}
          .versions=${this.#versions}
          .active=${this.version}
          .isSearching=${this.isSearching}
          @studio-filter=${this.#filter}
        ></studio-filter>
        ${this.isCut ? html`<p class="cut quiet">${words.searchCut}</p>` : nothing}
      </div>
      <div class="panes ${isChosen ? "two" : ""}">
        <div class="list" @scroll=${this.#scrolled}>${this.#list()}</div>
        ${isChosen
          ? html`<studio-transcript
              ?alone=${this.#isNarrow}
              .api=${this.api}
              .bot=${this.bot}
              .conversation=${this.chosen}
              .beat=${this.beat}
              .mayTry=${this.visit !== null && this.visit.role !== "analyst"}
              .mayErase=${ERASERS.includes(this.visit?.role ?? "")}
              @studio-back=${this.#back}
              @studio-erased=${this.#erased}
            ></studio-transcript>`
          : nothing}
      </div>`;
  }

  get #versions(): readonly string[] {
    return [...new Set((this.rows ?? []).map(({ FlowVersion }) => FlowVersion).filter(Boolean))];
  }

  #scrolled = (event: Event): void => {
    const list = event.currentTarget as HTMLElement;
    if (this.next && list.scrollHeight - list.scrollTop - list.clientHeight < 200) void this.#more();
  };

  #list() {
    const { rows } = this;
    if (!rows) return this.isLate ? html`<div aria-busy="true">${[0, 1, 2, 3, 4, 5].map(() => html`<div class="bar"></div>`)}</div>` : nothing;
    if (this.refusal) return nothing;
    if (!rows.length) return this.#none();
    const titles = words.columns;
    return html`${this.fresh.length
        ? html`<div class="fresh" role="status"><button type="button" class="button main" @click=${this.#show}>${words.fresh(this.fresh.length)}</button></div>`
        : nothing}
      <table aria-label=${words.list} @keydown=${this.#keys}>
        <thead>
          <tr>
            <th scope="col" class="who">${titles.who}</th>
            <th scope="col" class="goal">${titles.goal}</th>
            <th scope="col" class="status-column">${titles.status}</th>
            <th scope="col" class="notes">${titles.notes}</th>
            <th scope="col" class="channel">${titles.channel}</th>
            <th scope="col" class="messages number">${titles.messages}</th>
            <th scope="col" class="started">${titles.started}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row, index) => this.#row(row, index))}
        </tbody>
      </table>
      ${this.next ? html`<p class="more"><button type="button" class="button" @click=${() => this.#more()}>${words.more}</button></p>` : nothing}`;
  }

  #row(row: Row, index: number) {
    const isChosen = row._id === this.chosen;
    const { notUnderstood = 0 } = row.Data;
    const isTabStop = this.chosen ? isChosen : index === 0;
    const open = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.#choose(row._id);
    };
    const notes = [notUnderstood ? words.notUnderstood(notUnderstood) : "", row.Errors ? words.errors(row.Errors) : ""].filter(Boolean).join(" · ");
    return html`<tr class=${isChosen ? "chosen" : ""} @click=${open}>
      <td class="who"><a href="?id=${encodeURIComponent(row._id)}" data-id=${row._id} tabindex=${isTabStop ? 0 : -1} aria-current=${isChosen ? "true" : nothing} title=${nameOf(row)}>${nameOf(row)}</a></td>
      <td class="goal ${row.Goal ? "" : "quiet"}" title=${row.Goal ?? ""}>${row.Goal ?? words.noGoal}</td>
      <td class="status-column"><span class="status ${row.Status}">${words.status[row.Status] ?? row.Status}</span></td>
      <td class="notes bad" title=${notes}>${notes}</td>
      <td class="channel quiet">${row.Channel}</td>
      <td class="messages number quiet">${number(row.Messages.user + row.Messages.bot)}</td>
      <td class="started quiet"><time datetime=${row.StartedAt} title=${moment(row.StartedAt)}>${short(row.StartedAt)}</time></td>
    </tr>`;
  }

  #none() {
    const isFiltered = Object.keys(this.query).length > 0;
    if (isFiltered)
      return html`<div class="problem">
        <h2>${words.noneFound}</h2>
        <p class="quiet">${words.noneFoundHelp}</p>
        <button type="button" class="button" @click=${() => this.#address({ choice: ALL, own: null }, false)}>${words.clear}</button>
      </div>`;
    return html`<div class="problem">
      <h2>${words.noneYet}</h2>
      <p class="quiet">${words.noneYetHelp}</p>
      <button type="button" class="button" @click=${() => this.dispatchEvent(new GoEvent({ room: "operate", query: "tab=channels" }))}>${words.settings}</button>
    </div>`;
  }

  #problem(problem: Refused) {
    return html`<div class="problem" role="alert">
      <h1 tabindex="-1">${frame.notLoaded(words.title)}</h1>
      <p class="quiet">${problem.message}</p>
      <button type="button" class="button" @click=${() => this.load()}>${frame.tryAgain}</button>
    </div>`;
  }
}
