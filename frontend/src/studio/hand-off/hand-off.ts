// <studio-hand-off>: the queue of chats that wait for a person, one chat with its answer field, and notes beside it. What is
// new is asked for every two seconds.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import { base } from "../../view/tokens";
import { chime } from "../../view/sound";
import type { Api, Visit } from "../api";
import { plain } from "../conversations/names";
import { type Command, GoEvent } from "../events";
import { failureNotice, NoticeEvent } from "../notice";
import { controls, states, text } from "../shared-styles";
import { type Action, act, type Chat, chat, type HandOff, joined, type Listed, listed, newId } from "./api";
import { styles } from "./styles";
import { clock } from "../time";
import { words as common } from "../words";
import { age, words } from "./words";

const EVERY = 2000;
/** Characters that are shown of the id of a user who has no name. */
const MAX_ID = 12;
const QUIET = "dialoom:studio:hand-off-quiet";

/** What a person typed in a chat and has not sent, by `#key`: it waits while the person looks elsewhere. */
const typed = new Map<string, string>();

export class StudioHandOff extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    found: { state: true },
    open: { state: true },
    chat: { state: true },
    me: { state: true },
    isQuiet: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };

  static override styles = [base, controls, text, states, styles];

  declare api: Api;
  declare bot: string;
  declare found: Listed | null;
  /** Id of the chat that is shown. */
  declare open: string;
  declare chat: Chat | null;
  /** Who is signed in. */
  declare me: Visit | null;
  declare isQuiet: boolean;
  declare isBusy: boolean;
  /** Why the service does not answer. */
  declare problem: string;
  /** How many messages of each chat's user were seen here. */
  readonly #seen = new Map<string, number>();
  /** The answer of a chat that may not have come through: sent again under the same id it goes out once. */
  readonly #sending = new Map<string, { readonly text: string; readonly id: string }>();
  readonly #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How often the list and a chat were asked for: an answer that a later one has overtaken is not taken. */
  #asked = 0;
  #reads = 0;
  #isFirst = true;

  constructor() {
    super();
    this.found = this.chat = null;
    this.open = this.problem = "";
    this.me = null;
    this.isQuiet = localStorage.getItem(QUIET) !== null;
    this.isBusy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#pressed);
    void this.#begin();
  }

  async #begin(): Promise<void> {
    try {
      this.me = await this.api.visit();
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
    await this.#look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#pressed);
    clearTimeout(this.#timer);
    this.#entitle(0);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("bot") || changed.get("bot") === undefined) return;
    this.found = this.chat = null;
    this.open = this.problem = "";
    this.#isFirst = true;
    void this.#look();
  }

  commands(): Command[] {
    const waiting = this.#of("waiting");
    return waiting.map((one) => ({ title: `${words.take}: ${nameOf(one)}`, run: () => void this.#choose(one.id).then(() => this.#take()) }));
  }

  // -- what is new

  #look = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const { bot } = this;
    const asked = ++this.#asked;
    try {
      if (bot) {
        const found = await listed(this.api, bot);
        if (asked !== this.#asked) return;
        this.found = found;
        this.problem = "";
        this.#tellWaiting();
        await this.#read();
      }
    } catch (error) {
      if (asked !== this.#asked) return;
      this.problem = (error as Error).message;
    }
    this.#isFirst = false;
    clearTimeout(this.#timer);
    if (this.isConnected) this.#timer = setTimeout(this.#look, EVERY);
  };

  /** Reads on in the chat that is shown. */
  async #read(): Promise<void> {
    const id = this.open;
    if (!id) return;
    const row = this.found?.handOffs.find((one) => one.id === id);
    if (!row) {
      this.#leave();
      this.dispatchEvent(new NoticeEvent(words.over));
      return;
    }
    const before = this.chat?.handOff.id === id ? this.chat : null;
    const read = ++this.#reads;
    const more = await chat(this.api, this.bot, id, before?.next ?? 0).catch(() => null);
    if (!more || this.open !== id || read !== this.#reads) return;
    const isNew = !before || more.messages.length > 0;
    this.chat = before ? { ...more, messages: joined(before.messages, more.messages) } : more;
    if (document.visibilityState === "visible") this.#seen.set(id, more.handOff.heard);
    if (isNew) void this.updateComplete.then(() => this.renderRoot.querySelector(".lines > :last-child")?.scrollIntoView({ block: "end" }));
  }

  #tellWaiting(): void {
    const waiting = this.#of("waiting");
    const isNew = waiting.some(({ id }) => !this.#waiting.has(id));
    this.#waiting.clear();
    for (const { id } of waiting) this.#waiting.add(id);
    if (isNew && !this.isQuiet && !this.#isFirst) chime();
    this.#entitle(waiting.length);
  }

  #entitle(waiting: number): void {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = waiting ? `(${waiting}) ${title}` : title;
  }

  // -- acting

  #of(part: "waiting" | "mine" | "others"): readonly HandOff[] {
    return (this.found?.handOffs ?? []).filter(({ person }) => (person === null ? "waiting" : person.id === this.me?.person ? "mine" : "others") === part);
  }

  get #shown(): readonly HandOff[] {
    return [...this.#of("waiting"), ...this.#of("mine"), ...this.#of("others")];
  }

  async #choose(id: string): Promise<void> {
    if (id !== this.open) this.chat = null;
    this.open = id;
    await this.#read();
  }

  /** The focus goes to the chat's row, else to the room. */
  #leave = (): void => {
    const id = this.open;
    this.open = "";
    this.chat = null;
    void this.updateComplete.then(() => {
      const row = [...this.renderRoot.querySelectorAll<HTMLElement>(".row")].find((one) => one.dataset["id"] === id);
      (row ?? this.renderRoot.querySelector("h1"))?.focus();
    });
  };

  async #do(action: Action, more: { text?: string; queue?: string } = {}, actId = newId()): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    const id = this.open;
    try {
      const { since } = this.chat?.handOff ?? this.found?.handOffs.find((one) => one.id === id) ?? {};
      await act(this.api, this.bot, id, action, since ? { ...more, since } : more, actId);
      if (this.open === id && (action === "give-back" || action === "pass-on")) this.#leave();
      return true;
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
      return false;
    } finally {
      this.isBusy = false;
      void this.#look();
    }
  }

  async #take(): Promise<void> {
    if (!(await this.#do("take"))) return;
    // The field is there when the service has said whose the chat is.
    await this.#look();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLTextAreaElement>(".write textarea")?.focus();
  }

  #key(what: "answer" | "note"): string {
    return `${this.me?.person} ${this.open} ${what}`;
  }

  /** What was typed since stays. */
  #sent(key: string, said: string): void {
    if (typed.get(key)?.trim() === said) typed.delete(key);
    this.requestUpdate();
  }

  async #send(): Promise<void> {
    const id = this.open;
    const key = this.#key("answer");
    const said = typed.get(key)?.trim();
    if (!said) return;
    const before = this.#sending.get(id);
    const sending = before?.text === said ? before : { text: said, id: newId() };
    this.#sending.set(id, sending);
    if (!(await this.#do("answer", { text: said }, sending.id))) return;
    this.#sending.delete(id);
    this.#sent(key, said);
  }

  #pressed = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && (isTyping || this.open)) {
      if (isTyping) target.blur();
      else this.#leave();
      return;
    }
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const shown = this.#shown;
      const at = shown.findIndex(({ id }) => id === this.open);
      const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))];
      if (!next) return;
      event.preventDefault();
      void this.#choose(next.id);
    } else if (event.key.toLowerCase() === "t" && this.#shown.some(({ id, person }) => id === this.open && person === null)) {
      event.preventDefault();
      void this.#take();
    }
  };

  // -- drawing

  protected override render(): unknown {
    return html`<header class="head">
        <h1 tabindex="-1">${words.title}</h1>
        ${this.found && this.problem ? html`<span class="away" role="status" title=${this.problem}>${words.notLive}</span>` : nothing}
        <label><input type="checkbox" .checked=${!this.isQuiet} @change=${this.#quieten} />${words.sound}</label>
        <span class="quiet">${words.answeringAs(this.me?.name ?? "")}</span>
      </header>
      ${this.found
        ? html`<div class="panes ${this.open ? "open" : this.found.handOffs.length ? "" : "alone"}">
            <nav class="queue" aria-label=${words.queue}>${this.#queue(this.found)}</nav>
            ${this.chat ? keyed(this.open, [this.#chat(this.chat), this.#about(this.chat)]) : this.found.handOffs.length ? this.#none() : nothing}
          </div>`
        : this.problem
          ? html`<div class="problem" role="alert">
              <h2>${words.notLoaded}</h2>
              <p class="quiet">${this.problem}</p>
              <button type="button" class="button" @click=${this.#look}>${common.tryAgain}</button>
            </div>`
          : nothing}`;
  }

  #none(): TemplateResult {
    return html`<div class="chat"><p class="empty quiet"><strong>${words.choose}</strong><br />${words.chooseHelp}</p></div>`;
  }

  #queue(found: Listed): unknown {
    if (!found.handOffs.length) {
      const [title, help] = found.queues.length ? [words.nobodyWaits, words.nobodyWaitsHelp] : [words.noQueue, words.noQueueHelp];
      return html`<p class="empty quiet"><strong>${title}</strong><br />${help}</p>`;
    }
    const now = Date.parse(found.now);
    return (["waiting", "mine", "others"] as const).map((part) => {
      const rows = this.#of(part);
      if (!rows.length) return nothing;
      return html`<h2>${words[part]} (${rows.length})</h2>
        ${repeat(
          rows,
          ({ id }) => id,
          (row) => this.#row(row, now),
        )}`;
    });
  }

  #row(row: HandOff, now: number): TemplateResult {
    const unread = row.person && row.person.id !== this.me?.person ? 0 : row.heard - (this.#seen.get(row.id) ?? 0);
    return html`<button type="button" class="row" data-id=${row.id} aria-current=${row.id === this.open} @click=${() => this.#choose(row.id)}>
      <span class="name">${nameOf(row)}</span><span class="quiet">${age(now - Date.parse(row.lastAt))}</span>
      <span class="quiet">${row.lastText || words.noText}</span>
      ${unread > 0 ? html`<span class="unread" aria-label=${words.unread(unread)}>${unread}</span>` : html`<span></span>`}
      <span class="quiet">${row.queue} · ${row.channel}${row.person ? ` · ${words.with(row.person.name)}` : ` · ${words.since(clock(row.since))}`}</span>
    </button>`;
  }

  #chat({ handOff, messages }: Chat): TemplateResult {
    const isMine = this.me !== null && handOff.person?.id === this.me.person;
    const queues = (this.found?.queues ?? []).filter((queue) => queue !== handOff.queue || isMine);
    return html`<section class="chat" aria-label=${words.chat}>
      <div class="bar">
        <button type="button" class="plain back" @click=${this.#leave}>${words.back}</button>
        <span class="name">${nameOf(handOff)}</span>
        ${handOff.person ? nothing : html`<button type="button" class="button main" ?disabled=${this.isBusy} @click=${this.#take}>${words.take}</button>`}
        ${
          isMine
            ? html`<select aria-label=${words.passOn} @change=${this.#passOn}>
                  <option value="">${words.passOn}</option>
                  ${queues.map((queue) => html`<option value=${queue}>${queue}</option>`)}
                </select>
                <button type="button" class="button" ?disabled=${this.isBusy} @click=${() => this.#do("give-back")}>${words.giveBack}</button>`
            : nothing
        }
      </div>
      <div class="lines" role="log" aria-label=${words.chat} tabindex="0">
        ${repeat(
          messages,
          ({ id }) => id,
          (line) => html`<div class="line-of ${line.from} ${line.person ? "person" : ""}" dir="auto">
            <span class="by">${line.from === "user" ? nameOf(handOff) : (line.person ?? words.bot)} · ${clock(line.at)}</span><span class="said">${line.text || words.noText}</span>
          </div>`,
        )}
      </div>
      ${isMine ? this.#field(handOff) : html`<p class="write quiet">${handOff.person ? words.theirs(handOff.person.name) : words.takeFirst}</p>`}
    </section>`;
  }

  #field({ until }: HandOff): TemplateResult {
    const key = this.#key("answer");
    return html`<div class="write">
      <div class="line">
        <textarea
          rows="2"
          maxlength="4000"
          aria-label=${words.answer}
          placeholder=${words.answer}
          .value=${typed.get(key) ?? ""}
          @input=${(event: Event) => typed.set(key, (event.target as HTMLTextAreaElement).value)}
          @keydown=${this.#enter}
        ></textarea>
        <button type="button" class="button main" ?disabled=${this.isBusy} @click=${this.#send}>${words.send}</button>
      </div>
      <span class="hint">${words.answerHint}. ${words.silentUntil(clock(until))}</span>
    </div>`;
  }

  #about({ handOff, notes, memory }: Chat): TemplateResult {
    const key = this.#key("note");
    const known = Object.entries({ ...memory.context, ...memory.entities });
    return html`<aside class="about" aria-label=${words.about} tabindex="0">
      <h2>${words.notes}</h2>
      ${notes.length ? notes.map(({ at, name, text }) => html`<p class="note" dir="auto"><span class="hint">${name} · ${clock(at)}</span><br /><span class="said">${text}</span></p>`) : html`<p class="quiet">${words.noNotes}</p>`}
      <form @submit=${this.#addNote}>
        <textarea
          name="note"
          rows="2"
          maxlength="4000"
          aria-label=${words.note}
          placeholder=${words.note}
          .value=${typed.get(key) ?? ""}
          @input=${(event: Event) => typed.set(key, (event.target as HTMLTextAreaElement).value)}
        ></textarea>
        <button class="button" ?disabled=${this.isBusy}>${words.addNote}</button>
      </form>
      <h2>${words.known}</h2>
      ${known.length ? html`<dl>${known.map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${plain(value)}</dd>`)}</dl>` : html`<p class="quiet">${words.nothingKnown}</p>`}
      ${handOff.conversation ? html`<button type="button" class="plain" @click=${() => this.#openConversation(handOff)}>${words.openConversation}</button>` : nothing}
    </aside>`;
  }

  #enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void this.#send();
  };

  #addNote = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const key = this.#key("note");
    const said = typed.get(key)?.trim();
    if (said && (await this.#do("note", { text: said }))) this.#sent(key, said);
  };

  #passOn = (event: Event): void => {
    const field = event.target as HTMLSelectElement;
    const queue = field.value;
    field.value = "";
    if (queue) void this.#do("pass-on", { queue });
  };

  #openConversation({ conversation }: HandOff): void {
    this.dispatchEvent(new GoEvent({ room: "conversations", query: new URLSearchParams({ id: conversation }).toString() }));
  }

  #quieten = (event: Event): void => {
    this.isQuiet = !(event.target as HTMLInputElement).checked;
    if (this.isQuiet) localStorage.setItem(QUIET, "1");
    else localStorage.removeItem(QUIET);
  };
}

function nameOf({ userName, user }: HandOff): string {
  return userName || (user.length > MAX_ID ? `${user.slice(0, MAX_ID)}…` : user);
}
