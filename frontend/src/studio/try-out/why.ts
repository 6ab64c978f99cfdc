// <studio-why>: why a bot said what it said. Of each turn what was understood, the steps in the order in which they were visited,
// what came of each, and what it changed, called and said. A step leads to its row in Build.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Message } from "../../protocol/wire";
import { base } from "../../view/tokens";
import { OpenPathEvent, type Said } from "../events";
import { back } from "../icons";
import type { Outline } from "../outline";
import { controls, text } from "../shared-styles";
import type { Called, Changed, Entry, Reading, Turn, Understood, Visited } from "./api";
import { words } from "./words";

/** Goes back to the end of a turn: `count` turns are kept. */
export class RewindEvent extends Event {
  constructor(readonly count: number) {
    super("studio-rewind", { bubbles: true, composed: true });
  }
}

/** A step that was visited, with all that it did. */
interface Visit {
  readonly visited: Visited | null;
  readonly did: readonly Entry[];
}

const MAX_SHOWN_CHARS = 120;

export class StudioWhy extends LitElement {
  static override properties = {
    turns: { attribute: false },
    outline: { attribute: false },
    differsAt: { type: Number },
    canRewind: { type: Boolean },
  };

  static override styles = [
    base,
    controls,
    text,
    css`
      :host {
        display: block;
      }

      .empty {
        padding: 32px 24px;
        color: var(--quiet);
        text-align: center;
        text-wrap: balance;
      }

      details.turn {
        border-block-end: 1px solid var(--line);
      }

      summary {
        display: flex;
        align-items: center;
        gap: 8px;
        min-block-size: 40px;
        padding: 6px 16px;
        cursor: pointer;
        list-style: none;
      }

      summary::-webkit-details-marker {
        display: none;
      }

      summary::before {
        content: "";
        flex: none;
        inline-size: 6px;
        block-size: 6px;
        border: solid var(--quiet);
        border-width: 0 1.5px 1.5px 0;
        rotate: -45deg;
        transition: rotate var(--quick) var(--ease);
      }

      details[open] > summary::before {
        rotate: 45deg;
      }

      summary:focus-visible {
        outline-offset: -2px;
      }

      .said {
        flex: 1;
        min-inline-size: 0;
        overflow: hidden;
        font-weight: 500;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .number {
        flex: none;
        color: var(--quiet);
        font-size: 12px;
      }

      .other > summary {
        background: var(--brand-quiet);
      }

      .body {
        padding: 0 16px 14px 30px;
      }

      h3 {
        margin-block: 8px 4px;
        color: var(--quiet);
        font-size: 12px;
        font-weight: 500;
        line-height: 16px;
      }

      ol,
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        overflow-wrap: anywhere;
      }

      .step {
        padding-block: 5px;
      }

      .step + .step {
        border-block-start: 1px solid var(--line);
      }

      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 8px;
      }

      .head a {
        min-inline-size: 0;
        color: var(--text);
        font-weight: 500;
        text-decoration-color: var(--line-strong);
      }

      .passed .head a {
        color: var(--quiet);
        font-weight: 400;
      }

      .outcome {
        color: var(--quiet);
        font-size: 13px;
      }

      .failed .outcome {
        color: var(--danger);
      }

      .did {
        padding-inline-start: 12px;
        font-size: 13px;
        line-height: 20px;
      }

      .did .quiet {
        margin-inline-end: 4px;
      }

      .condition code {
        padding: 1px 5px;
        border-radius: 5px;
        background: var(--raised);
      }

      .reading .quiet {
        font-size: 13px;
      }

      .bad {
        color: var(--danger);
      }

      .back {
        margin: 6px 0 0 -8px;
      }
    `,
  ];

  declare turns: readonly Turn[];
  /** The flow's steps by path, for their titles. */
  declare outline: Outline | null;
  /** Position of the first turn that a replay has changed; -1 for none. */
  declare differsAt: number;
  declare canRewind: boolean;

