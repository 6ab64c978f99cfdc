// <build-form>: the form of one row, a step or a conversation. It shows what flow.json has at the row's path and asks the room for
// every edit; a field that it does not know stays as it is.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { base } from "../../view/tokens";
import { cross, plus } from "../icons";
import { controls } from "../shared-styles";
import { WishEvent } from "./events";
import type { PlacedFinding } from "./flow-document";
import { displaysOf, type Field, fieldsOf, furtherKeys, METHODS, WITH_OPTIONS } from "./form-fields";
import { formStyles } from "./form-styles";
import { pathOfRow, type Row, STEP_TYPES } from "./flow-outline";
import { type Names, NO_NAMES } from "./template-names";
import { wand, warn } from "./step-icons";
import type { TemplateEvent } from "./template-field";
import { wordFor, words } from "./words";

type Path = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

export class BuildForm extends LitElement {
  static override properties = {
    value: { attribute: false },
    row: { attribute: false },
    names: { attribute: false },
    findings: { attribute: false },
    isReadOnly: { attribute: false },
    keyProblem: { attribute: false },
  };

  static override styles = [base, controls, formStyles];

  /** The JSON value of the row. */
  declare value: Json;
  declare row: Row | null;
  declare names: Names;
  /** Those of the row. */
  declare findings: readonly PlacedFinding[];
  declare isReadOnly: boolean;
  declare keyProblem: string;

  constructor() {
    super();
    this.value = {};
    this.row = null;
    this.names = NO_NAMES;
    this.findings = [];
    this.isReadOnly = false;
    this.keyProblem = "";
  }

  /** Puts the focus into the first field that is written in. */
  override focus(): void {
    const first = ["build-template", "input:not([type=checkbox])", "select:not(.type)"].map((one) => this.renderRoot.querySelector<HTMLElement>(one));
    first.find((one) => one !== null)?.focus();
  }

