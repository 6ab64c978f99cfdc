// A place on the earth: the device's own position, one of the flow's places, one that the service's search finds, or
// coordinates typed. Whatever it is, it is read back before it is sent.

import { base, css, fill, html, inWords, nothing, pin, plain, regional } from "../shared-with-dialogs";
import { type Spot, type Spots, spotOf } from "../protocol/wire";
import { readLatitude, readLongitude, readPair } from "./coordinates";
import { Panel } from "./panel";
import { drawMap, mapStyles } from "./map";
import { folded, search as matching } from "./search";
import { panel } from "./style";

/** Milliseconds that the device has to find its position. */
const POSITION_WITHIN = 15_000;
/** Codes of GeolocationPositionError. */
const DENIED = 1;
/** Fewer places are looked over without a filter. */
const FILTER_FROM = 8;
/** More places are not drawn: who has not found theirs by then types. */
const MAX_DRAWN = 50;

export class DialoomLocation extends Panel {
  static override properties = {
    ...Panel.properties,
    latitude: { state: true },
    longitude: { state: true },
    search: { state: true },
    accuracy: { state: true },
    left: { state: true },
    query: { state: true },
    found: { state: true },
    finding: { state: true },
    chosen: { state: true },
  };

  static override styles = [
    base,
    panel,
    mapStyles,
    css`
      .part {
        display: flex;
        flex-direction: column;
        gap: 12px;
        padding-block-end: 4px;
        overflow-y: auto;
      }

      .part > * {
        flex: none;
      }

      .hint {
        margin: 0 2px;
      }

      .pair .hint {
        margin-block-start: 6px;
      }

      .or {
        display: flex;
        align-items: center;
        gap: 12px;
        margin: 0;
        color: var(--quiet);
        font-size: 13px;
      }

      .or::before,
      .or::after {
        content: "";
        flex: 1;
        border-block-start: 1px solid var(--line);
      }

      .pair {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 12px;
      }

      /* Room for what is read back: the buttons must not move when it comes. */
      .read {
        min-block-size: 44px;
      }

      /* Live regions stay in the page while they say nothing, and leave no gap then. */
      .tell:not(:has(p)) {
        margin-block-end: -12px;
      }

      .back {
        display: flex;
        align-items: center;
        gap: 8px;
        min-block-size: 44px;
        margin: 0;
        padding: 8px 14px;
        border-radius: 12px;
        background: var(--raised);
        overflow-wrap: anywhere;
      }

      .back svg {
        flex: none;
        color: var(--brand-ink);
      }

      @media (forced-colors: active) {
        .back {
          border: 1px solid;
        }

        .back svg {
          color: CanvasText;
        }
      }

      .back small {
        color: var(--quiet);
        font-size: 13px;
      }

      .find {
        display: flex;
        gap: 8px;
      }

      .find .input {
        flex: 1;
        min-inline-size: 0;
      }

      .find .act {
        flex: none;
        inline-size: auto;
      }

      fieldset {
        min-inline-size: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }

      .spots {
        margin-inline: -8px;
      }

      .spot {
        display: flex;
        align-items: center;
        gap: 12px;
        min-block-size: 48px;
        padding: 6px 8px;
        border-radius: 10px;
        cursor: pointer;
      }

      .spot input {
        flex: none;
        inline-size: 20px;
        block-size: 20px;
        margin: 0;
        accent-color: var(--brand);
      }

      .spot input:focus-visible {
        outline: none;
      }

      .spot:has(:focus-visible) {
        outline: 2px solid var(--focus);
        outline-offset: -2px;
      }

      @media (hover: hover) {
        .spot:hover {
          background: var(--raised);
        }
      }

      .spot span {
        flex: 1;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }

      .spot span > * {
        display: block;
        text-align: -webkit-match-parent;
        text-align: match-parent;
      }

      .spot b {
        font-weight: 500;
        line-height: 20px;
      }

      .spot small {
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      details > :not(summary) {
        margin-block-start: 4px;
      }

      summary {
        display: flex;
        align-items: center;
        min-block-size: 44px;
        color: var(--brand-ink);
        cursor: pointer;
      }

      .back b {
        font-weight: 600;
      }

      .back span > * {
        display: block;
      }

      .busy {
        inline-size: 18px;
        block-size: 18px;
        border: 2px solid var(--brand-line);
        border-inline-end-color: transparent;
        border-radius: 50%;
        animation: turn 0.9s linear infinite;
      }

      @keyframes turn {
        to {
          rotate: 1turn;
        }
      }
    `,
  ];

  /** As typed. */
  declare latitude: string;
  declare longitude: string;
  declare search: "" | "running" | "denied" | "failed";
  /** Metres, of a position that the device gave. */
  declare accuracy: number;
  /** Fields that were left, whose text may be called wrong. */
  declare left: ReadonlySet<string>;
  /** What the places are searched for. */
  declare query: string;
  /** What the service's search has found, null before there was one. */
  declare found: Spots | null;
  declare finding: "" | "running" | "failed";
  /** The place whose position stands in the fields. */
  declare chosen: Spot | null;

