// A day from a month's grid, by keys, or typed as people of the language write it. The answer is `YYYY-MM-DD`.

import { backward, base, css, fill, forward, html, icon, nothing, plain, regional, svg } from "../shared-with-dialogs";
import { addMonths, type Day, firstWeekday, iso, LONG, parts, pattern, PLAIN, read, SHORT, today, weekday, weekdayNames, weeks, written } from "./days";
import { type Offered, offeredDays } from "./offered-days";
import { Panel } from "./panel";
import { markedColours, panel } from "./style";

const doubleBackward = icon(svg`<path d="m15.5 5-5 5 5 5M9 5l-5 5 5 5" />`);
const doubleForward = icon(svg`<path d="m4.5 5 5 5-5 5M11 5l5 5-5 5" />`);

export class DialoomDate extends Panel {
  static override properties = {
    ...Panel.properties,
    now: { attribute: false },
    at: { state: true },
    chosen: { state: true },
    problem: { state: true },
    hasLetters: { state: true },
  };

  static override styles = [
    base,
    panel,
    css`
      .calendar {
        padding: 4px 12px 0;
      }

      .head {
        display: flex;
        align-items: center;
        min-block-size: 44px;
      }

      .month {
        flex: 1;
        margin: 0;
        font-size: 15px;
        font-weight: 600;
        text-align: center;
      }

      .round svg {
        inline-size: 18px;
      }

      table {
        inline-size: 100%;
        max-inline-size: 360px;
        margin-inline: auto;
        border-collapse: collapse;
        table-layout: fixed;
      }

      th {
        block-size: 28px;
        padding: 0;
        color: var(--quiet);
        font-size: 12px;
        font-weight: 500;
      }

      td {
        padding: 1px 0;
        text-align: center;
      }

      td span {
        display: grid;
        place-items: center;
        inline-size: 40px;
        block-size: 40px;
        margin: auto;
        border-radius: 50%;
        font-variant-numeric: tabular-nums;
      }

      td:focus {
        outline: none;
      }

      td:focus-visible span {
        outline: 2px solid var(--focus);
        outline-offset: 1px;
      }

      td {
        cursor: pointer;
        -webkit-tap-highlight-color: transparent;
      }

      .outside {
        color: var(--quiet);
      }

      .off {
        color: var(--quiet);
        cursor: default;
      }

      .off span {
        text-decoration: line-through;
      }

      .round[aria-disabled] {
        opacity: 0.35;
        cursor: default;
      }

      .today span {
        box-shadow: inset 0 0 0 1.5px var(--brand-line);
        color: var(--brand-ink);
        font-weight: 600;
      }

      @media (hover: hover) {
        td:not(.off):hover span {
          background: var(--raised);
        }
      }

      td[aria-selected="true"] span {
        background: var(--brand);
        color: var(--brand-text);
        box-shadow: none;
        font-weight: 600;
      }

      /* Six weeks' room, so that the buttons do not move from month to month. */
      .room {
        min-block-size: 280px;
      }

      @media (pointer: coarse) {
        .calendar {
          padding-inline: 4px;
        }

        td span {
          inline-size: 42px;
          block-size: 42px;
        }

        .room {
          min-block-size: 292px;
        }
      }

      @container (max-height: 320px) {
        .room {
          min-block-size: 0;
        }
      }

      @media (forced-colors: active) {
        .off {
          color: GrayText;
        }

        .today span {
          outline: 1px solid CanvasText;
          outline-offset: -2px;
        }

        td[aria-selected="true"] span {
          ${markedColours}
        }
      }
    `,
  ];

  /** Today; tests give their own. */
  declare now: Day;
  /** The day that the keys are at, in the month shown. */
  declare at: Day;
  declare chosen: Day | null;
  /** What keeps the typed or aimed at day from being chosen. */
  declare problem: "" | "unread" | "off";
  /** The typed text has letters, which bring their own direction; figures run from left to right everywhere. */
  declare hasLetters: boolean;

  constructor() {
    super();
    this.now = today();
    this.at = this.now;
    this.chosen = null;
    this.problem = "";
    this.hasLetters = false;
  }

