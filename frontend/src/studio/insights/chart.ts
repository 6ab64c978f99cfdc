// <studio-chart>: lines of numbers by day. A picture alone: the table beside it holds the same for those who do not see it.

import { css, html, LitElement, unsafeCSS } from "lit";
import uPlot from "uplot";
import sheet from "uplot/dist/uPlot.min.css?inline";
import { base } from "../../view/tokens";
import { number } from "../conversations/words";
import { day, words } from "./words";

export interface Line {
  readonly title: string;
  readonly values: readonly number[];
}

const HEIGHT = 200;

export class StudioChart extends LitElement {
  static override properties = { days: { attribute: false }, lines: { attribute: false } };

  static override styles = [
    base,
    unsafeCSS(sheet),
    css`
      :host {
        display: block;
        min-block-size: 240px;
      }

      .colours {
        display: none;
      }

      .first {
        color: var(--brand-ink);
      }

      .second {
        color: light-dark(oklch(0.52 0.14 152), oklch(0.76 0.14 152));
      }

      .axis {
        color: var(--quiet);
        border-color: var(--line);
      }

      .u-legend {
        padding-block-start: 4px;
        color: var(--quiet);
        font-size: 12.5px;
        text-align: start;
      }

      .u-legend th {
        font-weight: 500;
      }

      .u-legend .u-value {
        color: var(--text);
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  /** Days such as 2026-11-20. */
  declare days: readonly string[];
  declare lines: readonly Line[];
  #plot: uPlot | null = null;
  #watch: ResizeObserver | null = null;
  #scheme = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    super();
    this.days = this.lines = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#scheme.addEventListener("change", this.#draw);
    this.#watch = new ResizeObserver(() => this.#plot?.setSize({ width: this.clientWidth, height: HEIGHT }));
    this.#watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#scheme.removeEventListener("change", this.#draw);
    this.#watch?.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  protected override updated(): void {
    this.#draw();
  }

  #colour(name: string, property = "color"): string {
    const found = this.renderRoot.querySelector(`.${name}`);
    return found ? getComputedStyle(found).getPropertyValue(property) : "gray";
  }

  #draw = (): void => {
    const place = this.renderRoot.querySelector<HTMLElement>(".plot");
    if (!place || !this.isConnected) return;
    this.#plot?.destroy();
    const [quiet, grid] = [this.#colour("axis"), this.#colour("axis", "border-top-color")];
    const font = `12px ${getComputedStyle(this).fontFamily}`;
    const axis: uPlot.Axis = { stroke: quiet, font, ticks: { stroke: grid, width: 1 }, grid: { stroke: grid, width: 1 } };
    const times = this.days.map((name) => Date.parse(name) / 1000);
    const options: uPlot.Options = {
      width: this.clientWidth || 600,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: { drag: { x: false, y: false } },
      scales: { y: { range: (_, __, most) => [0, Math.max(4, Math.ceil(most * 1.1))] } },
      axes: [
        { ...axis, grid: { show: false }, values: (_, splits) => splits.map((at) => day(new Date(at * 1000).toISOString())), space: 80, incrs: [1, 2, 7, 14, 30, 60, 90].map((days) => days * 86400) },
        { ...axis, size: 48, values: (_, splits) => splits.map((at) => number(at)), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000] },
      ],
      series: [
        { value: (_, at) => (at === null || at === undefined ? "–" : day(new Date(at * 1000).toISOString())), label: words.day },
        ...this.lines.map((line, index): uPlot.Series => {
          const stroke = this.#colour(index ? "second" : "first");
          const value = (_: uPlot, at: number | null) => (at === null || at === undefined ? "–" : number(at));
          return { label: line.title, stroke, width: 2, points: { show: times.length < 40, size: 5, fill: stroke }, value };
        }),
      ],
    };
    this.#plot = new uPlot(options, [times, ...this.lines.map(({ values }) => [...values])], place);
  };

  override render() {
    return html`<div class="colours"><i class="first"></i><i class="second"></i><i class="axis"></i></div>
      <div class="plot" aria-hidden="true"></div>`;
  }
}