  constructor() {
    super();
    this.query = this.finding = "";
    this.found = this.chosen = null;
    this.latitude = this.longitude = "";
    this.search = "";
    this.accuracy = 0;
    this.left = new Set();
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>("button")?.focus(options);
  }

  #spots: readonly Spot[] = [];
  #folded: readonly string[] = [];

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("dialog")) return;
    this.#spots = this.dialog.options.map(spotOf).filter((spot) => spot !== null);
    this.#folded = this.#spots.map(({ title, subtitle }) => folded(`${plain(title)} ${plain(subtitle)}`));
  }

  get #canFind(): boolean {
    return this.dialog.search === true && this.find !== null;
  }

  override render() {
    const { words, search } = this;
    const [latitude, longitude] = [readLatitude(this.latitude), readLongitude(this.longitude, this.locale)];
    const isComplete = latitude !== null && longitude !== null;
    const problem = search === "denied" ? words.positionDenied : search === "failed" ? words.positionFailed : "";
    return html`
      <div class="part">
        <button type="button" class="act soft" aria-disabled=${search === "running" ? "true" : nothing} @click=${this.#locate}>
          ${search === "running" ? html`<span class="busy" aria-hidden="true"></span>` : pin}
          <span>${search === "running" ? words.locating : words.usePosition}</span>
        </button>
        <div class="tell" role="alert">${problem ? html`<p class="hint wrong">${problem}</p>` : nothing}</div>
        ${this.#search()} ${this.#coordinates(latitude, longitude)}
        <div class="read" role="status">${isComplete ? this.#back(latitude, longitude) : nothing}</div>
        ${isComplete && this.dialog.map ? drawMap(this.dialog.map, latitude, longitude, words.map) : nothing}
      </div>
      <div class="foot">
        <button type="button" class="act" ?disabled=${!isComplete} @click=${this.#submit}>
          <span dir="auto">${plain(this.dialog.buttonText) || words.submit}</span>
        </button>
      </div>
    `;
  }

  /** The places of the flow, and what the service's search has found. */
  #search(): unknown {
    const { words, found, finding } = this;
    const own = (this.query.trim() ? matching(this.#folded, this.query) : this.#spots.map((_, index) => index)).slice(0, MAX_DRAWN);
    const spots = [...own.map((index) => this.#spots[index] as Spot), ...(found?.places ?? [])];
    const hasField = this.#canFind || this.#spots.length >= FILTER_FROM;
    if (!hasField && !spots.length) return nothing;
    const isEmpty = !spots.length && (found !== null || !this.#canFind);
    return html`
      ${hasField ? this.#finder() : nothing}
      <div class="tell" role=${finding === "failed" ? "alert" : "status"}>
        ${finding === "failed" ? html`<p class="hint wrong">${words.searchFailed}</p>` : isEmpty ? html`<p class="hint">${words.notFound}</p>` : nothing}
      </div>
      ${
        spots.length
          ? html`<fieldset>
              <legend class="unseen">${words.places}</legend>
              <div class="spots">${spots.map((spot) => this.#spot(spot))}</div>
            </fieldset>`
          : nothing
      }
      ${found?.places.length && found.attribution ? html`<p class="hint" dir="auto">${found.attribution}</p>` : nothing}
    `;
  }

  #finder(): unknown {
    const { words, finding } = this;
    return html`<div class="find" role="search">
      <input
        class="input"
        type="search"
        aria-label=${words.searchPlace}
        placeholder=${words.searchPlace}
        autocomplete="off"
        spellcheck="false"
        enterkeyhint="search"
        maxlength="200"
        .value=${this.query}
        @input=${this.#queried}
        @keydown=${this.#sought}
      />
      ${
        this.#canFind
          ? html`<button type="button" class="act soft" aria-disabled=${finding === "running" ? "true" : nothing} @click=${this.#find}>
              ${finding === "running" ? words.searching : words.search}
            </button>`
          : nothing
      }
    </div>`;
  }

  #spot(spot: Spot): unknown {
    return html`<label class="spot">
      <input type="radio" name="spot" .checked=${spot === this.chosen} @change=${() => this.#choose(spot)} @keydown=${this.#entered} />
      <span>
        <b dir="auto">${plain(spot.title)}</b>
        ${spot.subtitle ? html`<small dir="auto">${plain(spot.subtitle)}</small>` : nothing}
      </span>
    </label>`;
  }

  #coordinates(latitude: number | null, longitude: number | null): unknown {
    const { words } = this;
    const pair = html`<div class="pair">
      ${this.#field("latitude", words.latitude, latitude, 90)} ${this.#field("longitude", words.longitude, longitude, 180)}
    </div>`;
    // Where there are names, hardly anybody wants figures.
    if (this.#canFind || this.#spots.length) return html`<details><summary>${words.coordinates}</summary>${pair}</details>`;
    return html`<p class="or">${words.coordinates}</p>${pair}`;
  }

  #back(latitude: number, longitude: number): unknown {
    const where = inWords(latitude, longitude, this.words, regional(this.locale));
    const name = plain(this.chosen?.title ?? "");
    return html`<p class="back">
      ${pin}<span>${name ? html`<b dir="auto">${name}</b><small>${where}</small>` : html`${where} ${this.#precision()}`}</span>
    </p>`;
  }

  #field(name: "latitude" | "longitude", label: string, value: number | null, most: number) {
    const isWrong = value === null && this[name].trim() !== "" && this.left.has(name);
    const number = new Intl.NumberFormat(regional(this.locale), { maximumFractionDigits: 4 });
    const range = { from: `\u2066${figures(number, -most)}\u2069`, to: `\u2066${figures(number, most)}\u2069` };
    return html`<div>
      <label class="label" for=${name}>${label}</label>
      <input
        id=${name}
        class="input"
        dir="ltr"
        inputmode="text"
        autocomplete="off"
        spellcheck="false"
        placeholder=${`−${number.format(most)} … ${number.format(most)}`}
        enterkeyhint="done"
        .value=${this[name]}
        aria-invalid=${isWrong ? "true" : nothing}
        aria-describedby=${isWrong ? `${name}-range` : nothing}
        @input=${(event: Event) => this.#typed(name, (event.target as HTMLInputElement).value)}
        @change=${() => this.#leave(name)}
        @paste=${this.#pasted}
        @keydown=${this.#entered}
      />
      ${isWrong ? html`<p id=${`${name}-range`} class="hint wrong">${fill(this.words.fromTo, range)}</p>` : nothing}
    </div>`;
  }

  #precision() {
    if (!this.accuracy) return nothing;
    const metres = new Intl.NumberFormat(regional(this.locale), { style: "unit", unit: "meter", maximumFractionDigits: 0 });
    return html`<small>±\u00A0${metres.format(this.accuracy)}</small>`;
  }

  // -- acting

  #locate(): void {
    if (this.search === "running") return;
    this.chosen = null;
    // Browsers hide the position from pages that are not secure, some by taking the whole interface away.
    if (!navigator.geolocation) {
      this.search = "failed";
      return;
    }
    this.search = "running";
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        this.search = "";
        this.accuracy = coords.accuracy;
        const number = new Intl.NumberFormat(regional(this.locale), { maximumFractionDigits: 6, useGrouping: false });
        this.latitude = figures(number, coords.latitude);
        this.longitude = figures(number, coords.longitude);
        void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".foot .act")?.focus());
      },
      (error) => {
        this.search = error.code === DENIED ? "denied" : "failed";
      },
      { enableHighAccuracy: true, timeout: POSITION_WITHIN, maximumAge: 60_000 },
    );
  }

  #choose(spot: Spot): void {
    const number = new Intl.NumberFormat(regional(this.locale), { maximumFractionDigits: 6, useGrouping: false });
    this.chosen = spot;
    this.accuracy = 0;
    this.latitude = figures(number, spot.latitude);
    this.longitude = figures(number, spot.longitude);
  }

  #queried(event: Event): void {
    this.query = (event.target as HTMLInputElement).value;
    // What was found for other words is no answer to these.
    this.found = null;
    this.finding = "";
  }

  #sought(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    void this.#find();
  }

  /** Asks once the words are whole: geocoders forbid a question for each letter. */
  #find = async (): Promise<void> => {
    const query = this.query.trim();
    if (!query || !this.#canFind || !this.find || this.finding === "running") return;
    this.finding = "running";
    const found = await this.find(query).catch(() => null);
    if (query !== this.query.trim()) return;
    this.found = found;
    this.finding = found === null ? "failed" : "";
  };

  #typed(name: "latitude" | "longitude", text: string): void {
    this[name] = text;
    this.accuracy = 0;
    this.chosen = null;
    const left = new Set(this.left);
    left.delete(name);
    this.left = left;
  }

  #leave(name: string): void {
    this.left = new Set([...this.left, name]);
  }

  /** Maps hand out both numbers in one text. */
  #pasted(event: ClipboardEvent): void {
    const pair = readPair(event.clipboardData?.getData("text") ?? "");
    if (!pair) return;
    event.preventDefault();
    [this.latitude, this.longitude] = pair;
    this.accuracy = 0;
    this.chosen = null;
    this.left = new Set(["latitude", "longitude"]);
  }

  #entered(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    this.left = new Set(["latitude", "longitude"]);
    this.#submit(event);
  }

  #submit(event: Event): void {
    const { chosen } = this;
    const name = plain(chosen?.title ?? "");
    // A place is sent as it came, not as the fields round it.
    const latitude = chosen?.latitude ?? readLatitude(this.latitude);
    const longitude = chosen?.longitude ?? readLongitude(this.longitude, this.locale);
    if (latitude === null || longitude === null) return;
    const isByKey = event instanceof KeyboardEvent || (event as MouseEvent).detail === 0;
    const shown = name || inWords(latitude, longitude, this.words, regional(this.locale));
    this.hand({ location: { latitude, longitude, ...(name && { name }) }, ...this.ask }, shown, isByKey);
  }
}

/** Without the marks of direction that Arabic and Hebrew put before a sign: the fields run from left to right everywhere. */
function figures(number: Intl.NumberFormat, value: number): string {
  return number.format(value).replace(/[\u061c\u200e\u200f]/g, "");
}
