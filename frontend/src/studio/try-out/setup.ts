// <studio-try-setup>: what a try-out runs on: draft or version, channel, what becomes of outside calls, clock.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { base } from "../../view/tokens";
import { controls, fields, text } from "../shared-styles";
import type { Calls, Mocks, TryOut } from "./api";
import { DRAFT } from "./talk";
import { words } from "./words";

/** What was chosen; only what differs from the try-out as it is. */
export interface Choice {
  readonly on?: string;
  readonly channel?: string;
  readonly calls?: Calls;
  readonly mocks?: Mocks;
  readonly now?: string | null;
  readonly timezone?: string;
}

export class SetupEvent extends Event {
  constructor(readonly choice: Choice) {
    super("studio-setup");
  }
}

export interface Version {
  readonly version: string;
  readonly isActive: boolean;
}

const CALLS: readonly Calls[] = ["recorded", "mocked", "real"];

export class StudioTrySetup extends LitElement {
  static override properties = {
    state: { attribute: false },
    clock: { attribute: false },
    versions: { attribute: false },
    channels: { attribute: false },
    suggested: { attribute: false },
    calls: { state: true },
    problem: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    fields,
    css`
      form {
        display: grid;
        gap: 12px;
        padding: 4px 16px 16px;
      }

      .field > textarea {
        min-block-size: 120px;
        font: 12px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
      }

      .pair {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 12px;
      }

      .button {
        justify-self: end;
      }
    `,
  ];

  declare state: TryOut;
  /** The moment by its clock where it was set. */
  declare clock: string | null;
  declare versions: readonly Version[];
  declare channels: readonly string[];
  /** Mocks of the bot's tests, to begin with. */
  declare suggested: Mocks;
  declare calls: Calls | null;
  declare problem: string;

  constructor() {
    super();
    this.clock = null;
    this.versions = [];
    this.channels = [];
    this.suggested = {};
    this.calls = null;
    this.problem = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("state");
    if (before && before.calls !== this.state.calls) this.calls = null;
  }

  override render() {
    const { state } = this;
    const calls = this.calls ?? state.calls;
    const channels = this.channels.includes(state.channel) ? this.channels : [state.channel, ...this.channels];
    return html`<form @submit=${this.#apply}>
      <div class="pair">
        <label class="field"
          >${words.on}
          <select name="on">
            <option value=${DRAFT} .selected=${state.on === DRAFT}>${words.draft}</option>
            ${this.versions.map(
              ({ version, isActive }) =>
                html`<option value=${version} .selected=${state.on === version}>${isActive ? words.activeVersion(version.slice(0, 8)) : words.version(version.slice(0, 8))}</option>`,
            )}
          </select>
        </label>
        <label class="field" title=${words.channelChange}
          >${words.channel}
          <select name="channel">
            ${channels.map((channel) => html`<option value=${channel} .selected=${state.channel === channel}>${channel}</option>`)}
          </select>
        </label>
      </div>
      <label class="field"
        >${words.callsTitle}
        <select
          name="calls"
          @change=${(event: Event) => {
            this.calls = (event.target as HTMLSelectElement).value as Calls;
          }}
        >
          ${CALLS.map((one) => html`<option value=${one} .selected=${calls === one}>${words.callsChoice[one]}</option>`)}
        </select>
      </label>
      <p class="quiet" role="status" ?hidden=${calls === state.calls}>${calls === state.calls ? "" : words.inForce(words.calls[state.calls])}</p>
      ${calls === "mocked" ? this.#mocks() : nothing}
      <div class="pair">
        <label class="field"
          >${words.now}
          <input type="datetime-local" name="now" title=${words.nowHelp} .value=${localTime(this.clock)} />
        </label>
        <label class="field"
          >${words.timezone}
          <input type="text" name="timezone" list="zones" spellcheck="false" autocomplete="off" .value=${state.timezone} />
        </label>
      </div>
      <datalist id="zones">${(Intl.supportedValuesOf?.("timeZone") ?? []).map((zone) => html`<option value=${zone}></option>`)}</datalist>
      <button type="submit" class="button">${words.apply}</button>
    </form>`;
  }

  #mocks() {
    const { mocks } = this.state;
    const given = Object.keys(mocks).length ? mocks : this.suggested;
    return html`<label class="field"
        >${words.mocks}
        <textarea name="mocks" spellcheck="false" aria-describedby="mocks-help" aria-invalid=${this.problem ? "true" : "false"} .value=${JSON.stringify(given, null, 2)}></textarea>
      </label>
      <p class=${this.problem ? "wrong" : "quiet"} id="mocks-help" role=${this.problem ? "alert" : nothing}>${this.problem || words.mocksHelp}</p>`;
  }

  #apply(event: Event): void {
    event.preventDefault();
    const { state } = this;
    const given = new FormData(event.target as HTMLFormElement);
    const on = String(given.get("on"));
    const channel = String(given.get("channel"));
    const calls = String(given.get("calls")) as Calls;
    const zone = String(given.get("timezone")).trim();
    const written = given.get("mocks");
    const mocks = written === null ? state.mocks : readObject(String(written));
    this.problem = mocks ? "" : words.mocksWrong;
    if (!mocks) return;
    const time = String(given.get("now"));
    this.dispatchEvent(
      new SetupEvent({
        ...(on !== state.on && { on }),
        ...(channel !== state.channel && { channel }),
        ...(calls !== state.calls && { calls }),
        ...(JSON.stringify(mocks) !== JSON.stringify(state.mocks) && { mocks }),
        ...(time !== localTime(this.clock) && { now: time ? new Date(time).toISOString() : null }),
        ...(zone && zone !== state.timezone && { timezone: zone }),
      }),
    );
  }
}

/** Returns the JSON object that was typed; null for what is none. */
export function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** As the field for date and time has it, in the author's own zone. */
function localTime(iso: string | null): string {
  if (!iso) return "";
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