  constructor() {
    super();
    this.turns = [];
    this.outline = null;
    this.differsAt = -1;
    this.canRewind = false;
  }

  override render() {
    if (!this.turns.length) return html`<p class="empty">${words.noTurns}</p>`;
    return this.turns.map((turn, at) => this.#turn(turn, at));
  }

  #turn(turn: Turn, at: number): TemplateResult {
    const isLast = at === this.turns.length - 1;
    const number = numberOf(this.turns, at);
    const understood = turn.trace.filter((entry) => entry.kind === "understood");
    const visits = visitsOf(turn.trace);
    return html`<details class="turn ${at === this.differsAt ? "other" : ""}" ?open=${isLast}>
      <summary><span class="said" dir="auto">${saidIn(turn.user, turn.messages)}</span><span class="number">${number ? words.message(number) : nothing}</span></summary>
      <div class="body">
        ${understood.length ? html`<h3>${words.understood}</h3>${understood.map((entry) => this.#understood(entry))}` : nothing}
        <h3>${words.steps}</h3>
        ${visits.length ? html`<ol>${visits.map((visit) => this.#visit(visit))}</ol>` : html`<p class="quiet">${words.noSteps}</p>`}
        ${this.canRewind && !isLast
          ? html`<button type="button" class="plain back" aria-label=${words.goBackTo(number)} @click=${() => this.dispatchEvent(new RewindEvent(at + 1))}>${back}${words.goBack}</button>`
          : nothing}
      </div>
    </details>`;
  }

  #understood(entry: Understood): TemplateResult {
    const { taken = [], offered = [], unused = [], reopened = [], refused = [], row = "" } = entry;
    return html`<p class=${entry.meant === "nothing" ? "bad" : ""}>${words.meant[entry.meant] ?? entry.meant}${entry.question ? html` · ${this.#link(entry.question)}` : nothing}</p>
      <ul class="did">
        ${taken.map((reading) => this.#reading(reading, ""))} ${offered.map((reading) => this.#reading(reading, words.offered))}
        ${unused.map((reading) => this.#reading(reading, words.unused))}
        ${words.rows[row] ? html`<li class="quiet">${words.because} ${words.rows[row]}</li>` : nothing}
        ${refused.map(({ kind, what }) => html`<li><span class="quiet">${words.refused}</span>${words.kinds[kind] ?? kind} <code>${what}</code></li>`)}
        ${reopened.map((step) => html`<li><span class="quiet">${words.reopened}</span>${this.#link(step)}</li>`)}
      </ul>`;
  }

  #reading(reading: Reading, note: string): TemplateResult {
    const { type, value, confidence, text, takenBy, lost = [] } = reading;
    return html`<li class="reading">
      ${note ? html`<span class="quiet">${note}</span>` : nothing}<strong>${type}</strong> <code>${shown(value)}</code>
      <span class="quiet">${words.confidence(Math.round(confidence * 100))}, ${words.from(text)}${takenBy ? html`, ${words.takenBy} ${this.#link(takenBy)}` : nothing}</span>
      ${lost.length ? html`<ul class="did">${lost.map((loser) => this.#reading(loser, words.lost))}</ul>` : nothing}
    </li>`;
  }

  #visit({ visited, did }: Visit): TemplateResult {
    const outcome = visited?.outcome ?? "ran";
    const isPassed = !["asked", "ran", "failed", "login-needed"].includes(outcome);
    return html`<li class="step ${isPassed ? "passed" : outcome === "failed" ? "failed" : ""}">
      ${visited
        ? html`<div class="head">${this.#pathLink(visited.path, visited.step)}<span class="outcome">${words.outcome[outcome] ?? outcome}</span></div>`
        : nothing}
      ${visited?.conditionText ? html`<p class="did condition"><code>${visited.conditionText}</code> <span class="quiet">${words.falseCondition}</span></p>` : nothing}
      ${visited?.reason ? html`<p class="did bad">${visited.reason}</p>` : nothing}
      ${did.length ? html`<ul class="did">${did.map((entry) => html`<li>${this.#did(entry)}</li>`)}</ul>` : nothing}
    </li>`;
  }

  #did(entry: Entry): unknown {
    switch (entry.kind) {
      case "changed":
        return drawChange(entry);
      case "called":
        return drawCall(entry);
      case "sent":
        return html`<span class="quiet">${words.says}</span>${shorten(entry.text)}`;
      default:
        return nothing;
    }
  }

  /** `step`: "conversation/index", or a conversation's key. */
  #link(step: string): TemplateResult {
    return this.#pathLink(pathOf(step), step);
  }

  #pathLink(path: string, step: string): TemplateResult {
    if (!path) return html`<span>${step || words.theTurn}</span>`;
    const open = (event: Event) => {
      event.preventDefault();
      this.dispatchEvent(new OpenPathEvent(path));
    };
    const at = new URLSearchParams({ file: "flow.json", at: path }).toString();
    return html`<a href=${`build?${at}`} @click=${open}>${this.#title(path, step)}</a>`;
  }

  #title(path: string, step: string): string {
    const [, key, , index] = path.split("/");
    const found = this.outline?.conversations.find((one) => one.key === key)?.steps[Number(index)];
    if (!index) return step || path;
    const place = `${key} ${Number(index) + 1}`;
    if (!found) return place;
    return `${place} · ${found.entity || shorten(found.text, 40) || found.type}`;
  }
}

/** The entries by the step in whose visit they were made. What comes before the first step is the message's own doing. */
export function visitsOf(trace: readonly Entry[]): Visit[] {
  const visits: { visited: Visited | null; did: Entry[] }[] = [];
  for (const entry of trace) {
    if (entry.kind === "understood") continue;
    if (entry.kind === "visited") visits.push({ visited: entry, did: [] });
    else if (visits.length) visits.at(-1)?.did.push(entry);
    else visits.push({ visited: null, did: [entry] });
  }
  return visits;
}

export function pathOf(step: string): string {
  const [, conversation, index] = /^(.+)\/(\d+)$/.exec(step) ?? [];
  return conversation ? `conversations/${conversation}/steps/${index}` : step && `conversations/${step}`;
}

/** The number of the user's message in the turn at this place, or of the last one before it; 0 before the first. */
export function numberOf(turns: readonly Turn[], at: number): number {
  return turns.slice(0, at + 1).filter(({ user }) => user && !user.event).length;
}

/** What the user did in a turn, as one line. */
export function saidIn(said: Said | null, messages: readonly Message[]): string {
  if (!said || said.event) return words.opening;
  const own = messages.find(({ from }) => from === "user")?.text ?? said.text;
  if (typeof own === "string" && own) return own;
  const [value] = Object.values(said);
  return shown(value);
}

function drawChange({ name, before, after }: Changed): TemplateResult {
  const value = (one: unknown) => (one === null || one === undefined ? html`<span class="quiet">${words.noValue}</span>` : html`<code>${shown(one)}</code>`);
  return html`<strong>${name}</strong> ${value(before)} → ${value(after)}`;
}

function drawCall({ method, url, status, failure, milliseconds }: Called): TemplateResult {
  const isBad = status == null || status >= 400;
  const time = milliseconds == null ? nothing : html` <span class="quiet">${words.milliseconds(milliseconds)}</span>`;
  return html`${url ? html`<code>${method} ${url}</code>` : words.renewLogin} <span class=${isBad ? "bad" : ""}>${status ?? failure}</span>${time}`;
}

/** An element of a list of values is shown by its value alone. */
function shown(value: unknown): string {
  const inside = (value as { value?: unknown } | null)?.value;
  if (typeof inside === "string" || typeof inside === "number") return shorten(String(inside));
  return shorten(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function shorten(whole: string, most = MAX_SHOWN_CHARS): string {
  return whole.length > most ? `${whole.slice(0, most)}…` : whole;
}
