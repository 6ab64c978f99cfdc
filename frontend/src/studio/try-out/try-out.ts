// <studio-try-out>: the pane beside the rooms. A chat with the draft or a version, as users would see it, and why the bot answers
// as it does.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import { DialoomChat } from "../../view/dialoom-chat";
import { type Api, placeOf, type Visit } from "../api";
import type { TryEvent } from "../events";
import { warn } from "../build/step-icons";
import { again, back, cross } from "../icons";
import { type Outline, outlineOf } from "../outline";
import { controls, dialogs, fields, text } from "../shared-styles";
import { minute } from "../time";
import type { Workspace } from "../workspace";
import type { Mocks, TestFile } from "./api";
import type { DecideEvent, StudioTryAsks } from "./asks";
import { botOf, channelsOf, mocksOf } from "./bot-file";
import { connection } from "./connection";
import { readObject, type SetupEvent, type Version } from "./setup";
import { amber, pane } from "./styles";
import { DRAFT, Talk } from "./talk";
import { numberOf, type RewindEvent, saidIn } from "./why";
import { words } from "./words";

/** The service's word for what a developer may not call; with mocked calls it is played all the same. */
const ADMINISTRATOR_NEEDED = "administrator-needed";

type View = "chat" | "why";

/** The pane is to be closed; the frame does it. */
export class CloseTryOutEvent extends Event {
  constructor() {
    super("studio-close-try-out", { bubbles: true, composed: true });
  }
}

export class StudioTryOut extends LitElement {
  static override properties = {
    api: { attribute: false },
    workspace: { attribute: false },
    visit: { attribute: false },
    bot: {},
    view: { state: true },
    versions: { state: true },
    testTitle: { state: true },
    made: { state: true },
    wrong: { state: true },
    isHeld: { state: true },
  };

  static override styles = [base, controls, text, fields, dialogs, amber, pane];

  declare api: Api;
  declare workspace: Workspace;
  declare visit: Visit | null;
  declare bot: string;
  declare view: View;
  declare versions: readonly Version[];
  /** Of the test that is being saved. */
  declare testTitle: string;
  declare made: TestFile | null;
  /** Why what was typed in a form cannot be taken. */
  declare wrong: string;
  /** Something was to be sent while a question is open. */
  declare isHeld: boolean;
  #talk: Talk | null = null;
  #chat: DialoomChat | null = null;
  #generation = -1;
  #outline: Outline | null = null;
  /** The call that was asked about when the pane was drawn last. */
  #asked = "";
  /** Whether the chat is to have the focus once it is there. */
  #isAwaited = false;
  /** How many talks were opened: the last one is played. */
  #opened = 0;
  #unsubscribe = (): void => undefined;
  /** The files of which the outline and what follows was read. */
  #outlined: unknown = null;
  #channels: readonly string[] = [];
  #mocks: Mocks = {};

