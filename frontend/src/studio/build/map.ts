// <build-map>: the picture of the flow. A box a conversation, a row a step, an arrow where the flow jumps; it is moved and zoomed by
// keys and wheel, and a click opens the conversation or the step.

import { css, html, LitElement, nothing, svg, type SVGTemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { plus } from "../icons";
import { controls } from "../shared-styles";
import type { Files, Workspace } from "../workspace";
import { type Box, picture } from "./api";
import { WishEvent } from "./events";
import type { Row } from "./flow-outline";
import { isSame } from "./json-edit";
import { BOX_WIDTH, HEAD, type Layout, layout, type PlacedBox, type PlacedRow } from "./map-layout";
import { type Mark, markKey } from "./outline";
import { minus, whole } from "./step-icons";
import { wordFor, words } from "./words";

const DRAW_AFTER_MS = 250;
const MIN_ZOOM = 0.1;
const MAX_ZOOM = 2;
const STEP = 80;
/** Boxes that are drawn for the first time within one frame: those of a large flow together would hold the page. */
const BOXES_AT_ONCE = 16;

export class BuildMap extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    workspace: { attribute: false },
    files: { attribute: false },
    marks: { attribute: false },
    drawn: { state: true },
    shown: { state: true },
    problem: { state: true },
  };

  static override styles = [
    base,
    controls,
    css`
      :host {
        display: block;
        position: relative;
        min-block-size: 0;
        overflow: hidden;
      }

      .ground {
        inline-size: 100%;
        block-size: 100%;
        overflow: hidden;
        cursor: grab;
        touch-action: none;
      }

      .ground:active {
        cursor: grabbing;
      }

      .ground:focus-visible {
        outline-offset: -2px;
      }

      svg.map {
        display: block;
        transform-origin: 0 0;
        overflow: visible;
      }

      text {
        fill: var(--text);
        font: 13px var(--font);
      }

      .title {
        font-size: 13.5px;
        font-weight: 600;
      }

      .kind,
      .small,
      .section {
        fill: var(--quiet);
      }

      .small {
        font-size: 11px;
      }

      .section {
        font-size: 12px;
      }

      .box {
        fill: var(--panel);
        stroke: var(--line);
      }

      .head {
        fill: var(--raised);
      }

      .goal .head {
        fill: var(--brand-quiet);
      }

      .line {
        fill: transparent;
      }

      [role="button"] {
        cursor: default;
        outline: none;
      }

      [role="button"]:hover > .line,
      [role="button"]:focus-visible > .line {
        fill: color-mix(in oklab, transparent, var(--text) 7%);
      }

      [role="button"]:focus-visible > .line {
        stroke: var(--focus);
        stroke-width: 2;
      }

      .jump {
        fill: none;
        stroke: var(--brand-line);
        stroke-width: 1.5;
        opacity: 0.75;
      }

      .tip {
        fill: var(--brand-line);
      }

      .bad {
        fill: var(--danger);
      }

      .doubt {
        fill: light-dark(oklch(0.6 0.13 75), oklch(0.82 0.12 85));
      }

      .problem {
        position: absolute;
        inset: 12px 16px auto;
        max-inline-size: 60ch;
        margin: 0 auto;
        padding: 8px 14px;
        border: 1px solid var(--line);
        border-radius: 10px;
        background: var(--panel);
        color: var(--danger);
      }

      .tools {
        position: absolute;
        inset-block-end: 14px;
        inset-inline-end: 16px;
        display: flex;
        align-items: center;
        gap: 2px;
        padding: 3px;
        border: 1px solid var(--line);
        border-radius: 10px;
        background: var(--panel);
        box-shadow: 0 4px 16px var(--shadow);
      }

      .tools span {
        padding-inline: 8px;
        color: var(--quiet);
        font-size: 12px;
      }

      @container build (max-width: 619px) {
        .tools span {
          display: none;
        }
      }
    `,
  ];

  declare api: Api;
  declare bot: string;
  declare workspace: Workspace;
  declare files: Files;
  declare marks: ReadonlyMap<string, Mark>;
  declare drawn: Layout | null;
  /** Boxes of `drawn`, from its first, that are on the page or come with the next drawing. */
  declare shown: number;
  declare problem: string;
  #zoom = 0;
  #x = 0;
  #y = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #dragged: { readonly x: number; readonly y: number; hasMoved: boolean } | null = null;

  constructor() {
    super();
    this.bot = this.problem = "";
    this.files = {};
    this.marks = new Map();
    this.drawn = null;
    this.shown = BOXES_AT_ONCE;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    if (changes.has("files")) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#draw(), this.drawn ? DRAW_AFTER_MS : 0);
    }
    if (changes.has("drawn") && this.drawn && !this.#zoom) this.#showAll();
    this.#place();
    if (this.drawn && this.shown < this.drawn.boxes.length && !this.#frame) this.#frame = requestAnimationFrame(() => this.#showMore());
  }

  #showMore(): void {
    this.#frame = 0;
    this.shown += BOXES_AT_ONCE;
  }

  async #draw(): Promise<void> {
    const { files } = this;
    try {
      const boxes = await picture(this.api, this.bot, this.workspace.changed());
      if (files !== this.files) return;
      this.drawn = layout(this.#kept(boxes));
      this.problem = "";
    } catch (error) {
      // A flow that cannot be loaded keeps its last picture.
      this.problem = (error as Error).message;
    }
  }

  /** Puts the boxes that are drawn already in place of those that are the same: they are not drawn again. */
  #kept(boxes: readonly Box[]): Box[] {
    const drawn = new Map(this.drawn?.boxes.map(({ box }) => [box.key, box]));
    return boxes.map((box) => {
      const before = drawn.get(box.key);
      return before && isSame(before, box) ? before : box;
    });
  }

  get #ground(): HTMLElement | null {
    return this.renderRoot.querySelector(".ground");
  }

  #place(): void {
    const map = this.renderRoot.querySelector<SVGSVGElement>("svg.map");
    if (map) map.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#zoom || 1})`;
  }

  #showAll(): void {
    const { drawn } = this;
    const ground = this.#ground;
    if (!drawn || !ground) return;
    const fits = Math.min(ground.clientWidth / drawn.width, ground.clientHeight / drawn.height);
    // Readable before complete: what does not fit is reached by moving.
    this.#zoom = Math.min(1, Math.max(fits, Math.min(0.55, ground.clientWidth / drawn.width)));
    this.#x = Math.max(0, (ground.clientWidth - drawn.width * this.#zoom) / 2);
    this.#y = 0;
    this.#place();
  }

  #zoomBy(factor: number, x?: number, y?: number): void {
    const ground = this.#ground;
    if (!ground) return;
    const [atX, atY] = [x ?? ground.clientWidth / 2, y ?? ground.clientHeight / 2];
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.#zoom * factor));
    const ratio = zoom / this.#zoom;
    this.#x = atX - (atX - this.#x) * ratio;
    this.#y = atY - (atY - this.#y) * ratio;
    this.#zoom = zoom;
    this.#place();
  }

  #moveBy(x: number, y: number): void {
    this.#x += x;
    this.#y += y;
    this.#place();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const box = this.getBoundingClientRect();
      this.#zoomBy(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    } else this.#moveBy(event.shiftKey ? -event.deltaY : -event.deltaX, event.shiftKey ? 0 : -event.deltaY);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
    const move = moves[event.key];
    if (move) this.#moveBy(...move);
    else if (event.key === "+" || event.key === "=") this.#zoomBy(1.2);
    else if (event.key === "-") this.#zoomBy(1 / 1.2);
    else if (event.key === "0") this.#showAll();
    else if ((event.key === "Enter" || event.key === " ") && this.#rowAt(event)) this.#open(event);
    else return;
    event.preventDefault();
  }

  #down(event: PointerEvent): void {
    if (event.button === 0) this.#dragged = { x: event.clientX, y: event.clientY, hasMoved: false };
  }

  #drag(event: PointerEvent): void {
    const dragged = this.#dragged;
    if (!dragged) return;
    const [x, y] = [event.clientX - dragged.x, event.clientY - dragged.y];
    if (!dragged.hasMoved && Math.hypot(x, y) < 4) return;
    this.#dragged = { x: event.clientX, y: event.clientY, hasMoved: true };
    this.#moveBy(x, y);
  }

  #up(event: PointerEvent): void {
    const wasMoved = this.#dragged?.hasMoved;
    this.#dragged = null;
    if (!wasMoved) this.#open(event);
  }

  #rowAt(event: Event): Row | null {
    const at = (event.target as Element).closest<SVGElement>("[data-key]");
    if (!at) return null;
    const { key = "", index } = at.dataset;
    return { conversation: key, index: index === undefined ? null : Number(index) };
  }

  #open(event: Event): void {
    const row = this.#rowAt(event);
    if (row) this.dispatchEvent(new WishEvent({ kind: "open", row }));
  }

  /** What has the focus is brought into view. */
  #focused(event: FocusEvent): void {
    const box = (event.target as Element).getBoundingClientRect();
    const ground = this.getBoundingClientRect();
    if (event.target === this.#ground) return;
    const x = box.left < ground.left ? ground.left - box.left + 16 : box.right > ground.right ? ground.right - box.right - 16 : 0;
    const y = box.top < ground.top ? ground.top - box.top + 16 : box.bottom > ground.bottom ? ground.bottom - box.bottom - 16 : 0;
    if (x || y) this.#moveBy(x, y);
    this.#ground?.scrollTo(0, 0);
  }

  override render() {
    const { drawn } = this;
    const button = (name: string, icon: unknown, run: () => void) => html`<button type="button" class="plain brief" aria-label=${name} title=${name} @click=${run}>${icon}</button>`;
    return html`<div
        class="ground"
        tabindex="0"
        role="group"
        aria-label=${words.map}
        @wheel=${this.#wheel}
        @keydown=${this.#key}
        @pointerdown=${this.#down}
        @pointermove=${this.#drag}
        @pointerup=${this.#up}
        @pointerleave=${() => (this.#dragged = null)}
        @focusin=${this.#focused}
      >
        ${drawn ? this.#map(drawn) : nothing}
      </div>
      ${this.problem ? html`<p class="problem" role="status">${this.problem}</p>` : nothing}
      <div class="tools"><span>${words.mapHelp}</span>${button(words.zoomOut, minus, () => this.#zoomBy(1 / 1.2))}${button(words.zoomIn, plus, () => this.#zoomBy(1.2))}${button(words.zoomAll, whole, () => this.#showAll())}</div>`;
  }

  #map(drawn: Layout) {
    return html`<svg class="map" width=${drawn.width} height=${drawn.height} viewBox="0 0 ${drawn.width} ${drawn.height}">
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0 8 4 0 8z" /></marker>
      </defs>
      ${drawn.sections.map(({ isGoal, y }) => svg`<text class="section" x="32" y=${y}>${isGoal ? words.goals : words.support}</text>`)}
      ${drawn.boxes.slice(0, this.shown).map((one) => guard([one.box, one.x, one.y, this.marks], () => this.#box(one)))}
      ${this.shown < drawn.boxes.length ? nothing : drawn.arrows.map(({ path }) => svg`<path class="jump" d=${path} marker-end="url(#tip)" />`)}
    </svg>`;
  }

  #box({ box, x, y, height, rows }: PlacedBox): SVGTemplateResult {
    return svg`<g class=${box.isGoal ? "goal" : ""}>
      <rect class="box" x=${x + 0.5} y=${y + 0.5} width=${BOX_WIDTH} height=${height} rx="10" />
      <g role="button" tabindex="0" data-key=${box.key} aria-label=${words.openConversation(box.title)}>
        <path class="head" d="M${x + 1} ${y + HEAD - 4}v${14 - HEAD}a9.5 9.5 0 0 1 9.5 -9.5h${BOX_WIDTH - 20}a9.5 9.5 0 0 1 9.5 9.5v${HEAD - 14}z" />
        <rect class="line" x=${x + 2} y=${y + 2} width=${BOX_WIDTH - 3} height=${HEAD - 7} rx="8" />
        <text class="title" x=${x + 14} y=${y + 23}>${cut(box.title, 36)}<title>${box.title} (${box.key})</title></text>
        ${this.#dot({ conversation: box.key, index: null }, x, y + HEAD / 2 - 2)}
      </g>
      ${rows.map((row, index) => this.#row(box, row, index, x))}
    </g>`;
  }

  #row(box: Box, { row, y }: PlacedRow, index: number, x: number): SVGTemplateResult {
    const verb = wordFor(words.verb, row.kind);
    const condition = row.condition.replaceAll(/\{\{|\}\}/g, "");
    const name = `${verb} ${row.text}${condition && ` ${words.if} ${condition}`}${row.isProtected ? `, ${words.protected}` : ""}`;
    return svg`<g role="button" tabindex="-1" data-key=${box.key} data-index=${index} aria-label=${name}>
      <rect class="line" x=${x + 4} y=${y} width=${BOX_WIDTH - 7} height=${condition ? 42 : 26} rx="6" />
      <text class="kind" x=${x + 14} y=${y + 17}>${verb}</text>
      <text x=${x + 84} y=${y + 17}>${row.isProtected ? "🔒 " : ""}${cut(row.text, 28)}<title>${row.text}</title></text>
      ${condition ? svg`<text class="small" x=${x + 84} y=${y + 33}>${words.if} ${cut(condition, 34)}<title>${row.condition}</title></text>` : nothing}
      ${this.#dot({ conversation: box.key, index }, x, y + 13)}
    </g>`;
  }

  #dot(row: Row, x: number, y: number) {
    const mark = this.marks.get(markKey(row));
    return mark ? svg`<circle class=${mark.isError ? "bad" : "doubt"} cx=${x + BOX_WIDTH - 12} cy=${y} r="4"><title>${mark.message}</title></circle>` : nothing;
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
