// <studio-understand>: the room Understand. What is edited is training.json in the workspace.

import { css, html, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { FilesRoom } from "../build/files-room";
import { askedIn, slotsOf } from "../build/slot-names";
import type { Candidate } from "../build/template-names";
import { GoEvent, OpenPathEvent } from "../events";
import { plus } from "../icons";
import { NoticeEvent } from "../notice";
import { controls, states, text } from "../shared-styles";
import { words as frame } from "../words";
import type { AddEvent } from "./missed";
import { roomStyles, tables } from "./styles";
import type { ShowValueEvent } from "./report";
import { addExpressions, addType, addValue, type EntityType, isTaught, type Kind, KINDS, type Place, removeValue, setAnswers, setExpressions, setName, setPattern, TRAINING, typesOf, usesOf } from "./training";
import type { TypeEditEvent, UnderstandTypes } from "./types";
import { words } from "./words";

/** Steps that are named of those that ask for a type. */
const MAX_USES = 6;

type View = "types" | "missed" | "report";
const VIEWS: readonly View[] = ["types", "missed", "report"];

export class StudioUnderstand extends FilesRoom {
  static override properties = { ...FilesRoom.properties, name: { state: true }, isNew: { state: true }, problem: { state: true } };

  static override styles = [
    base,
    controls,
    text,
    states,
    roomStyles,
    tables,
    css`
      :host {
        grid-template-rows: auto auto auto minmax(0, 1fr);
      }

      .body {
        display: grid;
        grid-template-columns: 220px minmax(0, 1fr);
        min-block-size: 0;
      }

      nav {
        border-inline-end: 1px solid var(--line);
        padding: 8px;
      }

      nav button {
        display: grid;
        inline-size: 100%;
        padding: 5px 10px;
        border: 0;
        border-radius: 8px;
        background: none;
        color: inherit;
        text-align: start;
        font-size: 13px;
        line-height: 18px;
        overflow-wrap: anywhere;
      }

      nav button .quiet {
        font-size: 12px;
      }

      nav [aria-current="true"] {
        background: var(--raised);
        font-weight: 600;
      }

      nav [aria-current="true"] .quiet {
        font-weight: 400;
      }

      .about {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
        align-items: baseline;
        padding: 10px 16px 6px;
        font-size: 13px;
      }

      form {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        padding: 4px 16px;
      }

      form .input {
        border-color: var(--line-strong);
      }

      form input {
        flex: 0 1 260px;
      }

      .empty form {
        justify-content: center;
      }

      .use {
        min-block-size: 24px;
        margin-block: -2px;
        padding: 1px 6px;
        font-size: 13px;
      }

      @media (pointer: coarse) {
        nav button {
          min-block-size: 44px;
        }
      }

      @container room (max-width: 820px) {
        .body {
          grid-template-columns: 152px minmax(0, 1fr);
        }
      }

      @container room (max-width: 620px) {
        .body {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: auto minmax(0, 1fr);
        }

        nav {
          display: flex;
          overflow-x: auto;
          border-inline-end: 0;
          border-block-end: 1px solid var(--line);
        }

        nav button {
          inline-size: auto;
          white-space: nowrap;
        }
      }
    `,
  ];

  /** Of the type that is shown. */
  declare name: string;
  /** Whether a new type is written in its place. */
  declare isNew: boolean;
  declare problem: string;
  #types: readonly EntityType[] | null = [];
  #read: string | undefined;
  #slotsOf: { readonly training: string | undefined; readonly flow: string | undefined; readonly slots: readonly Candidate[] } | null = null;

  constructor() {
    super();
    this.name = this.problem = "";
    this.isNew = false;
  }

  protected override begin(): void {
    this.#choose("");
    this.#read = undefined;
  }

  get #view(): View {
    const asked = new URLSearchParams(this.route?.query ?? "").get("view");
    return VIEWS.find((view) => view === asked) ?? "types";
  }

  #show(view: View): void {
    this.dispatchEvent(new GoEvent({ query: view === "types" ? "" : `view=${view}`, isReplacing: true }));
  }

  get #text(): string {
    return this.workspace.files[TRAINING] ?? '{\n  "entity-definitions": []\n}\n';
  }

  protected override willUpdate(changes: Map<PropertyKey, unknown>): void {
    super.willUpdate(changes);
    if (!this.workspace || this.#read === this.#text) return;
    this.#read = this.#text;
    this.#types = typesOf(this.#text);
  }

  #put(changed: string, group = ""): void {
    if (changed !== this.#text) this.apply({ [TRAINING]: changed }, group);
  }

  #edited(type: EntityType, { edit }: TypeEditEvent): void {
    const text = this.#text;
    if (edit.kind === "expressions") this.#put(setExpressions(text, type, edit.index, edit.lines), edit.group);
    else if (edit.kind === "answers") this.#put(setAnswers(text, type, edit.index, edit.lines), edit.group);
    else if (edit.kind === "name") this.#put(setName(text, type, edit.index, edit.value));
    else if (edit.kind === "pattern") this.#put(setPattern(text, type, edit.value));
    else if (edit.kind === "add") this.#put(addValue(text, type, edit.value));
    else {
      this.#put(removeValue(text, type, edit.index));
      this.dispatchEvent(new NoticeEvent(words.removed(type.values[edit.index]?.value ?? "")));
    }
  }

  override render() {
    const waiting = this.waiting();
    if (waiting) return waiting;
    const view = this.#view;
    const { api, workspace, bot } = this;
    return html`<header>
        <h1 tabindex="-1">${frame.room.understand}</h1>
        <div class="views" role="group" aria-label=${words.views}>
          ${VIEWS.map((one) => html`<button type="button" aria-pressed=${one === view ? "true" : "false"} @click=${() => this.#show(one)}>${words.view[one]}</button>`)}
        </div>
        <span class="gap"></span>
        ${this.acts()}
      </header>
      ${this.bars()}
      <understand-try .api=${api} .workspace=${workspace} .bot=${bot} .files=${workspace.files}></understand-try>
      ${this.#types === null
        ? html`<div class="empty"><p>${words.broken}</p>${this.#openFile()}</div>`
        : view === "missed"
          ? html`<understand-missed .api=${api} .workspace=${workspace} .bot=${bot} .types=${this.#types} .training=${this.#text} @understand-add=${(event: AddEvent) => this.#put(addExpressions(this.#text, event.place, event.sentences))}></understand-missed>`
          : view === "report"
            ? html`<div class="scroll"><understand-report .api=${api} .workspace=${workspace} .bot=${bot} @understand-show=${(event: ShowValueEvent) => void this.#showValue(event.place)}></understand-report></div>`
            : this.#table(this.#types)}`;
  }

  #openFile() {
    return html`<button type="button" class="button" @click=${() => this.dispatchEvent(new OpenPathEvent("entity-definitions", TRAINING))}>${words.openFile}</button>`;
  }

  #choose(name: string): void {
    this.name = name;
    this.isNew = false;
    this.problem = "";
  }

  #addType(event: SubmitEvent, types: readonly EntityType[]): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const name = String(given.get("name")).trim();
    this.problem = types.some((one) => one.name === name) ? words.typeTaken : "";
    if (!name || this.problem) return this.#focusNew();
    this.#put(addType(this.#text, types.length, name, given.get("kind") as Kind));
    this.#choose(name);
  }

  async #startNew(): Promise<void> {
    this.isNew = true;
    await this.updateComplete;
    this.#focusNew();
  }

  #focusNew(): void {
    this.renderRoot.querySelector<HTMLInputElement>("form .input")?.focus();
  }

  #newType(types: readonly EntityType[]): TemplateResult {
    return html`<form @submit=${(event: SubmitEvent) => this.#addType(event, types)}>
        <input class="input" name="name" aria-label=${words.newTypeName} placeholder=${words.newTypeName} autocomplete="off" maxlength="200" />
        <select class="input" name="kind" aria-label=${words.kindLabel}>${KINDS.map((kind) => html`<option value=${kind}>${words.kind[kind]}</option>`)}</select>
        <button class="button">${plus}${words.add}</button>
      </form>
      ${this.problem ? html`<p class="about bad" role="alert">${this.problem}</p>` : nothing}`;
  }

  #table(types: readonly EntityType[]): TemplateResult {
    const shown = types.find(({ name }) => name === this.name) ?? types[0];
    if (!shown) return html`<div class="empty"><h2>${words.noTypes}</h2><p>${words.noTypesHelp}</p>${this.#newType(types)}${this.#openFile()}</div>`;
    return html`<div class="body">
      <nav class="scroll" aria-label=${words.types} @keydown=${this.#walk}>
        ${types.map(
          ({ name, kind, values }) =>
            html`<button type="button" aria-current=${name === shown.name && !this.isNew ? "true" : "false"} @click=${() => this.#choose(name)}>
              <span>${name}</span><span class="quiet">${words.kind[kind] ?? kind}${values.length ? ` · ${values.length}` : nothing}</span>
            </button>`,
        )}
        <button type="button" class="quiet" aria-expanded=${this.isNew ? "true" : "false"} @click=${() => void this.#startNew()}>${words.newType}</button>
        <button type="button" class="quiet" @click=${() => this.dispatchEvent(new OpenPathEvent("entity-definitions", TRAINING))}>${words.openFile}</button>
      </nav>
      <div class="scroll">${this.isNew ? html`<div class="about"><h2>${words.newType}</h2></div>${this.#newType(types)}` : this.#type(shown)}</div>
    </div>`;
  }

  #type(shown: EntityType): TemplateResult {
    const uses = usesOf(this.workspace.files["flow.json"]).get(shown.name) ?? [];
    return html`<div class="about">
        <h2>${shown.name}</h2>
        ${shown.name === "Conversation" || shown.kind === "QnA" ? html`<span class="quiet">${words.atAnyTime}</span>` : this.#uses(uses)}
      </div>
      <understand-types .type=${shown} .slots=${isTaught(shown) ? this.#slots() : null} @understand-edit=${(event: TypeEditEvent) => this.#edited(shown, event)}></understand-types>`;
  }

  /** What a slot of an expression can be for, worked out once for each state of the files. */
  #slots(): readonly Candidate[] {
    const { [TRAINING]: training, "flow.json": flow } = this.workspace.files;
    if (this.#slotsOf && this.#slotsOf.training === training && this.#slotsOf.flow === flow) return this.#slotsOf.slots;
    const slots = slotsOf(askedIn(flow), training);
    this.#slotsOf = { training, flow, slots };
    return slots;
  }

  /** The steps that ask for a type, as "conversation and number", each leads to it. */
  #uses(paths: readonly string[]): TemplateResult {
    if (!paths.length) return html`<span class="quiet">${words.notUsed}</span>`;
    return html`<span class="quiet">${words.usedBy(paths.length)}</span>
      ${paths.slice(0, MAX_USES).map((path) => {
        const [, conversation, , index] = path.split("/");
        return html`<button type="button" class="plain use" @click=${() => this.dispatchEvent(new OpenPathEvent(path))}>${conversation} ${Number(index) + 1}</button>`;
      })}`;
  }

  async #showValue({ type, value }: Place): Promise<void> {
    this.#choose(type);
    this.#show("types");
    // The frame gives the new address to the room first.
    while (this.isConnected && !this.renderRoot.querySelector("understand-types")) await new Promise(requestAnimationFrame);
    await this.renderRoot.querySelector<UnderstandTypes>("understand-types")?.show(value);
  }

  /** Arrow keys go through the list of types. */
  #walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[aria-current]")];
    const next = step && buttons[buttons.indexOf(event.target as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  }
}
