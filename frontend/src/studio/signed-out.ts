// <studio-signed-out>: the page for people who are not signed in. It says how to sign in, and shows nothing of any bot.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../view/tokens";
import { mark } from "./icons";
import { controls, text } from "./shared-styles";
import { words } from "./words";

/** Why the page is shown. `waiting`: a link is being checked. */
export type Reason = "waiting" | "nobody" | "over" | "ended" | "left" | "failed";

const COMMAND = "dialoom studio link";

export class StudioSignedOut extends LitElement {
  static override properties = { reason: {}, problem: {}, provider: {}, isLate: { type: Boolean } };

  static override styles = [
    base,
    controls,
    text,
    css`
      :host {
        display: grid;
        place-items: center;
        min-block-size: 100dvh;
        padding: 24px 16px;
      }

      .card {
        display: flex;
        flex-direction: column;
        align-items: center;
        inline-size: min(420px, 100%);
        text-align: center;
      }

      svg {
        inline-size: 40px;
        block-size: 40px;
        margin-block-end: 20px;
      }

      p {
        margin-block: 8px 16px;
        text-wrap: balance;
      }

      a.button {
        box-sizing: border-box;
        inline-size: min(320px, 100%);
        min-block-size: 44px;
        margin-block-start: 20px;
        padding-block: 8px;
        white-space: normal;
        text-align: center;
        overflow-wrap: anywhere;
      }

      .or {
        margin-block: 16px 0;
        font-size: 13px;
        line-height: 18px;
      }

      .block {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        inline-size: min(320px, 100%);
        padding: 5px 5px 5px 14px;
        text-align: start;
      }

      .block > studio-copy {
        position: static;
      }

      small {
        margin-block-start: 16px;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
        text-wrap: balance;
      }
    `,
  ];

  declare reason: Reason;
  /** The service's error message, where it failed. */
  declare problem: string;
  declare isLate: boolean;
  /** At which people sign in besides links; null: none. */
  declare provider: string | null;

  constructor() {
    super();
    this.reason = "nobody";
    this.problem = "";
    this.isLate = false;
    this.provider = null;
  }

  #again = (): void => {
    this.dispatchEvent(new Event("studio-again"));
  };

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus();
  }

  override render() {
    const { reason } = this;
    if (reason === "waiting")
      return html`<main class="card" aria-busy="true">${mark}<h1>${words.studio}</h1><p class="quiet" role="status">${this.isLate ? words.moment : nothing}</p></main>`;
    const mayGoOn = reason === "ended";
    const [title, what] = words.signedOut[reason] ?? ["", ""];
    return html`<main class="card">
      ${mark}
      <h1 tabindex="-1">${title}</h1>
      ${reason !== "failed" && this.provider !== null
        ? html`<a class="button main" href=${startAt(location.pathname + location.search)} target=${mayGoOn ? "_blank" : nothing}>${words.signInWith(this.provider)}</a>
            <p class="or quiet">${words.or}</p>`
        : nothing}
      <p class="quiet" role=${reason === "failed" ? "alert" : nothing}>${what || this.problem}</p>
      ${reason === "failed"
        ? html`<button type="button" class="button main" @click=${this.#again}>${words.tryAgain}</button>`
        : html`<div class="block"><code>${COMMAND}</code><studio-copy .text=${COMMAND} what=${words.theCommand}></studio-copy></div>
            <small>${words.sameSettings}</small>
            ${mayGoOn ? html`<button type="button" class="button" @click=${this.#again}>${words.goOn}</button>` : nothing}`}
    </main>`;
  }
}

/** Returns the address that begins a sign-in at the provider; it ends on the page that was opened. */
export function startAt(page: string): string {
  return `/v1/studio/sign-in/openid?${new URLSearchParams({ to: page }).toString()}`;
}
