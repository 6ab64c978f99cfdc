// <build-outline>: the conversations and their steps as rows of a tree, moved about by keys and by dragging. It draws the rows that
// are seen, and asks the room for every change.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { base } from "../../view/tokens";
import { plus } from "../icons";
import { controls } from "../shared-styles";
import { WishEvent, type Wish } from "./events";
import { type Conversation, isSameRow, type Outline, type Row, type Step, STEP_TYPES, type StepType } from "./flow-outline";
import { outlineStyles } from "./outline-styles";
import { rowWindow } from "./row-window";
import { fold, lock, stepIcons, warn } from "./step-icons";
import { wordFor, words } from "./words";

/** A line of the list: a heading, a conversation, a step, or what stands where a conversation has no step. */
type Line =
  | { readonly kind: "heading"; readonly title: string }
  | { readonly kind: "conversation"; readonly conversation: Conversation; readonly position: number; readonly of: number }
  | { readonly kind: "step"; readonly conversation: Conversation; readonly step: Step }
  | { readonly kind: "empty"; readonly conversation: Conversation };

/** Findings of one row: how many, and whether one is an error. */
export interface Mark {
  readonly count: number;
  readonly isError: boolean;
  readonly message: string;
}

const COARSE = "(pointer: coarse)";

export function markKey(row: Row): string {
  return `${row.index ?? ""} ${row.conversation}`;
}

export class BuildOutline extends LitElement {
  static override properties = {
    outline: { attribute: false },
    selected: { attribute: false },
    marks: { attribute: false },
    isReadOnly: { attribute: false },
    folded: { state: true },
    from: { state: true },
    to: { state: true },
    drop: { state: true },
    menu: { state: true },
  };

  static override styles = [base, controls, outlineStyles];

  declare outline: Outline;
  declare selected: Row | null;
  declare marks: ReadonlyMap<string, Mark>;
  declare isReadOnly: boolean;
  declare folded: ReadonlySet<string>;
  declare from: number;
  declare to: number;
  /** The line before which a dragged row would come. */
  declare drop: number | null;
  /** Where the menu of step types adds its step. */
  declare menu: { readonly conversation: string; readonly index: number } | null;
  #lines: readonly Line[] = [];
  #dragged: Row | null = null;
  #resize: ResizeObserver | undefined;
  #isTouch = matchMedia(COARSE).matches;
  #reveal = false;

  constructor() {
    super();
    this.outline = { conversations: [], entities: [] };
    this.selected = this.drop = this.menu = null;
    this.marks = new Map();
    this.isReadOnly = false;
    this.folded = new Set();
    this.from = 0;
    this.to = 60;
  }

