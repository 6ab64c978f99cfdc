// <studio-transcript>: one conversation turn by turn, with what was understood of each message, and what can be done with it.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import { type Api, Refused } from "../api";
import { OpenPathEvent, TryEvent } from "../events";
import { back, play } from "../icons";
import { failureNotice, NoticeEvent } from "../notice";
import { controls, states, text } from "../shared-styles";
import { moment, time } from "../time";
import { words as frame } from "../words";
import { exportAddress, type Message, replay, type Row, transcript } from "./api";
import type { StudioEraseUser } from "./erase-user";
import { finds, nameOf, offered, plain } from "./names";
import { status } from "./styles";
import { words } from "./words";

const MASK = "***";

export class StudioTranscript extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    conversation: {},
    /** Changes when the conversation may have more messages. */
    beat: { type: Number },
    mayErase: { type: Boolean },
    mayTry: { type: Boolean },
    row: { state: true },
    messages: { state: true },
    next: { state: true },
    problem: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    states,
    status,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-block-size: 0;
        block-size: 100%;
      }

      header {
        padding: 12px 16px;
        border-block-end: 1px solid var(--line);
      }

      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 10px;
      }

      .line h2 {
        min-inline-size: 0;
        margin-inline-end: auto;
        overflow-wrap: anywhere;
      }

      .facts {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 14px;
        margin: 6px 0 0;
        color: var(--quiet);
        font-size: 12.5px;
        line-height: 18px;
      }

      .facts div {
        display: flex;
        gap: 5px;
        min-inline-size: 0;
      }

      .facts dd {
        margin: 0;
        color: var(--text);
        overflow-wrap: anywhere;
      }

      .acts {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        margin-block-start: 10px;
      }

      .back {
        display: none;
        margin-inline-start: -8px;
      }

      :host([alone]) .back {
        display: inline-flex;
      }

      .log {
        flex: 1;
        min-block-size: 0;
        padding: 16px;
        overflow-y: auto;
        position: relative;
        overscroll-behavior: contain;
        scrollbar-width: thin;
        scrollbar-color: var(--line-strong) transparent;
      }

      ol {
        display: flex;
        flex-direction: column;
        gap: 4px;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        max-inline-size: 86%;
      }

      li.user {
        align-self: flex-end;
        margin-block: 10px 6px;
      }

      .said {
        inline-size: fit-content;
        max-inline-size: 68ch;
        padding: 7px 12px;
        border-radius: 14px;
        background: var(--raised);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        unicode-bidi: plaintext;
      }

      .person {
        margin: 6px 4px 2px;
        color: var(--quiet);
        font-size: 12px;
        font-weight: 600;
      }

      .user .said {
        margin-inline-start: auto;
        background: var(--brand-quiet);
      }

      .under {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 2px 8px;
        min-block-size: 20px;
        padding: 2px 4px;
        color: var(--quiet);
        font-size: 12px;
        line-height: 18px;
      }

      .user .under {
        justify-content: flex-end;
      }

      .find {
        padding: 0 6px;
        border: 1px solid var(--line);
        border-radius: 5px;
        color: var(--text);
        overflow-wrap: anywhere;
      }

      .find b {
        color: var(--quiet);
        font-weight: 500;
      }

      .under .plain {
        min-block-size: 22px;
        padding: 0 6px;
        font-size: 12px;
        line-height: 18px;
      }

      .under svg {
        inline-size: 13px;
      }

      .missed {
        color: var(--danger);
        font-weight: 500;
      }

      .options {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        padding: 4px 0 2px;
      }

      .options span {
        padding: 1px 9px;
        border: 1px solid var(--line);
        border-radius: 10px;
        color: var(--quiet);
        font-size: 12.5px;
        overflow-wrap: anywhere;
      }

      a.button {
        color: var(--text);
      }

      .error {
        inline-size: fit-content;
        margin-block-start: 4px;
        padding: 6px 10px;
        border-inline-start: 3px solid var(--danger);
        background: var(--raised);
        font-size: 13px;
        overflow-wrap: anywhere;
      }

      .end {
        padding-block: 16px 4px;
        color: var(--quiet);
        font-size: 12.5px;
        text-align: center;
      }

      @media (pointer: coarse) {
        .under .plain {
          min-block-size: 40px;
        }
      }
    `,
  ];

  declare api: Api;
  declare bot: string;
  /** The conversation's id. */
  declare conversation: string;
  declare beat: number;
  declare mayErase: boolean;
  declare mayTry: boolean;
  declare row: Row | null;
  declare messages: readonly Message[];
  declare next: number | null;
  declare problem: Refused | null;
  #asked = 0;

  constructor() {
    super();
    this.bot = this.conversation = "";
    this.beat = 0;
    this.mayErase = this.mayTry = false;
    this.#clear();
  }

  #clear(): void {
    this.row = this.problem = this.next = null;
    this.messages = [];
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("conversation") || changed.has("bot")) {
      this.#clear();
      this.#asked += 1;
      if (this.conversation) void this.#load(0);
    } else if (changed.has("beat") && this.row && this.next === null && !this.#eraser?.row) {
      void this.#load(this.messages.at(-1)?.Sequence ?? 0);
    }
  }

  async #load(after: number): Promise<void> {
    const asked = ++this.#asked;
    try {
      const found = await transcript(this.api, this.bot, this.conversation, after);
      if (asked !== this.#asked) return;
      const log = this.renderRoot.querySelector(".log");
      const isAtEnd = after > 0 && log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < 40;
      this.row = found.conversation;
      this.messages = after ? [...this.messages, ...found.messages] : found.messages;
      this.next = found.next;
      this.problem = null;
      if (!isAtEnd || !found.messages.length) return;
      await this.updateComplete;
      log.scrollTop = log.scrollHeight;
    } catch (error) {
      // What was shown stays; who follows a conversation is told by the list that the service is away.
      // Whose user is being erased here stays until the receipt is closed.
      if (asked === this.#asked && !this.#eraser?.row && (!this.row || (error as Refused).status === 404)) this.problem = error as Refused;
    }
  }

  #try = async (to: number | null): Promise<void> => {
    try {
      const found = await replay(this.api, this.bot, this.conversation, to);
      const hidden = found.turns.filter((turn) => turn.isMasked).length;
      if (!found.turns.length) this.dispatchEvent(new NoticeEvent(words.noTurns));
      if (hidden) this.dispatchEvent(new NoticeEvent(words.tried(hidden)));
      const turns = found.turns.filter((turn) => !turn.isMasked).map(({ sequence: _, isMasked: __, ...said }) => said);
      if (turns.length) this.dispatchEvent(new TryEvent({ on: found.version, channel: found.channel, calls: "mocked", turns, conversation: this.conversation }));
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  };

  override render() {
    if (this.problem) return this.#problem(this.problem);
    const { row } = this;
    if (!row) return html`<div class="log" aria-busy="true"></div>`;
    return html`<header>
        <div class="line">
          <button type="button" class="plain back" @click=${() => this.dispatchEvent(new Event("studio-back"))}>${back}${words.back}</button>
          <h2 tabindex="-1">${nameOf(row)}</h2>
          <span class="status ${row.Status}">${words.status[row.Status] ?? row.Status}</span>
        </div>
        ${this.#facts(row)}
        <div class="acts">
          ${this.mayTry ? html`<button type="button" class="button" @click=${() => this.#try(null)}>${play}${words.tryWhole}</button>` : nothing}
          <a class="button" href=${exportAddress(this.bot, this.conversation)} download title=${words.exportHelp}>${words.export}</a>
          ${this.mayErase ? html`<button type="button" class="plain bad" @click=${this.#erase}>${words.erase}</button>` : nothing}
        </div>
      </header>
      <div class="log" role="region" tabindex="0" aria-label=${words.transcript}>
        <ol>
          ${this.messages.map((message) => this.#message(message))}
        </ol>
        ${this.next !== null
          ? html`<p class="end"><button type="button" class="button" @click=${() => this.#load(this.next ?? 0)}>${words.olderMessages}</button></p>`
          : row.EndedAt === null
            ? html`<p class="end">${words.stillRunning}</p>`
            : html`<p class="end"><span class="status ${row.Status}">${words.status[row.Status] ?? row.Status}</span> · ${moment(row.EndedAt)}</p>`}
      </div>
      <studio-erase-user .api=${this.api} .bot=${this.bot}></studio-erase-user>`;
  }

  #facts(row: Row) {
    const { rating } = row.Data;
    const facts: (readonly [string, unknown])[] = [
      [words.facts.user, html`<code>${row.User}</code>`],
      [words.facts.channel, row.Data.channel?.Name ? `${row.Channel} · ${row.Data.channel.Name}` : row.Channel],
      [words.facts.version, html`<code>${row.FlowVersion.slice(0, 7) || "–"}</code>`],
      [words.facts.started, moment(row.StartedAt)],
      ...(rating ? [[words.facts.rating, `${rating.score}/5${rating.comment ? ` · ${rating.comment}` : ""}`] as const] : []),
    ];
    return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  get #eraser(): StudioEraseUser | null {
    return this.renderRoot.querySelector("studio-erase-user");
  }

  #erase = (): void => {
    if (this.row) this.#eraser?.open(this.row);
  };

  #message(message: Message) {
    const isUser = message.From === "user";
    return html`<li class=${message.From}>
      <span class="unseen">${isUser ? words.user : (message.Person ?? words.bot)}:</span>
      ${message.Person ? html`<p class="person" aria-hidden="true">${message.Person}</p>` : nothing}
      ${this.#said(message)} ${isUser ? this.#understood(message) : this.#fromBot(message)}
      ${message.Error ? html`<p class="error"><span class="bad">${words.failure}:</span> ${message.Error}</p>` : nothing}
    </li>`;
  }

  #said({ Type, Text, Payload }: Message) {
    const payload = (typeof Payload === "object" && Payload !== null ? Payload : {}) as Record<string, unknown>;
    if (Text === MASK) return html`<div class="said quiet" title=${words.masked}>•••••• <span class="unseen">${words.masked}</span></div>`;
    if (Type === "location") return html`<div class="said">${words.place}: ${Text || `${payload["latitude"]}, ${payload["longitude"]}`}</div>`;
    if (Type === "file") {
      const names = Array.isArray(Payload) ? (Payload as { name?: string }[]).map(({ name }) => name).filter(Boolean) : [];
      return html`<div class="said">${words.file}: ${[...names, Text].filter(Boolean).join(" · ")}</div>`;
    }
    if (Type === "option") return html`<div class="said" title=${words.chose}>${Text || plain(payload["value"] ?? payload["keys"] ?? "")}</div>`;
    return Text ? html`<div class="said">${Text}</div>` : nothing;
  }

  #understood(message: Message) {
    const shown = message.Text || message.Type;
    return html`<div class="under">
      ${message.Understood === false ? html`<span class="missed">${words.missedMessage}</span>` : nothing}
      ${finds(message).map(({ type, value, confidence }) => html`<span class="find" title=${words.understood}><b>${type}</b> ${value} <b>${confidence}</b></span>`)}
      <time datetime=${message.CreatedAt} title=${moment(message.CreatedAt)}>${time(message.CreatedAt)}</time>
      ${this.mayTry
        ? html`<button type="button" class="plain" aria-label=${words.tryHereOf(shown)} @click=${() => this.#try(message.Sequence)}>${play}${words.tryHere}</button>`
        : nothing}
    </div>`;
  }

  #fromBot(message: Message) {
    const payload = (message.Payload ?? {}) as { dialog?: { type?: string }; loggedIn?: boolean; wants?: string };
    const notes = [payload.dialog?.type === "login" && words.login, payload.loggedIn && words.loggedIn, payload.wants === "file" && words.wantsFile].filter(Boolean);
    const options = offered(message);
    const { Step: step } = message;
    return html`${options.length ? html`<div class="options" role="group" aria-label=${words.offered}>${options.map((title) => html`<span>${title}</span>`)}</div>` : nothing}
      ${notes.length || step?.includes("/")
        ? html`<div class="under">
            ${notes.map((note) => html`<span class="find">${note}</span>`)}
            ${step?.includes("/") ? html`<button type="button" class="plain" aria-label=${words.step(step)} title=${words.step(step)} @click=${() => this.dispatchEvent(new OpenPathEvent(pathOf(step)))}><code>${step}</code></button>` : nothing}
          </div>`
        : nothing}`;
  }

  #problem(problem: Refused) {
    const isGone = problem.status === 404;
    return html`<div class="line"><button type="button" class="plain back" @click=${() => this.dispatchEvent(new Event("studio-back"))}>${back}${words.back}</button></div>
      <div class="problem" role="alert">
        <h2 tabindex="-1">${isGone ? words.notFound : problem.message}</h2>
        ${isGone ? html`<p class="quiet">${words.notFoundHelp}</p>` : html`<button type="button" class="button" @click=${() => void this.#load(0)}>${frame.tryAgain}</button>`}
      </div>`;
  }
}

/** Where a record's step (`conversation/index`) stands in flow.json. */
export function pathOf(step: string): string {
  const at = step.lastIndexOf("/");
  return `conversations/${step.slice(0, at)}/steps/${step.slice(at + 1)}`;
}
