// <dialoom-sandbox>: the platforms of one bot side by side, each as its user sees it; beside them the payloads of the chosen.

import { css, html, LitElement, nothing } from "lit";
import { follow, type State } from "./api";
import { NAMES } from "./looks";
import { SandboxColumn } from "./sandbox-column";
import { SandboxPayloads } from "./payloads";
import { base, tokens } from "../view/tokens";
import { mark } from "../studio/icons";

export class DialoomSandbox extends LitElement {
  static override properties = { seen: { state: true }, isLost: { state: true }, chosen: { state: true } };

  static override styles = [
    tokens,
    base,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-template-rows: auto minmax(0, 1fr);
        block-size: 100dvh;
        background: var(--surface);
        color: var(--text);
        font: 400 14px/20px var(--font);
      }

      .top {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 16px;
        min-block-size: 52px;
        padding: 6px 16px;
        border-block-end: 1px solid var(--line);
      }

      h1 {
        display: flex;
        align-items: center;
        gap: 8px;
        margin: 0;
        font-size: 15px;
        font-weight: 600;
      }

      h1 span {
        color: var(--quiet);
        font-weight: 400;
      }

      .lost {
        margin: 0;
        color: var(--danger);
      }

      nav {
        display: flex;
        gap: 2px;
        margin-inline-start: auto;
        max-inline-size: 100%;
        overflow-x: auto;
        scrollbar-width: none;
      }

      nav button {
        flex: none;
        min-block-size: 32px;
        padding: 4px 12px;
        border: 0;
        border-radius: 8px;
        background: none;
        color: var(--quiet);
        font-weight: 500;
      }

      nav button:focus-visible {
        outline-offset: -2px;
      }

      nav button:hover {
        background: var(--raised);
        color: var(--text);
      }

      nav button[aria-pressed="true"] {
        background: var(--brand-quiet);
        color: var(--brand-ink);
      }

      main {
        display: grid;
        grid-template-columns: minmax(0, 1fr) clamp(280px, 22vw, 420px);
        min-block-size: 0;
      }

      .columns {
        display: grid;
        grid-auto-columns: minmax(276px, 1fr);
        grid-auto-flow: column;
        grid-template-rows: minmax(0, 1fr);
        gap: 1px;
        min-block-size: 0;
        overflow-x: auto;
        background: var(--line);
        scroll-snap-type: x proximity;
        scrollbar-width: thin;
      }

      sandbox-column {
        scroll-snap-align: start;
      }

      sandbox-payloads {
        border-inline-start: 1px solid var(--line);
      }

      .waiting {
        margin: auto;
        padding: 16px;
        color: var(--quiet);
      }

      @media (width < 900px) {
        main {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: minmax(0, 1fr) min(30%, 240px);
        }

        sandbox-payloads {
          border-block-start: 1px solid var(--line-strong);
          border-inline-start: 0;
        }
      }

      @media (width < 640px) {
        .columns {
          grid-auto-columns: 100%;
          scroll-snap-type: x mandatory;
        }

        nav {
          margin-inline: -8px;
        }
      }

      @media (pointer: coarse) {
        nav button {
          min-block-size: 44px;
        }
      }
    `,
  ];

  declare seen: State | undefined;
  declare isLost: boolean;
  /** The channel whose payloads are shown. */
  declare chosen: string | undefined;
  #stop = () => {};

  override connectedCallback() {
    super.connectedCallback();
    this.#stop = follow(
      (state) => {
        this.seen = state;
        this.isLost = false;
        this.chosen ??= state.columns[0]?.channel;
        document.title = `${state.bot} · Sandbox · Dialoom`;
      },
      () => (this.isLost = true),
    );
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  override render() {
    const { seen } = this;
    return html`<header class="top">
        <h1>${mark} Sandbox <span>${seen?.bot ?? ""}</span></h1>
        ${this.isLost ? html`<p class="lost" role="alert">The service has stopped. Start it again to go on.</p>` : nothing}
        <nav aria-label="Channels">
          ${seen?.columns.map(
            (one) => html`<button
              type="button"
              aria-pressed=${one.channel === this.chosen}
              @click=${() => this.#choose(one.channel, true)}
            >
              ${NAMES[one.platform] ?? one.platform}
            </button>`,
          )}
        </nav>
      </header>
      <main>
        ${seen
          ? html`<div class="columns">
                ${seen.columns.map(
                  (one) => html`<sandbox-column
                    id=${one.channel}
                    .column=${one}
                    @focusin=${(event: Event) => this.#choose(one.channel, isReachedByKey(event))}
                    @pointerdown=${() => this.#choose(one.channel, false)}
                  ></sandbox-column>`,
                )}
              </div>
              <sandbox-payloads
                role="complementary"
                aria-label="Payloads"
                .column=${seen.columns.find((one) => one.channel === this.chosen)}
              ></sandbox-payloads>`
          : html`<p class="waiting">Connecting the platforms…</p>`}
      </main>`;
  }

  #choose(channel: string, shows: boolean) {
    this.chosen = channel;
    const column = this.renderRoot.querySelector(`#${CSS.escape(channel)}`);
    if (shows) column?.scrollIntoView({ inline: "start", block: "nearest" });
  }
}

/** Whether the focus is one that is shown. A column may move for such, and not under the pointer that presses a button. */
function isReachedByKey(event: Event): boolean {
  const [focused] = event.composedPath();
  return focused instanceof Element && focused.matches(":focus-visible");
}

export function define() {
  customElements.define("sandbox-payloads", SandboxPayloads);
  customElements.define("sandbox-column", SandboxColumn);
  customElements.define("dialoom-sandbox", DialoomSandbox);
}