  #edit(path: Path, value: unknown): void {
    if (!this.row || this.isReadOnly) return;
    const whole = [...pathOfRow(this.row), ...path];
    this.dispatchEvent(new WishEvent({ kind: "edit", path: whole, value, group: whole.join("/") }));
  }

  /** Text in place of the value; an empty one takes the key away. */
  #text(path: Path, text: string): void {
    this.#edit(path, text === "" ? undefined : text);
  }

  /** The findings at a path of the row, and of what it holds. */
  #foundAt(path: Path): PlacedFinding[] {
    const whole = [...(this.row ? pathOfRow(this.row) : []), ...path];
    return this.findings.filter((one) => whole.every((part, index) => one.path[index] === part));
  }

  #problem(path: Path): string {
    return this.#foundAt(path)
      .map(({ finding }) => finding.message)
      .join(" ");
  }

  override render() {
    if (!this.row) return nothing;
    return html`<datalist id="entities">${this.names.entities.map((name) => html`<option value=${name}></option>`)}</datalist>
      <datalist id="types">${this.names.types.map((name) => html`<option value=${name}></option>`)}</datalist>
      <datalist id="commands">${this.#commands().map((name) => html`<option value=${name}></option>`)}</datalist>
      ${this.row.index === null ? this.#conversation() : this.#step()}`;
  }

  #commands(): string[] {
    return ["stay-silent", "invalidate-entity", "set-entity", "logout", ...this.names.conversations.map(({ key }) => `go-to ${key}`)];
  }

  #conversation(): TemplateResult {
    const { value } = this;
    const key = this.row?.conversation ?? "";
    return html`${this.#general(["display-name", "type", "note"])}
      ${this.#labelled("display-name", words.conversationName, this.#input(["display-name"], value["display-name"], { placeholder: key, label: words.conversationName }))}
      <div class="field">
        <label for="key">${words.conversationKey}</label>
        <input
          id="key"
          class="code"
          .value=${live(key)}
          ?readonly=${this.isReadOnly}
          aria-invalid=${this.keyProblem ? "true" : nothing}
          aria-describedby="key-help"
          @change=${(event: Event) => this.#rename(event.target as HTMLInputElement)}
        />
        <p id="key-help" class=${this.keyProblem ? "bad" : "help"}>${this.keyProblem || words.conversationKeyHelp}</p>
      </div>
      <div class="field">
        <label for="kind">${words.kind}</label>
        <select id="kind" ?disabled=${this.isReadOnly} @change=${(event: Event) => this.#edit(["type"], (event.target as HTMLSelectElement).value)}>
          ${[["goal", words.goal], ["support", words.supportKind]].map(([kind, name]) => html`<option value=${kind ?? ""} ?selected=${value["type"] === kind}>${name}</option>`)}
        </select>
        ${this.#said(["type"])}
      </div>
      ${this.#plainText({ key: "note", kind: "text" })} ${this.#further(Object.keys(value).filter((one) => !["type", "display-name", "steps", "note"].includes(one)))}`;
  }

  #rename(input: HTMLInputElement): void {
    if (this.row) this.dispatchEvent(new WishEvent({ kind: "rename", key: this.row.conversation, name: input.value.trim() }));
  }

  #step(): TemplateResult {
    const { value } = this;
    const type = String(value["type"] ?? "");
    const fields = fieldsOf(value);
    const flags = fields.filter((field) => field.kind === "flag");
    return html`${this.#general(["type", ...fields.map(({ key }) => key)])}
      <div class="field">
        <label for="type">${words.fields["type"]}</label>
        <select id="type" class="type" ?disabled=${this.isReadOnly} @change=${(event: Event) => this.#edit(["type"], (event.target as HTMLSelectElement).value)}>
          ${(STEP_TYPES as readonly string[]).includes(type) ? nothing : html`<option value=${type} selected>${type || words.unknownType}</option>`}
          ${STEP_TYPES.map((one) => html`<option value=${one} ?selected=${one === type}>${wordFor(words.type, one)} – ${wordFor(words.typeHelp, one)}</option>`)}
        </select>
        ${this.#said(["type"])}
      </div>
      ${fields.filter((field) => field.kind !== "flag" && field.key !== "note").map((field) => this.#field(field))}
      ${flags.length ? html`<div class="flags">${flags.map((field) => this.#flag(field))}</div>` : nothing}
      ${fields.some((field) => field.key === "note") ? this.#plainText({ key: "note", kind: "text" }) : nothing} ${this.#further(furtherKeys(value))}`;
  }

  #further(keys: readonly string[]) {
    return keys.length ? html`<p class="help">${words.moreFields(keys.map((key) => wordFor(words.fields, key)).join(", "))}</p>` : nothing;
  }

  #field(field: Field): TemplateResult {
    const { key } = field;
    const value = this.value[key];
    switch (field.kind) {
      case "wordings":
        return this.#list(field, words.wording, words.removeWording, words.addWording, false);
      case "conditions":
        return this.#list(field, words.condition, words.removeCondition, words.addCondition, true);
      case "entity":
        return this.#labelled(key, this.#name(key), this.#input([key], value, { list: "entities", isCode: true, label: this.#name(key) }));
      case "entity-type":
        return this.#labelled(key, this.#name(key), this.#input([key], value, { list: "types", label: this.#name(key) }));
      case "command":
        return this.#labelled(key, this.#name(key), this.#input([key], value, { list: "commands", isCode: true, label: this.#name(key) }));
      case "conversation":
        return this.#labelled(key, this.#name(key), this.#conversationPicker(key, value));
      case "lines":
        return this.#lines([key], this.#name(key), key, value);
      case "value":
        return this.#json(key, value);
      case "display":
        return this.#display(value);
      case "source":
        return this.#source(value);
      case "template":
        return this.#labelled(key, this.#name(key), this.#template([key], value, this.#name(key), false));
      default:
        return this.#plainText(field);
    }
  }

  #name(key: string): string {
    return wordFor(words.fields, key);
  }

  #said(path: Path) {
    return this.#foundAt(path).map((one) => this.#finding(one));
  }

  #finding({ number, finding, isError, isFixable }: PlacedFinding): TemplateResult {
    const fix = () => this.dispatchEvent(new WishEvent({ kind: "fix", number }));
    return html`<p class="finding ${isError ? "bad" : "doubt"}">
      ${warn}<span>${finding.message}</span>
      ${isFixable ? html`<button type="button" class="plain" title=${finding.fixTitle ?? nothing} @click=${fix}>${wand}${words.fix} <kbd>${words.fixKey}</kbd></button>` : nothing}
    </p>`;
  }

  /** Those that belong to no field of the form. */
  #general(keys: readonly string[]) {
    const depth = this.row ? pathOfRow(this.row).length : 0;
    return this.findings.filter(({ path }) => !keys.includes(String(path[depth] ?? ""))).map((one) => this.#finding(one));
  }

  #help(key: string) {
    const help = words.help[key];
    return help ? html`<p class="help">${help}</p>` : nothing;
  }

  #labelled(key: string, name: string, content: unknown): TemplateResult {
    return html`<div class="field"><span class="label" aria-hidden="true">${name}</span>${content}${this.#said([key])}${this.#help(key)}</div>`;
  }

  #input(path: Path, value: unknown, { list = "", placeholder = "", isCode = false, label = "" }): TemplateResult {
    return html`<input
      class=${isCode ? "code" : ""}
      list=${list || nothing}
      aria-label=${label}
      placeholder=${placeholder}
      autocomplete="off"
      spellcheck="false"
      .value=${live(typeof value === "string" ? value : "")}
      ?readonly=${this.isReadOnly}
      aria-invalid=${this.#problem(path) ? "true" : nothing}
      @input=${(event: Event) => this.#text(path, (event.target as HTMLInputElement).value)}
    />`;
  }

  #template(path: Path, value: unknown, label: string, isCode: boolean): TemplateResult {
    return html`<build-template
      .value=${typeof value === "string" ? value : JSON.stringify(value ?? "")}
      .label=${label}
      .names=${this.names}
      .isCode=${isCode}
      .isReadOnly=${this.isReadOnly || (value !== undefined && typeof value !== "string")}
      .problem=${this.#problem(path)}
      @build-template=${(event: TemplateEvent) => this.#edit(path, event.text)}
    ></build-template>`;
  }

  #list(field: Field, label: (number: number) => string, removal: (number: number) => string, addition: string, isCode: boolean): TemplateResult {
    const { key } = field;
    const given = this.value[key];
    const entries: readonly unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
    const without = (index: number) => (entries.length > 1 ? entries.toSpliced(index, 1) : undefined);
    return html`<div class="field" role="group" aria-label=${this.#name(key)}>
      <span class="label" aria-hidden="true">${this.#name(key)}</span>
      ${entries.map(
        (entry, index) =>
          html`<div class="entry">
            ${Array.isArray(entry)
              ? html`<div class="sequence"><p class="help">${words.sequence}</p>${entry.map((part, at) => this.#template([key, index, at], part, label(index + 1), isCode))}</div>`
              : this.#template([key, index], entry, label(index + 1), isCode)}
            <button type="button" class="plain brief" aria-label=${removal(index + 1)} title=${removal(index + 1)} ?disabled=${this.isReadOnly} @click=${() => this.#edit([key], without(index))}>${cross}</button>
          </div>
          ${this.#said([key, index])}`,
      )}
      <button type="button" class="plain add" ?disabled=${this.isReadOnly} @click=${() => this.#addEntry(key, entries)}>${plus}${addition}</button>
      ${this.#foundAt([key]).filter((one) => !entries.some((_, index) => this.#foundAt([key, index]).includes(one))).map((one) => this.#finding(one))}
      ${entries.length && key === "messages" ? this.#help(key) : nothing} ${key === "conditions" && entries.length ? this.#help(key) : nothing}
    </div>`;
  }

  #addEntry(key: string, entries: readonly unknown[]): void {
    this.#edit([key], [...entries, ""]);
    void this.updateComplete.then(() => {
      const fields = this.renderRoot.querySelectorAll<HTMLElement>(`[aria-label="${CSS.escape(this.#name(key))}"] build-template`);
      fields[fields.length - 1]?.focus();
    });
  }

  #conversationPicker(key: string, value: unknown): TemplateResult {
    const known = this.names.conversations.some((one) => one.key === value);
    return html`<select aria-label=${this.#name(key)} ?disabled=${this.isReadOnly} @change=${(event: Event) => this.#edit([key], (event.target as HTMLSelectElement).value)}>
      ${known ? nothing : html`<option value=${String(value ?? "")} selected>${String(value ?? "")}</option>`}
      ${this.names.conversations.map((one) => html`<option value=${one.key} ?selected=${one.key === value}>${one.title}</option>`)}
    </select>`;
  }

  #lines(path: Path, name: string, key: string, value: unknown): TemplateResult {
    const lines = Array.isArray(value) ? value.map(String) : [];
    return this.#labelled(
      key,
      name,
      html`<textarea
        class="lines"
        rows=${Math.min(10, Math.max(2, lines.length))}
        aria-label=${name}
        ?readonly=${this.isReadOnly}
        .value=${keepsTyped(lines)}
        @input=${(event: Event) => {
          const typed = (event.target as HTMLTextAreaElement).value.split("\n").map((line) => line.trim()).filter(Boolean);
          this.#edit(path, typed.length ? typed : undefined);
        }}
      ></textarea>`,
    );
  }

  #json(key: string, value: unknown): TemplateResult {
    return this.#labelled(
      key,
      this.#name(key),
      html`<input
        class="code"
        aria-label=${this.#name(key)}
        .value=${value === undefined ? "" : JSON.stringify(value)}
        ?readonly=${this.isReadOnly}
        @change=${(event: Event) => {
          const typed = (event.target as HTMLInputElement).value.trim();
          this.#edit([key], typed === "" ? undefined : parsed(typed));
        }}
      />`,
    );
  }

  #display(value: unknown): TemplateResult {
    const display = (typeof value === "object" && value !== null ? value : {}) as Json;
    const type = value === undefined ? "" : String(display["type"] ?? "single-select");
    const kinds = displaysOf(String(this.value["type"]));
    const data = display["data"];
    const isPlain = data === undefined ? display["data-source"] === undefined : Array.isArray(data) && data.every((one) => typeof one === "string");
    const name = this.#name("display");
    return html`<div class="field">
        <span class="label" aria-hidden="true">${name}</span>
        <select
          aria-label=${name}
          ?disabled=${this.isReadOnly}
          @change=${(event: Event) => this.#chooseDisplay((event.target as HTMLSelectElement).value, value, display)}
        >
          ${[...new Set([...kinds, type])].map((kind) => html`<option value=${kind} ?selected=${kind === type}>${wordFor(words.display, kind)}</option>`)}
        </select>
        ${this.#said(["display"])}
      </div>
      ${WITH_OPTIONS.includes(type)
        ? isPlain
          ? this.#lines(["display", "data"], this.#name("options"), "options", data)
          : html`<p class="help">${words.optionsElsewhere}</p>`
        : nothing}`;
  }

  #chooseDisplay(kind: string, value: unknown, display: Json): void {
    if (kind === "") this.#edit(["display"], undefined);
    else if (value === undefined) this.#edit(["display"], WITH_OPTIONS.includes(kind) ? { type: kind, data: [] } : { type: kind });
    else this.#edit(["display"], { ...display, type: kind });
  }

  #source(value: unknown): TemplateResult {
    const source = (typeof value === "object" && value !== null ? value : {}) as Json;
    const method = String(source["method"] ?? "GET");
    const further = Object.keys(source).filter((key) => !["endpoint", "method", "selector"].includes(key));
    return html`<fieldset class="group">
      <legend>${this.#name("data-source")}</legend>
      <div class="pair">
        <select aria-label=${this.#name("method")} ?disabled=${this.isReadOnly} @change=${(event: Event) => this.#edit(["data-source", "method"], (event.target as HTMLSelectElement).value)}>
          ${METHODS.map((one) => html`<option ?selected=${one === method}>${one}</option>`)}
        </select>
        ${this.#template(["data-source", "endpoint"], source["endpoint"] ?? "", this.#name("endpoint"), true)}
      </div>
      ${this.#said(["data-source"])}
      <span class="label" aria-hidden="true">${this.#name("selector")}</span>
      ${this.#input(["data-source", "selector"], source["selector"], { isCode: true, placeholder: "$.items[*]", label: this.#name("selector") })}
      ${further.length ? html`<p class="help">${words.moreFields(further.join(", "))}</p>` : nothing}
    </fieldset>`;
  }

  #flag(field: Field): TemplateResult {
    return html`<label class="flag">
        <input
          type="checkbox"
          .checked=${live(this.value[field.key] === true)}
          ?disabled=${this.isReadOnly}
          @change=${(event: Event) => this.#edit([field.key], (event.target as HTMLInputElement).checked || undefined)}
        />${this.#name(field.key)}
      </label>
      ${this.#said([field.key])}`;
  }

  #plainText({ key }: Field): TemplateResult {
    const value = this.value[key];
    return this.#labelled(
      key,
      this.#name(key),
      html`<input
        class="note"
        aria-label=${this.#name(key)}
        .value=${live(typeof value === "string" ? value : "")}
        ?readonly=${this.isReadOnly}
        @input=${(event: Event) => this.#text([key], (event.target as HTMLInputElement).value)}
      />`,
    );
  }
}

/** The lines as text. While one types, an empty last line is not taken back: Lit sets it only when the value has changed. */
function keepsTyped(lines: readonly string[]): string {
  return lines.join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What is no JSON is meant as a text.
    return text;
  }
}