  get #rowHeight(): number {
    return this.#isTouch ? 44 : 34;
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector(".list");
  }

  override focus(): void {
    this.#list?.focus({ preventScroll: true });
  }

  /** Scrolls to the chosen row after the next drawing. */
  reveal(): void {
    this.#reveal = true;
    const { selected } = this;
    if (selected && selected.index !== null && this.folded.has(selected.conversation)) this.#fold(selected.conversation, false);
    this.requestUpdate();
  }

  /** Opens the menu that adds a step after the chosen row. */
  addAfter(): void {
    if (this.selected) this.#openMenu(this.selected);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
    this.#resize = undefined;
  }

  protected override willUpdate(changes: Map<PropertyKey, unknown>): void {
    if (changes.has("outline") || changes.has("folded")) this.#lines = linesOf(this.outline, this.folded);
  }

  protected override updated(): void {
    const list = this.#list;
    if (!list) return;
    if (!this.#resize) {
      this.#resize = new ResizeObserver(() => this.#window());
      this.#resize.observe(list);
    }
    this.style.setProperty("--row", `${this.#rowHeight}px`);
    const [above, below] = list.querySelectorAll<HTMLElement>(".space");
    const rest = Math.max(0, this.#lines.length - this.to);
    if (above) above.style.blockSize = `${this.from * this.#rowHeight}px`;
    if (below) below.style.blockSize = `${rest * this.#rowHeight}px`;
    if (this.#reveal) this.#scrollToSelected(list);
    this.#placeMenu();
  }

  #scrollToSelected(list: HTMLElement): void {
    this.#reveal = false;
    const at = this.#lineOf(this.selected);
    if (at < 0) return;
    const top = at * this.#rowHeight;
    const isSeen = top >= list.scrollTop && top + this.#rowHeight <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top - (top < list.scrollTop ? this.#rowHeight : list.clientHeight - 2 * this.#rowHeight);
    this.#window();
  }

  #window = (): void => {
    const list = this.#list;
    if (!list) return;
    const { from, to } = rowWindow(this.#lines.length, this.#rowHeight, list.scrollTop, list.clientHeight);
    this.from = from;
    this.to = to;
  };

  #lineOf(row: Row | null): number {
    return row === null ? -1 : this.#lines.findIndex((line) => isSameRow(rowOf(line), row));
  }

  #wish(wish: Wish): void {
    this.dispatchEvent(new WishEvent(wish));
  }

  #fold(key: string, isFolded: boolean): void {
    const folded = new Set(this.folded);
    if (isFolded) folded.add(key);
    else folded.delete(key);
    this.folded = folded;
  }

  // -- keys

  #key(event: KeyboardEvent): void {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const done = event.altKey ? this.#moveKey(event.key) : isPlain ? this.#plainKey(event.key) : this.#controlKey(event.key);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #plainKey(key: string): boolean {
    const { selected } = this;
    const page = Math.max(1, Math.floor((this.#list?.clientHeight ?? 0) / this.#rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const by = steps[key];
    if (by !== undefined) return this.#go(by);
    if (!selected) return false;
    if (key === "Enter" || key === "F2") this.#wish({ kind: "open", row: selected, hasFocus: true });
    else if (key === "ArrowLeft" && selected.index !== null) this.#select({ conversation: selected.conversation, index: null });
    else if (key === "ArrowLeft" || key === "ArrowRight") this.#fold(selected.conversation, key === "ArrowLeft");
    else if (key === "Delete" || key === "Backspace") this.#change({ kind: "remove", row: selected });
    else if (key === "a" || key === "+" || key === "A") this.#openMenu(selected);
    else return false;
    return true;
  }

  #controlKey(key: string): boolean {
    if (key.toLowerCase() !== "d" || !this.selected) return false;
    this.#change({ kind: "double", row: this.selected });
    return true;
  }

  #moveKey(key: string): boolean {
    const { selected } = this;
    if (!selected || (key !== "ArrowUp" && key !== "ArrowDown")) return false;
    const isDown = key === "ArrowDown";
    const all = this.outline.conversations;
    const at = all.findIndex((one) => one.key === selected.conversation);
    const here = all[at];
    const beside = all[at + (isDown ? 1 : -1)];
    if (!here) return false;
    if (selected.index === null) {
      // Goals stay above support.
      if (beside && beside.isGoal === here.isGoal)
        this.#change({ kind: "move-conversation", key: here.key, before: isDown ? (all[at + 2]?.key ?? null) : beside.key });
      return true;
    }
    const index = isDown ? selected.index + 2 : selected.index - 1;
    if (index >= 0 && index <= here.steps.length) this.#change({ kind: "move", row: selected, conversation: here.key, index });
    else if (beside) this.#change({ kind: "move", row: selected, conversation: beside.key, index: isDown ? 0 : beside.steps.length });
    return true;
  }

  #change(wish: Wish): void {
    if (!this.isReadOnly) this.#wish(wish);
  }

  #go(by: number): boolean {
    const at = this.#lineOf(this.selected);
    const last = this.#lines.length - 1;
    let next = Math.max(0, Math.min(last, at < 0 ? 0 : at + by));
    const direction = by > 0 ? 1 : -1;
    while (this.#lines[next] && !rowOf(this.#lines[next])) {
      if (next + direction < 0 || next + direction > last) {
        if (!Number.isFinite(by) || at < 0) {
          next -= direction;
          continue;
        }
        return true;
      }
      next += direction;
    }
    const row = rowOf(this.#lines[next]);
    if (row) this.#select(row);
    return true;
  }

  #select(row: Row): void {
    this.selected = row;
    this.reveal();
    this.#wish({ kind: "select", row });
  }

  // -- the menu of step types

  #openMenu(row: Row): void {
    if (this.isReadOnly) return;
    const length = this.outline.conversations.find((one) => one.key === row.conversation)?.steps.length ?? 0;
    this.menu = { conversation: row.conversation, index: row.index === null ? length : row.index + 1 };
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector<HTMLElement>(".menu")?.showPopover?.();
      this.renderRoot.querySelector<HTMLElement>(".menu button")?.focus();
    });
  }

  #placeMenu(): void {
    const menu = this.renderRoot.querySelector<HTMLElement>(".menu");
    const list = this.#list;
    if (!menu || !list || !this.menu) return;
    const { conversation, index } = this.menu;
    const row = { conversation, index: index > 0 ? index - 1 : null };
    const at = Math.max(this.#lineOf(row), this.#lineOf({ conversation, index: null }));
    const box = list.getBoundingClientRect();
    const top = box.top + (at + 1) * this.#rowHeight - list.scrollTop;
    menu.style.insetBlockStart = `${Math.max(8, Math.min(top, innerHeight - 300))}px`;
    menu.style.insetInlineStart = `${box.left + 40}px`;
  }

  #menuKey(event: KeyboardEvent): void {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>(".menu button")];
    const at = items.indexOf(event.target as HTMLElement);
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const named = items.findIndex((item, index) => index > at && item.dataset["word"]?.startsWith(event.key.toLowerCase()));
    const next = by ? items[(at + by + items.length) % items.length] : (items[named] ?? null);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  #add(type: StepType): void {
    const { menu } = this;
    this.menu = null;
    if (menu) this.#change({ kind: "add", ...menu, type });
  }

  #menuToggled(event: Event): void {
    if ((event as ToggleEvent).newState !== "closed" || !this.menu) return;
    this.menu = null;
    this.focus();
  }

  // -- pointer

  #click(event: MouseEvent): void {
    const row = this.#rowAt(event);
    if (!row) return;
    const part = (event.target as Element).closest<HTMLElement>("[data-part]")?.dataset["part"];
    if (part === "fold") this.#fold(row.conversation, !this.folded.has(row.conversation));
    else if (part === "add") {
      this.#select(row);
      this.#openMenu(row);
    } else {
      this.#select(row);
      this.#wish({ kind: "open", row });
      this.focus();
    }
  }

  #doubleClick(event: MouseEvent): void {
    const row = this.#rowAt(event);
    if (row) this.#wish({ kind: "open", row, hasFocus: true });
  }

  #lineAt(event: Event): number {
    const line = (event.target as Element | null)?.closest?.<HTMLElement>("[data-line]")?.dataset["line"];
    return line === undefined ? -1 : Number(line);
  }

  #rowAt(event: Event): Row | null {
    return rowOf(this.#lines[this.#lineAt(event)]);
  }

  #dragStart(event: DragEvent): void {
    const row = this.#rowAt(event);
    if (!row || this.isReadOnly || !event.dataTransfer) return;
    this.#dragged = row;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", row.conversation);
  }

  #dragOver(event: DragEvent): void {
    const list = this.#list;
    if (!this.#dragged || !list) return;
    const y = event.clientY - list.getBoundingClientRect().top + list.scrollTop;
    const at = Math.max(1, Math.min(this.#lines.length, Math.round(y / this.#rowHeight)));
    if (!this.#target(at)) {
      this.drop = null;
      return;
    }
    event.preventDefault();
    this.drop = at;
  }

  #dropped(event: DragEvent): void {
    event.preventDefault();
    const wish = this.drop === null ? null : this.#target(this.drop);
    this.#dragEnd();
    if (wish) this.#change(wish);
  }

  #dragEnd(): void {
    this.#dragged = null;
    this.drop = null;
  }

  /** What dropping before a line means. */
  #target(at: number): Wish | null {
    const row = this.#dragged;
    if (!row) return null;
    const before = this.#lines[at - 1];
    if (row.index === null) {
      const next = this.#lines.slice(at).find((line) => line.kind === "conversation");
      return { kind: "move-conversation", key: row.conversation, before: next?.kind === "conversation" ? next.conversation.key : null };
    }
    if (!before || before.kind === "heading") return null;
    const index = before.kind === "step" ? before.step.index + 1 : before.kind === "conversation" && this.folded.has(before.conversation.key) ? before.conversation.steps.length : 0;
    return { kind: "move", row, conversation: before.conversation.key, index };
  }

  // -- drawing

  override render() {
    const shown = this.#lines.slice(this.from, this.to);
    const active = this.#lineOf(this.selected);
    const isDrawn = active >= this.from && active < this.to;
    return html`<div
        class="list"
        role="tree"
        tabindex="0"
        aria-label=${words.outline}
        aria-activedescendant=${isDrawn ? `line-${active}` : nothing}
        @scroll=${this.#window}
        @keydown=${this.#key}
        @click=${this.#click}
        @dblclick=${this.#doubleClick}
        @dragstart=${this.#dragStart}
        @dragover=${this.#dragOver}
        @dragleave=${() => (this.drop = null)}
        @drop=${this.#dropped}
        @dragend=${this.#dragEnd}
      >
        <div class="space" role="presentation"></div>
        ${repeat(shown, (_, index) => this.from + index, (line, index) => this.#line(line, this.from + index))}
        <div class="space" role="presentation"></div>
      </div>
      <div class="menu" popover="auto" role="menu" aria-label=${words.addStep} @toggle=${this.#menuToggled} @keydown=${this.#menuKey}>
        ${this.menu ? STEP_TYPES.map((type) => this.#menuItem(type)) : nothing}
      </div>`;
  }

  #menuItem(type: StepType): TemplateResult {
    return html`<button type="button" role="menuitem" data-word=${wordFor(words.type, type)} @click=${() => this.#add(type)}>
      ${stepIcons[type]}<span><strong>${wordFor(words.type, type)}</strong> <span class="quiet">${wordFor(words.typeHelp, type)}</span></span>
    </button>`;
  }

  #line(line: Line, at: number): TemplateResult {
    const dropped = this.drop === at ? " before" : this.drop === at + 1 && at === this.#lines.length - 1 ? " after" : "";
    if (line.kind === "heading") return html`<div class="heading${dropped}" role="presentation">${line.title}</div>`;
    if (line.kind === "empty") return html`<div class="none${dropped}" role="presentation">${words.noSteps}</div>`;
    return line.kind === "conversation" ? this.#conversation(line, at, dropped) : this.#step(line.conversation, line.step, at, dropped);
  }

  #conversation({ conversation, position, of }: Line & { kind: "conversation" }, at: number, dropped: string): TemplateResult {
    const row = { conversation: conversation.key, index: null };
    const isFolded = this.folded.has(conversation.key);
    return html`<div
      id="line-${at}"
      data-line=${at}
      class="row conversation${dropped}${conversation.isGoal ? " goal" : ""}"
      role="treeitem"
      aria-level="1"
      aria-posinset=${position}
      aria-setsize=${of}
      aria-expanded=${isFolded ? "false" : "true"}
      aria-selected=${isSameRow(row, this.selected) ? "true" : "false"}
      draggable=${this.isReadOnly ? "false" : "true"}
    >
      <span class="fold" data-part="fold">${fold}</span>
      <strong>${conversation.title}</strong>
      ${conversation.title === conversation.key ? nothing : html`<code>${conversation.key}</code>`}
      <span class="end">
        ${this.#mark(row)}
        <span class="count">${words.stepCount(conversation.steps.length)}</span>
        <span class="add" data-part="add" title=${words.addTo(conversation.title)}>${plus}</span>
      </span>
    </div>`;
  }

  #step(conversation: Conversation, step: Step, at: number, dropped: string): TemplateResult {
    const row = { conversation: conversation.key, index: step.index };
    return html`<div
      id="line-${at}"
      data-line=${at}
      class="row step${dropped}"
      data-type=${step.type}
      role="treeitem"
      aria-level="2"
      aria-posinset=${step.index + 1}
      aria-setsize=${conversation.steps.length}
      aria-selected=${isSameRow(row, this.selected) ? "true" : "false"}
      draggable=${this.isReadOnly ? "false" : "true"}
    >
      <span class="type">${stepIcons[step.type] ?? warn}<span>${step.type ? wordFor(words.type, step.type) : words.unknownType}</span></span>
      <span class="text">${step.text}</span>
      ${step.more ? html`<span class="more" title=${words.more(step.more)}>+${step.more}</span>` : nothing}
      <span class="end">
        ${step.conditions.map((condition) => html`<span class="chip if" title="${words.if} ${condition}"><span class="quiet">${words.if}</span> ${bare(condition)}</span>`)}
        ${step.isOptional ? html`<span class="chip">${words.optional}</span>` : nothing}
        ${step.isProtected ? html`<span class="chip" title=${words.protected}>${lock}<span class="unseen">${words.protected}</span></span>` : nothing}
        ${step.jump ? html`<span class="chip jump">→ ${step.jump}</span>` : nothing}
        ${step.entity ? html`<code class="entity" title=${step.entityType ? `${step.entity}: ${step.entityType}` : step.entity}>${step.entity}</code>` : nothing}
        ${this.#mark(row)}
      </span>
    </div>`;
  }

  #mark(row: Row) {
    const mark = this.marks.get(markKey(row));
    if (!mark) return nothing;
    return html`<span class="mark ${mark.isError ? "bad" : ""}" title=${mark.message}>${warn}<span class="unseen">${words.findings(mark.count)}</span>${mark.count > 1 ? mark.count : nothing}</span>`;
  }
}

/** A condition without the braces that each has. */
function bare(condition: string): string {
  return /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(condition)?.[1] ?? condition;
}

function rowOf(line: Line | undefined): Row | null {
  if (line?.kind === "conversation") return { conversation: line.conversation.key, index: null };
  if (line?.kind === "step") return { conversation: line.conversation.key, index: line.step.index };
  return null;
}

function linesOf(outline: Outline, folded: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  let heading = "";
  outline.conversations.forEach((conversation, at) => {
    const title = conversation.isGoal ? words.goals : words.support;
    if (title !== heading) lines.push({ kind: "heading", title: (heading = title) });
    lines.push({ kind: "conversation", conversation, position: at + 1, of: outline.conversations.length });
    if (folded.has(conversation.key)) return;
    if (!conversation.steps.length) lines.push({ kind: "empty", conversation });
    for (const step of conversation.steps) lines.push({ kind: "step", conversation, step });
  });
  return lines;
}
