// <dialoom-chat>: draws one chat. What is said and how it travels is the chat's own business (chat/chat.ts).

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { browser, Chat, type ChatObserver, type Surroundings, type View } from "../chat/chat";
import type { LoginStatus, Message, Opening } from "../protocol/wire";
import { directionOf, fill, languageOfWords, loadWords, type Words, wordsFor } from "../texts";
import { prefer, preferences, type Preferences } from "../chat/preferences";
import { drawBots } from "./bot-message";
import { buttons } from "./buttons";
import { type Consent, consentLine } from "./consent";
import { DialoomChoices, type OpenEvent } from "./choices";
import type { ChooseEvent } from "./choose-event";
import { type AttachEvent, DialoomField, type DropEvent, type SayEvent } from "./field";
import { DrawnRange } from "./drawn-range";
import { FileDrop } from "./file-drop";
import { fileStyles } from "./files";
import { answerable, type Drawn, type Group, groups, isPaging, type Line, PagesInPlace } from "./groups";
import { cross } from "./icons";
import { drawAvatar } from "./images";
import { applyLook } from "./look";
import { DialoomRating, drawRating } from "./rating";
import { LongWait } from "./long-wait";
import { lexerInTime, loadLexer, needsLexer, textsOf } from "./markdown";
import type { DialogsPart, LoadDialogs } from "./lazy-dialogs";
import { DialoomMenu, type MenuActions } from "./menu";
import { menuActions } from "./menu-actions";
import { NewestAnswer } from "./newest-answer";
import { OlderMessages } from "./older-messages";
import { drawOwn } from "./own-message";
import { prose } from "./prose";
import { talkAsText } from "./save-talk";
import { chimeUnlessSeen } from "./sound";
import { StickToEnd } from "./scroll";
import { type ChatStatus, DOTS, drawEmpty, drawNewer, drawNotice } from "./status";
import { bubbles, layout, states } from "./styles";
import { moment } from "./time";
import { base, tokens } from "./tokens";
import { WakeOnReturn } from "./wake-on-return";

/** Milliseconds: a shorter break is not worth a line, and an empty chat waits as long for the bot's greeting. */
const TELL_AFTER = 1500;

/** What is drawn of a chat: its messages in the places that they have on the screen. */
type Shown = Omit<View, "messages"> & { readonly messages: readonly Drawn[] };

export class DialoomChat extends LitElement {
  static override properties = {
    server: {},
    bot: {},
    channel: {},
    token: {},
    name: {},
    header: {},
    avatar: {},
    language: {},
    placeholder: {},
    theme: { reflect: true },
    page: { type: Boolean, reflect: true },
    opening: { attribute: false },
    onclosing: { attribute: false },
    observer: { attribute: false },
    around: { attribute: false },
    hiddenText: { attribute: false },
    consent: { attribute: false },
    preferences: { state: true },
    view: { state: true },
    isLate: { state: true },
    open: { state: true },
    dialogs: { state: true },
    isDialogsBroken: { state: true },
  };

  static override styles = [tokens, base, buttons, layout, bubbles, fileStyles, states, prose];

  /** Origin of the service; empty: where the page came from. */
  declare server: string;
  declare bot: string;
  declare channel: string;
  declare token: string;
  /** Name, avatar and language are the page's guess until the session tells the bot's own. */
  declare name: string;
  /** What stands in the head in place of the name. */
  declare header: string;
  declare avatar: string;
  declare language: string;
  declare placeholder: string;
  declare theme: string;
  /** The chat is the whole page: its name is the page's heading and the field has the focus. */
  declare page: boolean;
  declare opening: Opening;
  /** Given: the head has a button that closes, and Esc does the same. */
  declare onclosing: (() => void) | null;
  /** Who else is told what happens. */
  declare observer: ChatObserver;
  /** What the chat needs of the browser. The studio's try-out gives a connection of its own. */
  declare around: Surroundings;
  /** A message of the user's with this text is not shown: the page said it in their name. */
  declare hiddenText: string;
  /** A line above the field until the user has said something. */
  declare consent: Consent | null;
  declare preferences: Preferences;
  declare view: Shown | null;
  declare isLate: boolean;
  /** The id of the message whose dialog is open. */
  declare open: string;
  declare dialogs: DialogsPart | null;
  declare isDialogsBroken: boolean;

