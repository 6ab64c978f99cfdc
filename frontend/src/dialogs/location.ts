// A place on the earth: the device's own position, or coordinates typed and read back. Asks nobody but the browser.

import { base, css, fill, html, inWords, nothing, pin, plain, regional } from "../shared-with-dialogs";
import { readLatitude, readLongitude, readPair } from "./coordinates";
import { Panel } from "./panel";
import { panel } from "./style";

const POSITION_WITHIN = 15_000;
/** Codes of GeolocationPositionError. */
const DENIED = 1;

export class DialoomLocation extends Panel {
  static override properties = {
    ...Panel.properties,
    latitude: { state: true },
    longitude: { state: true },
    search: { state: true },
    accuracy: { state: true },
    left: { state: true },
  };

  static override styles = [
    base,
    panel,
    css`
      .part {
        display: flex;
        flex-direction: column;
        gap: 12px;
        padding-block-end: 4px;
        overflow-y: auto;
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
      [role="status"] {
        min-block-size: 44px;
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

      .back small {
        color: var(--quiet);
        font-size: 13px;
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

  constructor() {
    super();
    this.latitude = this.longitude = "";
    this.search = "";
    this.accuracy = 0;
    this.left = new Set();
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>("button")?.focus(options);
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
        <div role="alert">${problem ? html`<p class="hint wrong">${problem}</p>` : nothing}</div>
        <p class="or">${words.coordinates}</p>
        <div class="pair">
          ${this.#field("latitude", words.latitude, latitude, 90)} ${this.#field("longitude", words.longitude, longitude, 180)}
        </div>
        <div role="status">
          ${
            isComplete
              ? html`<p class="back">${pin}<span>${inWords(latitude, longitude, words, regional(this.locale))} ${this.#precision()}</span></p>`
              : nothing
          }
        </div>
      </div>
      <div class="foot">
        <button type="button" class="act" ?disabled=${!isComplete} @click=${this.#submit}>
          <span dir="auto">${plain(this.dialog.buttonText) || words.submit}</span>
        </button>
      </div>
    `;
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
        placeholder=${number.format(name === "latitude" ? 52.5163 : 13.3777)}
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

  #typed(name: "latitude" | "longitude", text: string): void {
    this[name] = text;
    this.accuracy = 0;
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
    this.left = new Set(["latitude", "longitude"]);
  }

  #entered(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    this.left = new Set(["latitude", "longitude"]);
    this.#submit(event);
  }

  #submit(event: Event): void {
    const [latitude, longitude] = [readLatitude(this.latitude), readLongitude(this.longitude, this.locale)];
    if (latitude === null || longitude === null) return;
    const isByKey = event instanceof KeyboardEvent || (event as MouseEvent).detail === 0;
    const shown = inWords(latitude, longitude, this.words, regional(this.locale));
    this.hand({ location: { latitude, longitude }, ...this.ask }, shown, isByKey);
  }
}

/** Without the marks of direction that Arabic and Hebrew put before a sign: the fields run from left to right everywhere. */
function figures(number: Intl.NumberFormat, value: number): string {
  return number.format(value).replace(/[\u061c\u200e\u200f]/g, "");
}