  #offered: Offered = offeredDays({});

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("dialog") && !changed.has("now")) return;
    this.#offered = offeredDays(this.dialog);
    this.at = this.#offered.nearest(this.at);
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>("[tabindex='0']")?.focus(options);
  }

  get #tag(): string {
    return regional(this.locale);
  }

  override render() {
    const { words, problem } = this;
    const tag = this.#tag;
    return html`
      <div class="part">
        <label class="label" for="typed">${words.date}</label>
        <input
          id="typed"
          class="input"
          dir=${this.hasLetters ? "auto" : "ltr"}
          autocomplete="off"
          enterkeyhint="done"
          placeholder=${pattern(tag)}
          aria-invalid=${problem ? "true" : nothing}
          aria-describedby="said"
          @input=${this.#typed}
          @change=${this.#typedOut}
          @keydown=${this.#entered}
        />
        <p id="said" class="hint ${problem ? "wrong" : ""}" role="status">${this.#said(tag)}</p>
      </div>
      <div class="calendar">
        <div class="head directed">
          ${this.#turn(-12, words.previousYear, doubleBackward)} ${this.#turn(-1, words.previousMonth, backward)}
          <p id="month" class="month" aria-live="polite">${written(this.at, tag, { year: "numeric", month: "long" })}</p>
          ${this.#turn(1, words.nextMonth, forward)} ${this.#turn(12, words.nextYear, doubleForward)}
        </div>
        <div class="room">${this.#grid(tag)}</div>
      </div>
      <div class="foot">
        <button type="button" class="act" ?disabled=${this.chosen === null} @click=${this.#submit}>
          <span dir="auto">${plain(this.dialog.buttonText) || words.submit}</span>
        </button>
      </div>
    `;
  }

  /** The day that is chosen, or why there is none; else which days there are. */
  #said(tag: string): unknown {
    const { words, chosen, problem } = this;
    const { least, most } = this.#offered;
    const [from, to] = [least, most].map((day) => (day === null ? "" : written(day, tag, PLAIN)));
    if (problem === "unread") return fill(words.notADate, { example: written(this.#offered.nearest(this.now), tag, SHORT) });
    if (problem === "off" && this.#offered.isWithin(this.#aimed)) return fill(words.dayOff, { day: written(this.#aimed, tag, LONG) });
    if (chosen !== null) return written(chosen, tag, LONG);
    if (from && to) return fill(words.fromTo, { from, to });
    return from ? fill(words.fromDay, { from }) : to ? fill(words.untilDay, { to }) : nothing;
  }

  #turn(months: number, label: string, picture: unknown) {
    const there = this.#offered.nearest(addMonths(this.at, months));
    const isOver = sameMonth(there, this.at);
    const turn = () => {
      if (!isOver) this.at = there;
    };
    return html`<button type="button" class="round" aria-label=${label} title=${label} aria-disabled=${isOver ? "true" : nothing} @click=${turn}>
      ${picture}
    </button>`;
  }

  #grid(tag: string) {
    const rows = weeks(this.at, firstWeekday(tag));
    const { month } = parts(this.at);
    const names = weekdayNames(rows[0] ?? [], tag);
    return html`<table role="grid" aria-labelledby="month" @keydown=${this.#pressed} @click=${this.#clicked}>
      <thead>
        <tr>
          ${rows[0]?.map((day, index) => html`<th scope="col" abbr=${written(day, tag, { weekday: "long" })}>${names[index]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => html`<tr>${row.map((day) => this.#cell(day, month, tag))}</tr>`)}
      </tbody>
    </table>`;
  }

  #cell(day: Day, month: number, tag: string) {
    const outside = parts(day).month === month ? "" : "outside";
    const isOff = this.#offered.isOff(day);
    const name = written(day, tag, LONG);
    return html`<td
      class="${outside} ${isOff ? "off" : ""} ${day === this.now ? "today" : ""}"
      data-day=${day}
      tabindex=${day === this.at ? "0" : "-1"}
      aria-selected=${day === this.chosen ? "true" : "false"}
      aria-current=${day === this.now ? "date" : nothing}
      aria-disabled=${isOff ? "true" : nothing}
      aria-label=${isOff ? fill(this.words.dayOff, { day: name }) : name}
    >
      <span>${new Intl.NumberFormat(tag).format(parts(day).day)}</span>
    </td>`;
  }

  // -- acting

  #clicked(event: MouseEvent): void {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("td");
    if (!cell) return;
    const day = Number(cell.dataset.day);
    if (event.detail === 2 && day === this.chosen) this.#submit(event);
    else this.#choose(day);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isRightToLeft = getComputedStyle(this).direction === "rtl";
    const side = isRightToLeft ? -1 : 1;
    const inWeek = (weekday(this.at) - firstWeekday(this.#tag) + 7) % 7;
    const turned = event.shiftKey ? 12 : 1;
    const moves: Record<string, Day> = {
      ArrowLeft: this.at - side,
      ArrowRight: this.at + side,
      ArrowUp: this.at - 7,
      ArrowDown: this.at + 7,
      Home: this.at - inWeek,
      End: this.at + 6 - inWeek,
      PageUp: addMonths(this.at, -turned),
      PageDown: addMonths(this.at, turned),
    };
    const there = moves[event.key];
    if (event.key === "Enter" || event.key === " ") {
      if (event.key === "Enter" && this.chosen === this.at) this.#submit(event);
      else this.#choose(this.at);
    } else if (there !== undefined) {
      this.at = this.#offered.nearest(there);
      void this.updateComplete.then(() => this.focus());
    } else return;
    event.preventDefault();
  }

  /** The day that was typed or pressed last. */
  #aimed: Day = 0;

  #choose(day: Day): void {
    this.#aimed = day;
    if (this.#offered.isOff(day)) {
      this.problem = "off";
      this.chosen = null;
      this.requestUpdate();
      return;
    }
    this.at = this.chosen = day;
    this.problem = "";
    const input = this.#input;
    if (input) input.value = written(day, this.#tag, SHORT);
    // The cell that was clicked may be of another month, which is drawn again.
    void this.updateComplete.then(() => this.focus());
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  #typed(event: Event): void {
    const text = (event.target as HTMLInputElement).value;
    const day = read(text, this.#tag, this.now);
    this.hasLetters = /\p{L}/u.test(text);
    const isOff = day !== null && this.#offered.isOff(day);
    this.chosen = isOff ? null : day;
    // Half of a date is no mistake yet.
    this.problem = "";
    if (day === null) return;
    this.#aimed = day;
    this.at = this.#offered.nearest(day);
  }

  #typedOut(event: Event): void {
    const text = (event.target as HTMLInputElement).value;
    if (this.chosen === null && text.trim() !== "") this.problem = read(text, this.#tag, this.now) === null ? "unread" : "off";
  }

  #entered(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    this.#typedOut(event);
    this.#submit(event);
  }

  #submit(event: Event): void {
    if (this.chosen === null) return;
    const isByKey = event instanceof KeyboardEvent || (event as MouseEvent).detail === 0;
    this.hand({ option: { value: iso(this.chosen) }, ...this.ask }, written(this.chosen, this.#tag, LONG), isByKey);
  }
}

function sameMonth(one: Day, other: Day): boolean {
  const [first, second] = [parts(one), parts(other)];
  return first.month === second.month && first.year === second.year;
}