  /** Where the dialogs' code comes from; the page's entry says it once. */
  static loadDialogs: LoadDialogs | null = null;

  #chat: Chat | null = null;
  #stick = new StickToEnd(
    this,
    () => this.renderRoot.querySelector<HTMLElement>(".scroller"),
    () => void this.#showOlder(),
  );
  #late: ReturnType<typeof setTimeout> | undefined;
  #wait = new LongWait(() => this.requestUpdate());
  #drop = new FileDrop(
    this,
    () => !this.#isClosed,
    (files) => {
      this.#chat?.attach(files);
      this.focus();
    },
  );
  /** Of each line: whether it arrived while the chat was open and so moved in. Decided once, or drawing would cut it off. */
  #arrived = new Map<string, boolean>();
  #isHistory = true;
  #pages = new PagesInPlace();
  #range = new DrawnRange();
  #older = new OlderMessages(this.#range, this.#stick);
  #newest = new NewestAnswer();

  constructor() {
    super();
    this.server = this.bot = this.channel = this.token = this.name = this.header = this.avatar = this.placeholder = "";
    this.language = "en";
    this.theme = "auto";
    this.page = this.isLate = this.isDialogsBroken = false;
    this.onclosing = this.consent = this.view = this.dialogs = null;
    this.opening = {};
    this.observer = {};
    this.around = browser;
    this.hiddenText = "";
    this.preferences = preferences();
    this.open = "";
    new WakeOnReturn(this, (isNetworkNew) => this.#chat?.wake(isNetworkNew));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.#challenged);
    if (this.hasUpdated) this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.#challenged);
    clearTimeout(this.#late);
    this.#wait.stop();
    this.#chat?.stop();
    this.#chat = null;
  }

  override focus(): void {
    // The field draws itself a moment after the chat does.
    const field = this.renderRoot.querySelector<DialoomField>("dialoom-field");
    void field?.updateComplete.then(() => field.focus({ preventScroll: true }));
  }

  protected override firstUpdated(): void {
    this.#begin();
    if (this.page && matchMedia("(pointer: fine)").matches) this.focus();
  }

  #begin(): void {
    const { server, bot, channel, token } = this;
    if (!bot || !channel) return;
    const place = { server: server.replace(/\/+$/, ""), bot, channel, ...(token && { token }) };
    const chat = new Chat(place, () => this.#greeting(), () => this.#look(chat), this.around, this.observer);
    this.#chat = chat;
    chat.start();
    this.#look(chat);
  }

  /** Says something in the user's name. */
  async say(text: string): Promise<void> {
    await this.updateComplete;
    this.#chat?.say({ text }, text);
  }

  /** Keeps what is being written for the next page; empty: forgets it. */
  keepDraft(text = ""): void {
    if (this.#chat) this.#chat.draft = text;
  }

  /** Merges into what the bot remembers of the user. */
  async tell(context: Readonly<Record<string, unknown>>): Promise<void> {
    await this.updateComplete;
    await this.#chat?.tell(context);
  }

  /** Goes on with another session: of another user for example. */
  async openAgain(opening: Opening): Promise<void> {
    await this.updateComplete;
    this.opening = opening;
    this.#chat?.stop();
    this.view = null;
    this.open = "";
    this.#isHistory = true;
    this.#arrived.clear();
    this.#begin();
  }

  #greeting(): Opening {
    const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return { locale: navigator.language || locale, timezone: timeZone, ...this.opening };
  }

  #look(chat: Chat): void {
    if (chat !== this.#chat) return;
    const before = this.view;
    const { messages: all, ...rest } = chat.view;
    const messages = this.#range.cut(all, this.#stick.isStuck);
    // Shown a moment later rather than with Markdown's signs in it, but not held up by a file that does not come.
    if (!this.#isLexerTried && needsLexer(...messages.flatMap(textsOf))) {
      void lexerInTime(() => this.requestUpdate()).then(() => {
        this.#isLexerTried = true;
        this.#look(chat);
      });
      return;
    }
    const view = { ...rest, messages: this.#pages.put(messages, rest.parcels) };
    this.view = view;
    this.#wait.watch(view);
    if (view.bot && view.bot !== before?.bot) {
      // In a window of its own the button that opens it wears the look too.
      const root = this.getRootNode();
      applyLook(this.onclosing && root instanceof ShadowRoot ? (root.host as HTMLElement) : this, view.bot.look);
    }
    if (view.connection === before?.connection) return;
    clearTimeout(this.#late);
    this.isLate = false;
    this.#late = setTimeout(() => {
      this.isLate = true;
    }, TELL_AFTER);
  }

  async #showOlder(): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    await this.#older.add(chat, (older) => {
      for (const { clientId, id } of older) this.#arrived.set(clientId ?? id, false);
      this.#look(chat);
      return this.updateComplete;
    });
    this.requestUpdate();
  }

  #loginStatus = (link: string): Promise<LoginStatus> | undefined => this.#chat?.loginStatus(link);
  /** A login's window asks; who may ask is told where it is answered. */
  #challenged = async (event: MessageEvent): Promise<void> => {
    if (!event.data?.challenge) return;
    await this.#loadDialogs();
    await this.dialogs?.answerChallenge(event, this.server, (challenge) => this.#chat?.prove(challenge));
  };

  // -- drawing

  get #name(): string {
    return this.view?.bot?.name || this.name || this.bot;
  }

  get #header(): string {
    return this.view?.bot?.look.header || this.header || this.#name;
  }

  get #words(): Words {
    return wordsFor(this.#language);
  }

  /** The service refused or has not answered yet, and nothing was said before: there is nothing to write to. */
  get #isClosed(): boolean {
    const { connection, bot, messages, parcels } = this.view ?? {};
    if (messages?.length) return false;
    return connection === "refused" || (connection === "reconnecting" && !bot && !parcels?.length && this.isLate);
  }

  get #language(): string {
    return this.view?.bot?.language || this.language || "en";
  }

  override render() {
    const words = this.#words;
    const language = this.#language;
    const name = this.#name;
    const view = this.view;
    return html`
      <section
        class="chat"
        lang=${languageOfWords(language)}
        dir=${directionOf(language)}
        aria-label=${fill(words.chatWith, { name })}
        @keydown=${this.#pressed}
        @dialoom-say=${this.#say}
        @dialoom-choose=${this.#choose}
        @dialoom-open=${this.#openDialog}
        @dialoom-close=${this.#closeDialog}
        @dialoom-ask-file=${() => this.#field?.chooseFiles()}
        @dialoom-attach=${(event: AttachEvent) => this.#chat?.attach(event.files)}
        @dialoom-drop=${(event: DropEvent) => this.#chat?.detach(event.key)}
        @dialoom-again=${(event: DropEvent) => this.#chat?.attachAgain(event.key)}
        @dragenter=${this.#drop.dragged}
        @dragover=${this.#drop.dragged}
        @dragleave=${this.#drop.draggedOut}
        @drop=${this.#drop.dropped}
      >
        <header class="head">
          <div class="column">
            ${this.#avatar()} ${this.page ? html`<h1 class="name" dir="auto">${this.#header}</h1>` : html`<p class="name" dir="auto">${this.#header}</p>`}
            <dialoom-menu
              .words=${words}
              .actions=${this.#menu}
              .preferences=${this.preferences}
              .privacy=${view?.channel.privacyUrl ?? ""}
              .mayErase=${view?.channel.mayErase ?? false}
            ></dialoom-menu>
            ${this.onclosing ? html`<button type="button" class="round close" aria-label=${words.close} title=${words.close} @click=${this.onclosing}>${cross}</button>` : nothing}
          </div>
        </header>
        <div class="body">
          <div class="scroller" role="log" tabindex="0" aria-label=${fill(words.chatWith, { name })} aria-busy=${this.#isHistory || this.#older.isAdding ? "true" : "false"} aria-live=${this.#older.isAdding ? "off" : nothing}>
            <div class="column list">${view ? this.#list(view, words) : nothing}</div>
          </div>
          ${this.#newer(words)}
        </div>
        <div class="foot column" ?hidden=${this.#isClosed}>
          <div class="notice" role="status">${view ? drawNotice(view, this.#status()) : nothing}</div>
          ${view ? consentLine(this.consent, view, words) : nothing}
          <dialoom-field .words=${words} .language=${language} .placeholder=${this.placeholder} .uploads=${view?.uploads ?? []} @input=${() => this.keepDraft(this.#field?.draft)}></dialoom-field>
        </div>
        ${this.#sheet(words)}
        ${this.#drop.isOver ? html`<div class="drop" aria-hidden="true"><span>${words.drop}</span></div>` : nothing}
      </section>
    `;
  }

  #list(view: Shown, words: Words): unknown {
    const found = groups(this.#visible(view.messages), view.parcels);
    if (!found.length && !(view.isTyping && view.bot)) return drawEmpty(view, this.#status());
    const open = answerable(view.messages, view.parcels);
    const choices = open ? this.#choices(open, words) : nothing;
    // The dots stand in the bot's own group when it goes on talking.
    const last = view.isTyping && choices === nothing && found.at(-1)?.from === "bot" ? found.at(-1) : null;
    return html`${repeat(
      found,
      (group) => group.key,
      (group) => this.#group(group, words, group === last ? DOTS : nothing),
    )}${choices}${drawRating(view, words, async (...rating) => this.#chat?.rate(...rating))}${view.isTyping && !last ? html`<div class="group bot fresh" aria-hidden="true">${DOTS}${this.#avatar()}</div>` : nothing}`;
  }

  #visible<M extends Message>(messages: readonly M[]): readonly M[] {
    return this.hiddenText ? messages.filter(({ from, text }) => from === "bot" || text !== this.hiddenText) : messages;
  }

  #group(group: Group, words: Words, dots: unknown): TemplateResult {
    const isBot = group.from === "bot";
    return html`${group.time === null ? nothing : html`<p class="time">${moment(group.time, Date.now(), this.#language)}</p>`}
      ${group.lines[0]?.message?.person ? html`<p class="who" dir="auto">${group.lines[0].message.person}</p>` : nothing}
      <div class="group ${group.from}">
        <span class="unseen">${isBot ? fill(words.said, { name: this.#name }) : words.youSaid}</span>
        ${repeat(
          group.lines,
          (line) => line.key,
          (line) => this.#line(line, words),
        )}
        ${dots} ${isBot ? this.#avatar() : nothing}
      </div>`;
  }

  #line({ key, message, parcel }: Line, words: Words): TemplateResult {
    const state = parcel && parcel.state !== "sent" ? parcel.state : "";
    const at = message?.createdAt;
    const title = at ? moment(Date.parse(at), Date.now(), this.#language) : nothing;
    return html`<div class="line ${state} ${this.#moving(key)}" data-key=${key} lang=${this.#language}>
      ${message?.from === "bot" ? this.#said(message, title) : drawOwn(message, parcel, words, this.#language, title)}
      ${state === "sending" && this.#wait.isSlow ? html`<span class="unseen" aria-live="off">${words.sending}</span>` : nothing}
      ${
        state === "failed" && parcel
          ? html`<button type="button" class="retry" lang=${languageOfWords(this.#language)} @click=${() => this.#chat?.retry(parcel.id)}>
              ${words.failed} · <b>${words.retry}</b>
            </button>`
          : nothing
      }
    </div>`;
  }

  #moving(key: string): string {
    const isMoving = this.#arrived.get(key) ?? !this.#isHistory;
    this.#arrived.set(key, isMoving);
    return isMoving ? "fresh" : "";
  }

  #said(message: Message, title: string | typeof nothing): TemplateResult {
    return drawBots(message, this.#words, this.#language, title, message.dialog?.type === "login" ? this.#login(message) : nothing);
  }

  /** A login's card stands in the log: it can be used as long as its link lives, whatever the user talks of meanwhile. */
  #login(message: Message): unknown {
    const isOld = this.#arrived.get(message.id) === false;
    return this.dialogs?.login(message, this.view?.messages ?? [], isOld, this.#words, this.#language, this.#loginStatus);
  }

  #choices(message: Drawn, words: Words): unknown {
    if (!message.replies.length && !message.dialog && !message.wants) return nothing;
    return html`<dialoom-choices
      class=${this.#moving(`${message.key} choices`)}
      .replies=${message.replies}
      .dialog=${message.dialog ?? null}
      .words=${words}
      .language=${this.#language}
      .isBusy=${this.view?.parcels.some(isPaging) ?? false}
      .wantsFile=${message.wants === "file" && !this.view?.uploads.length}
      .isOpen=${this.open === message.id}
      .dialogs=${this.dialogs}
      .isBroken=${this.isDialogsBroken}
    ></dialoom-choices>`;
  }

  /** The open dialog, as long as its question can be answered. It stands outside of the log: nobody wants it read out. */
  #sheet(words: Words): unknown {
    const question = this.#question;
    const dialog = question?.id === this.open ? question?.dialog : undefined;
    if (!dialog || !question || !this.dialogs) return nothing;
    const findPlaces = (query: string) => this.#chat?.places(query) ?? Promise.reject(new TypeError("The chat is closed."));
    return this.dialogs.sheet(dialog, question.text, words, this.#language, this.#anchor, this.renderRoot.querySelector(".chat"), findPlaces);
  }

  get #question(): Drawn | null {
    return this.view ? answerable(this.view.messages, this.view.parcels) : null;
  }

  #status(): ChatStatus {
    return {
      words: this.#words,
      name: this.#name,
      avatar: this.#avatar(),
      isLate: this.isLate,
      isSlow: this.#wait.isSlow,
      start: () => this.#chat?.start(),
      look: () => this.#chat?.wake(true),
    };
  }

  /** What the menu in the head does. */
  readonly #menu: MenuActions = menuActions(
    () => this.#chat,
    (change) => {
      this.preferences = prefer(change);
    },
    (messages) => talkAsText(this.#visible(messages), this.#name, this.#words, this.#language),
  );

  #newer(words: Words): unknown {
    const isNewsBelow = this.#stick.isStuck ? this.#stick.hasMore : this.#hasNews;
    return isNewsBelow ? drawNewer(words, () => this.#stick.toLast()) : nothing;
  }

  #avatar(): TemplateResult {
    return drawAvatar(this.view?.bot?.avatarUrl ?? this.avatar, this.#name, this.#language);
  }

  // -- after drawing

  #hasNews = false;
  #isLexerTried = false;

  protected override willUpdate(changed: PropertyValues): void {
    this.#speak();
    // Code that a question needs is fetched when the question comes, so that its dialog opens at once.
    const isDialogNeeded = this.#question?.dialog || this.view?.messages.some(({ dialog }) => dialog?.type === "login");
    if (changed.has("view") && isDialogNeeded) void this.#loadDialogs();
    if (this.open && this.open !== this.#question?.id) this.#forgetDialog();
    if (this.#stick.isStuck && !this.#stick.hasMore) this.#hasNews = false;
    const before = changed.get("view") as Shown | null | undefined;
    if (!changed.has("view") || !this.view || !before) return;
    const { hasCome, isSending } = this.#newest.follow(before, this.view);
    if (hasCome) this.#hasNews = true;
    if (hasCome && this.preferences.hasSound) chimeUnlessSeen(this);
    // What the user sends is always looked at.
    if (isSending) this.#stick.isStuck = true;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("preferences")) this.style.setProperty("--text-zoom", String(this.preferences.size));
    const view = this.view;
    if (!changed.has("view") || !view) return;
    if (view.bot && this.#field && this.#chat) this.#field.draft = this.#chat.draft;
    if (this.#isHistory && view.bot) {
      // What was there before is neither read out nor moved in: it is simply there.
      this.#isHistory = false;
      this.requestUpdate();
      this.#stick.toEnd(false);
    } else if (this.#stick.isStuck) this.#follow();
  }

  /** Goes where the newest answer begins; once a rating is asked for, there, unless the answer is too long to be read at once. */
  #follow(): void {
    const line = this.renderRoot.querySelector<HTMLElement>(`[data-key="${CSS.escape(this.#newest.key)}"]`);
    const answer = line?.querySelector<HTMLElement>(".retry") ?? line;
    const rating = this.renderRoot.querySelector<HTMLElement>("dialoom-rating");
    this.#stick.toAnswer(rating && (!answer || this.#stick.hasRoomFor(answer, rating)) ? rating : answer);
  }

  #spoken = "";

  /** Gets the words of the bot's language; a first drawing in English is all that is lost. */
  #speak(): void {
    const language = this.#language;
    if (language === this.#spoken) return;
    this.#spoken = language;
    void loadWords(language, this.server.replace(/\/+$/, "")).then(() => this.requestUpdate());
  }

  // -- dialogs

  #anchor: HTMLElement | null = null;

  async #loadDialogs(): Promise<void> {
    if (this.dialogs || !DialoomChat.loadDialogs) return;
    try {
      const [part] = await Promise.all([DialoomChat.loadDialogs(), loadLexer()]);
      part.define();
      this.dialogs = part;
      this.isDialogsBroken = false;
    } catch (error) {
      // What the browser says of code that did not come; the question can still be answered in words.
      if (!(error instanceof TypeError)) throw error;
      this.isDialogsBroken = true;
    }
  }

  async #openDialog(event: OpenEvent): Promise<void> {
    this.#anchor = event.anchor;
    const id = this.#question?.id ?? "";
    await this.#loadDialogs();
    if (this.dialogs && id === this.#question?.id) this.open = id;
  }

  #closeDialog(): void {
    this.open = "";
  }

  /** The question is over while its dialog is open: the focus would be lost with it. */
  #forgetDialog(): void {
    this.open = "";
    if (matchMedia("(pointer: fine)").matches) void this.updateComplete.then(() => this.focus());
  }

  // -- acting

  get #field(): DialoomField | null {
    return this.renderRoot.querySelector("dialoom-field");
  }

  #say(event: SayEvent): void {
    // A picture with words to it: the picture first, as the words speak of it.
    this.#chat?.sendFiles();
    if (event.text) this.#chat?.say({ text: event.text }, event.text);
    this.keepDraft("");
  }

  #choose(event: ChooseEvent): void {
    this.open = "";
    this.#chat?.say(event.content, event.shown);
    // The next page stands where this one did, and so does the focus.
    if (this.view?.parcels.some(isPaging)) return;
    // The button goes away and with it the focus. On a phone the field would open the keyboard: only keys and mice go there.
    if (event.isByKey || matchMedia("(pointer: fine)").matches) this.focus();
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.onclosing && !this.open) this.onclosing();
  }
}

export function define(dialogs: LoadDialogs): void {
  if (customElements.get("dialoom-chat")) return;
  DialoomChat.loadDialogs = dialogs;
  customElements.define("dialoom-field", DialoomField);
  customElements.define("dialoom-choices", DialoomChoices);
  customElements.define("dialoom-menu", DialoomMenu);
  customElements.define("dialoom-rating", DialoomRating);
  customElements.define("dialoom-chat", DialoomChat);
}