  constructor() {
    super();
    this.visit = null;
    this.bot = "";
    this.view = "chat";
    this.versions = [];
    this.testTitle = this.wrong = "";
    this.made = null;
    this.isHeld = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Put into another place: the talk had ended with the place before.
    if (this.hasUpdated && !this.#talk) this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end();
  }

  /** Shows a talk: on a version or the draft, with these turns played. */
  async open({ on = DRAFT, channel, calls, turns = [], conversation }: NonNullable<TryEvent["talk"]>): Promise<void> {
    await this.updateComplete;
    const talk = this.#talk;
    if (!talk) return;
    const opened = (this.#opened += 1);
    this.view = "chat";
    await this.workspace.load(this.bot);
    await talk.start({ on, ...(channel && { channel }), ...(calls && { calls }), ...(conversation && { conversation }) });
    for (const said of turns) if (!talk.problem && opened === this.#opened) await talk.say(said);
  }

  override focus(): void {
    if (this.#chat) this.#chat.focus();
    this.#isAwaited = !this.#chat;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("bot")) this.#begin();
    const isAsking = !!this.#talk?.state?.waiting.length;
    if (this.#chat) this.#chat.placeholder = isAsking ? words.answerFirst : "";
    if (!isAsking) this.isHeld = false;
    if (this.#outlined !== this.workspace.files) {
      this.#outlined = this.workspace.files;
      this.#channels = channelsOf(this.workspace.files);
      this.#mocks = mocksOf(this.workspace.files);
      this.#outline = outlineOf(this.workspace.files, this.#outline ?? undefined);
    }
  }

  protected override updated(): void {
    const talk = this.#talk;
    // Its buttons are off as long as something is done.
    if (talk?.isBusy) return;
    const call = talk?.state?.asks?.call ?? "";
    const isNew = call !== "" && call !== this.#asked;
    this.#asked = call;
    if (isNew && this.#mayTakeFocus) this.renderRoot.querySelector<StudioTryAsks>("studio-try-asks")?.focus();
  }

  /** Whether the focus is in this pane, and nobody is writing there. */
  get #mayTakeFocus(): boolean {
    let active: Element | null = (this.renderRoot as ShadowRoot).activeElement;
    if (!active) return false;
    while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return !("value" in active) || active.value === "" || active instanceof HTMLButtonElement;
  }

  /** While a question is open nothing else is said: what was written stays in the field. */
  #hold(event: Event): void {
    if (!this.#talk?.state?.waiting.length) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.isHeld = true;
  }

  #begin(): void {
    this.#end();
    this.versions = [];
    if (!this.bot) return;
    const talk = new Talk(this.api, this.workspace, this.bot);
    this.#talk = talk;
    talk.subscribe(() => this.#heard(talk));
    // Saved or not is said here, too.
    this.#unsubscribe = this.workspace.subscribe(() => this.requestUpdate());
    void talk.open();
    void this.#loadVersions(this.bot);
  }

  #end(): void {
    this.#unsubscribe();
    this.#talk?.stop();
    this.#talk = null;
    this.#chat?.remove();
    this.#chat = null;
    this.#outline = null;
  }

  /** Without them the draft is what can be chosen. */
  async #loadVersions(bot: string): Promise<void> {
    const versions = await this.api.call("GET", `${placeOf(bot)}/versions`).catch(() => []);
    if (bot === this.bot) this.versions = Array.isArray(versions) ? (versions as Version[]) : [];
  }

  #heard(talk: Talk): void {
    if (talk !== this.#talk) return;
    if (talk.state && this.#generation !== talk.generation) {
      this.#generation = talk.generation;
      if (this.#chat) void this.#chat.openAgain({});
    }
    if (talk.state && !this.#chat) this.#chat = this.#makeChat(talk);
    this.requestUpdate();
    if (this.#chat && this.#isAwaited) void this.updateComplete.then(() => this.focus());
  }

  #makeChat(talk: Talk): DialoomChat {
    const chat = new DialoomChat();
    const name = this.visit?.bots.find(({ id }) => id === this.bot)?.name ?? this.bot;
    Object.assign(chat, { bot: this.bot, channel: "try-out", name, language: talk.state?.language ?? "en" });
    chat.around = connection(talk, () => botOf(this.workspace.files, this.bot, name, talk.state?.language ?? ""));
    const hold = (event: Event) => this.#hold(event);
    for (const type of ["dialoom-say", "dialoom-choose"]) chat.addEventListener(type, hold, true);
    return chat;
  }

  // -- drawing

  override render() {
    const talk = this.#talk;
    const state = talk?.state;
    return html`<header>
        <h2>${words.title}</h2>
  <span class="unseen" role="status">${talk?.isBusy ? words.busy : talk && talk.differsAt >= 0 ? words.differs(numberOf(talk.state?.turns ?? [], talk.differsAt)) : ""}</span>
        <button type="button" class="plain brief" title=${words.restart} aria-label=${words.restart} ?disabled=${!state} @click=${() => talk?.start()}>${again}</button>
        <button type="button" class="plain brief" title=${words.close} aria-label=${words.close} @click=${() => this.dispatchEvent(new CloseTryOutEvent())}>${cross}</button>
      </header>
      ${state && talk ? this.#setup(talk) : nothing} ${talk && state?.calls === "real" ? this.#acting(talk) : nothing} ${talk ? this.#notices(talk) : nothing}
      ${state ? this.#tabs() : nothing}
      <div class="view chat" id="view-chat" role="tabpanel" aria-labelledby="tab-chat" ?hidden=${this.view !== "chat"}>${this.#chat ?? nothing}</div>
      <p class="held" role="status">${this.isHeld ? words.answerFirst : ""}</p>
      <div class="view why" id="view-why" role="tabpanel" aria-labelledby="tab-why" tabindex="0" ?hidden=${this.view !== "why"}>
        ${talk && state
          ? html`<studio-why canRewind .turns=${state.turns} .outline=${this.#outline} .differsAt=${talk.differsAt} @studio-rewind=${(event: RewindEvent) => this.#rewind(talk, event.count)}></studio-why>
              ${this.#memory()}`
          : nothing}
      </div>
      ${state?.turns.length || state?.waiting.length ? this.#acts() : nothing} ${this.#testDialog()}`;
  }

  #setup(talk: Talk) {
    const { state } = talk;
    if (!state) return nothing;
    const on = state.on !== DRAFT ? words.version(state.on.slice(0, 8)) : this.workspace.isChanged ? words.unsaved : words.draft;
    const clock = talk.clock ? minute(talk.clock) : words.realTime;
    return html`<details class="setup">
      <summary>
        <span class="unseen">${words.setup}: </span><strong>${on}</strong><span>${state.channel}</span><span>${words.calls[state.calls]}</span><span>${clock}</span>
      </summary>
      <studio-try-setup
        .state=${state}
        .clock=${talk.clock}
        .versions=${this.versions}
        .channels=${this.#channels}
        .suggested=${this.#mocks}
        @studio-setup=${(event: SetupEvent) => this.#set(talk, event)}
      ></studio-try-setup>
    </details>`;
  }

  async #set(talk: Talk, { choice }: SetupEvent): Promise<void> {
    const details = this.renderRoot.querySelector<HTMLDetailsElement>(".setup");
    const { on, channel, ...settings } = choice;
    if (channel) {
      const { now, ...others } = settings;
      await talk.start({ ...others, channel, ...(on && { on }), ...(now && { now }) });
    } else {
      if (Object.keys(settings).length) await talk.set(settings);
      if (on && !talk.problem) await talk.replay(on);
    }
    if (details && !talk.problem) details.open = false;
  }

  #acting(talk: Talk) {
    return html`<div class="acting" role="note">
      ${warn}
      <p>${words.acting}</p>
      <button type="button" class="plain" ?disabled=${talk.isBusy} @click=${() => talk.set({ calls: "recorded" })}>${words.actNoMore}</button>
    </div>`;
  }

  #notices(talk: Talk) {
    const { state, findings } = talk;
    const problem = talk.problem || (!state && this.workspace.problem?.message) || "";
    return html`${problem
        ? html`<div class="note bad" role="alert">
            <p>${problem}</p>
            ${talk.code === ADMINISTRATOR_NEEDED ? html`<button type="button" class="plain" @click=${() => this.#useMocks(talk)}>${words.mockCalls}</button>` : nothing}
            ${state ? nothing : html`<button type="button" class="plain" @click=${() => talk.open()}>${words.tryAgain}</button>`}
          </div>`
        : nothing}
      ${findings.length
        ? html`<div class="note" role="status">
            <p>${words.kept(findings.length)}</p>
            <p class="quiet">${findings[0]?.message}</p>
          </div>`
        : nothing}
      ${talk.differsAt >= 0
        ? html`<details class="note differs">
            <summary>${words.differs(numberOf(state?.turns ?? [], talk.differsAt))}</summary>
            <h3>${words.before}</h3>
            ${this.#before(state?.before ?? [])}
          </details>`
        : nothing}
      ${state && state.on !== DRAFT && this.workspace.isChanged
        ? html`<div class="note" role="status">
            <p>${words.version(state.on.slice(0, 8))}. ${words.notOnDraft}</p>
            <button type="button" class="button" @click=${() => talk.replay(DRAFT)}>${words.playOnDraft}</button>
          </div>`
        : nothing}
      ${state?.waiting.length
        ? html`<studio-try-asks
            .asks=${state.asks}
            .waiting=${state.waiting}
            .suggested=${this.#mocks}
            .isBusy=${talk.isBusy}
            @studio-decide=${({ decision }: DecideEvent) => this.#decide(talk, decision)}
          ></studio-try-asks>`
        : html`${this.#unanswered(talk)} ${this.#login(talk)}`}`;
  }

  /** A service that is not there ends a talk before it has begun; the bot's tests know what it would answer. */
  #unanswered(talk: Talk) {
    const call = talk.unanswered;
    if (!call) return nothing;
    const isReal = talk.state?.calls !== "mocked";
    const given = talk.state?.mocks ?? {};
    const mocks = { ...this.#mocks, ...given };
    const hasMocks = Object.keys(mocks).length > (isReal ? 0 : Object.keys(given).length);
    return html`<div class="note" role="status">
      <p>${isReal ? words.noAnswer(`${call.method ?? ""} ${call.url ?? ""}`.trim()) : call.failure}</p>
      ${hasMocks ? html`<button type="button" class="button" @click=${() => this.#useMocks(talk)}>${words.useMocks}</button>` : html`<p class="quiet">${words.noAnswerHelp}</p>`}
    </div>`;
  }

  /** Plays the talk anew with the answers that the bot's tests know, and those that the author gave. */
  async #useMocks(talk: Talk): Promise<void> {
    const mocked = { calls: "mocked", mocks: { ...this.#mocks, ...talk.state?.mocks } } as const;
    if (!talk.state) return talk.start(mocked);
    await talk.set(mocked);
    if (!talk.problem) await talk.replay();
  }

  #before(messages: readonly { readonly from: string; readonly text: string }[]) {
    const said = messages.filter(({ from, text }) => from === "bot" && text);
    return said.length ? said.map((message) => html`<p class="before" dir="auto">${message.text}</p>`) : html`<p class="before quiet">${words.silent}</p>`;
  }

  /** A login takes place at its provider; here the author says what comes of it. */
  #login(talk: Talk) {
    if (talk.messages.findLast(({ from }) => from === "bot")?.dialog?.type !== "login") return nothing;
    const log = (event: SubmitEvent) => {
      event.preventDefault();
      const value = readObject(String(new FormData(event.target as HTMLFormElement).get("login")));
      this.wrong = value ? "" : words.mocksWrong;
      if (value) void talk.say({ login: value });
    };
    return html`<form class="note" @submit=${log}>
      <p>${words.login}</p>
      <label class="field">${words.loginValue}<input name="login" autocomplete="off" spellcheck="false" .defaultValue=${'{"id": "ada", "name": "Ada"}'} /></label>
      ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
      <div class="row">
        <button type="button" class="plain" @click=${() => talk.say({ login: "failed" })}>${words.loginFail}</button>
        <button type="submit" class="button">${words.loginDo}</button>
      </div>
    </form>`;
  }

  #tabs() {
    const tab = (view: View) => html`<button
      type="button"
      role="tab"
      id=${`tab-${view}`}
      aria-controls=${`view-${view}`}
      aria-selected=${this.view === view ? "true" : "false"}
      tabindex=${this.view === view ? 0 : -1}
      @click=${() => this.#show(view)}
    >
      ${words[view]}
    </button>`;
    return html`<div class="tabs" role="tablist" aria-label=${words.view} @keydown=${this.#stepTab}>${tab("chat")}${tab("why")}</div>`;
  }

  #show(view: View): void {
    this.view = view;
    if (view !== "why") return;
    // What happened last is what one asks about.
    void this.updateComplete.then(async () => {
      const why = this.renderRoot.querySelector<LitElement>("studio-why");
      await why?.updateComplete;
      const last = why?.renderRoot.querySelector<HTMLElement>("details:last-of-type");
      // Of the pane alone: the room beside stays where it is.
      const pane = this.renderRoot.querySelector(".view.why");
      if (last && pane) pane.scrollTop += last.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    });
  }

  #stepTab(event: KeyboardEvent): void {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    this.#show(this.view === "chat" ? "why" : "chat");
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${this.view}`)?.focus());
  }

  #memory() {
    const { entities = {}, context = {} } = this.#talk?.state?.memory ?? {};
    const rows = [...Object.entries(entities), ...Object.entries(context)].filter(([, value]) => value !== null);
    if (!rows.length) return nothing;
    return html`<details class="memory">
      <summary>${words.memory}</summary>
      <dl>
        ${rows.map(([name, value]) => html`<dt>${name}</dt><dd><code>${typeof value === "string" ? value : JSON.stringify(value)}</code></dd>`)}
      </dl>
    </details>`;
  }

  // -- what one takes along

  /** Plays on; the chat has the focus then, as the button that had it is gone. */
  async #decide(talk: Talk, decision: DecideEvent["decision"]): Promise<void> {
    if (decision === "mocks") await this.#useMocks(talk);
    else await talk.replay(undefined, false, decision ?? undefined);
    await this.updateComplete;
    // The button that was pressed is gone, or was off meanwhile.
    if (talk.state?.asks) this.renderRoot.querySelector<StudioTryAsks>("studio-try-asks")?.focus();
    else if (!talk.state?.waiting.length && this.view === "chat") this.focus();
  }

  /** Keeps the first turns and shows the chat, where the author then answers otherwise. */
  async #rewind(talk: Talk, count: number): Promise<void> {
    await talk.rewind(count);
    this.#show("chat");
    await this.updateComplete;
    this.focus();
  }

  #acts() {
    const talk = this.#talk;
    const turns = talk?.state?.turns ?? [];
    const waiting = talk?.state?.waiting ?? [];
    const hasSaid = numberOf(turns, turns.length - 1) > 0 || waiting.some(({ user }) => !user.event);
    return html`<footer>
      <button type="button" class="plain" title=${words.takeBackHelp} aria-label=${words.takeBackHelp} ?disabled=${!hasSaid || talk?.isBusy} @click=${() => talk && this.#rewind(talk, turns.length + waiting.length - 1)}>${back}${words.takeBack}</button>
      <button type="button" class="plain" ?disabled=${!turns.length} @click=${this.#askTitle}>${words.saveTest}</button>
      <studio-copy .text=${this.#transcript()} what=${words.theTalk}></studio-copy>
    </footer>`;
  }

  #transcript(): string {
    const lines = (this.#talk?.state?.turns ?? []).flatMap(({ user, messages }) => [
      ...(user && !user.event ? [`${words.you}: ${saidIn(user, messages)}`] : []),
      ...messages.filter(({ from, text }) => from === "bot" && text).map(({ text }) => `${words.bot}: ${text}`),
    ]);
    return lines.join("\n");
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  #askTitle(): void {
    this.made = null;
    this.testTitle = this.wrong = "";
    this.#dialog?.showModal();
    void this.updateComplete.then(() => this.#dialog?.querySelector<HTMLElement>("input")?.focus());
  }

  #testDialog() {
    const { made } = this;
    return html`<dialog aria-labelledby="test">
      <h2 id="test">${words.testTitle}</h2>
      ${made
        ? html`<p role="status">${words.testMade(made.file)}</p>
            ${made.obstacles.length
              ? html`<p class="quiet">${words.testObstacles}</p>
                  <ul>
                    ${made.obstacles.map((obstacle) => html`<li>${obstacle}</li>`)}
                  </ul>`
              : nothing}
            <div class="acts"><button type="button" class="button main" @click=${() => this.#dialog?.close()}>${words.done}</button></div>`
        : html`<form @submit=${this.#makeTest}>
            <p class="quiet">${words.testHelp}</p>
            <label class="field"
              >${words.testName}
              <input
                type="text"
                maxlength="120"
                autocomplete="off"
                placeholder=${words.testPlaceholder}
                .value=${this.testTitle}
                @input=${(event: InputEvent) => {
                  this.testTitle = (event.target as HTMLInputElement).value;
                }}
              />
            </label>
            ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
            <div class="acts">
              <button type="button" class="button" @click=${() => this.#dialog?.close()}>${words.cancel}</button>
              <button type="submit" class="button main" ?disabled=${!this.testTitle.trim()}>${words.testMake}</button>
            </div>
          </form>`}
    </dialog>`;
  }

  async #makeTest(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.testTitle.trim()) return;
    try {
      this.made = (await this.#talk?.test(this.testTitle.trim())) ?? null;
    } catch (error) {
      this.wrong = (error as Error).message;
    }
  }
}
