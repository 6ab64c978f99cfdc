// <dialoom-menu>: the menu in the chat's head, by the pattern "menu button" of the ARIA Authoring Practices Guide.

import { css, html, LitElement, nothing, svg } from "lit";
import type { Preferences } from "../chat/preferences";
import type { Words } from "../texts";
import { buttons } from "./buttons";
import { icon, tick } from "./icons";
import { linkTarget } from "./links";
import { base } from "./tokens";

export interface MenuActions {
  restart(): void;
  save(): Promise<void>;
  resize(): void;
  sound(): void;
  /** Rejects when it was not done. */
  erase(): Promise<void>;
}

const dots = icon(svg`<path d="M10 4.5v.01M10 10v.01M10 15.5v.01" stroke-width="2.5" />`);

export class DialoomMenu extends LitElement {
  static override properties = {
    words: { attribute: false },
    actions: { attribute: false },
    preferences: { attribute: false },
    privacy: {},
    mayErase: { attribute: false },
    isOpen: { state: true },
    step: { state: true },
  };

  static override styles = [
    base,
    buttons,
    css`
      :host {
        position: relative;
        flex: none;
      }

      .round {
        inline-size: 44px;
        block-size: 44px;
      }

      .menu {
        position: absolute;
        z-index: 3;
        inset-block-start: 48px;
        inset-inline-end: 0;
        inline-size: max-content;
        min-inline-size: 200px;
        max-inline-size: min(300px, 80vw);
        max-block-size: calc(100dvh - 100px);
        overflow-y: auto;
        padding: 6px;
        border: 1px solid var(--line);
        border-radius: 14px;
        background: var(--panel);
        box-shadow: 0 8px 24px var(--shadow);
      }

      /* A piece of the next item is seen, so that nobody takes two for all. */
      @media (max-height: 360px) {
        .menu {
          max-block-size: calc(100dvh - 80px);
        }
      }

      .item {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 16px;
        inline-size: 100%;
        min-block-size: 44px;
        padding: 6px 12px;
        border: 0;
        border-radius: 10px;
        background: none;
        color: var(--text);
        text-align: start;
        text-decoration: none;
      }

      .item:hover,
      .item:focus-visible {
        background: var(--raised);
      }

      .item:focus-visible {
        outline-offset: -2px;
      }

      .item small {
        color: var(--quiet);
        font-size: 12px;
      }

      .danger {
        color: var(--danger);
      }

      .ask {
        padding: 8px 12px;
        white-space: normal;
      }

      .ask p {
        margin: 0 0 12px;
      }

      .ask div {
        display: flex;
        gap: 8px;
      }

      .ask button {
        flex: 1;
        min-block-size: 44px;
        padding-inline: 12px;
        border: 1px solid var(--line-strong);
        border-radius: 22px;
        background: none;
      }

      .ask .danger {
        border-color: currentColor;
      }
    `,
  ];

  declare words: Words;
  declare actions: MenuActions;
  declare preferences: Preferences;
  /** Address of the operator's privacy notice; empty: there is none. */
  declare privacy: string;
  declare mayErase: boolean;
  declare isOpen: boolean;
  declare step: "choose" | "ask" | "failed";

  constructor() {
    super();
    this.privacy = "";
    this.mayErase = this.isOpen = false;
    this.step = "choose";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.#pressedOutside);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.#pressedOutside);
  }

  override render() {
    const { words } = this;
    return html`<button
        type="button"
        class="round"
        aria-label=${words.menu}
        title=${words.menu}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen ? "true" : "false"}
        @click=${() => (this.isOpen ? this.#close() : this.#open())}
        @keydown=${this.#opened}
      >${dots}</button>
      ${this.isOpen ? (this.step === "choose" ? this.#menu() : this.#question()) : nothing}`;
  }

  #menu() {
    const { words, actions, preferences } = this;
    const privacy = this.privacy ? linkTarget(this.privacy) : null;
    const item = (text: string, act: () => unknown) =>
      html`<button type="button" class="item" role="menuitem" tabindex="-1" @click=${() => this.#act(act)}>${text}</button>`;
    return html`<div class="menu" role="menu" aria-label=${words.menu} @keydown=${this.#moved} @focusout=${this.#left}>
      ${item(words.startOver, actions.restart)} ${item(words.download, actions.save)}
      <button type="button" class="item" role="menuitem" tabindex="-1" @click=${actions.resize}>
        ${words.textSize} <small dir="ltr">${Math.round(preferences.size * 100)} %</small>
      </button>
      <button type="button" class="item" role="menuitemcheckbox" aria-checked=${preferences.hasSound ? "true" : "false"} tabindex="-1" @click=${actions.sound}>
        ${words.sound} ${preferences.hasSound ? tick : nothing}
      </button>
      ${privacy ? html`<a class="item" role="menuitem" tabindex="-1" href=${privacy} target="_blank" rel="noopener">${words.privacy}</a>` : nothing}
      ${
        this.mayErase
          ? html`<button type="button" class="item danger" role="menuitem" tabindex="-1" @click=${() => this.#ask("ask")}>${words.erase}</button>`
          : nothing
      }
    </div>`;
  }

  #question() {
    const { words } = this;
    const text = this.step === "ask" ? words.eraseAsk : `${words.failed}. ${words.eraseAsk}`;
    return html`<div class="menu ask" role="alertdialog" aria-label=${words.erase} aria-describedby="text" @keydown=${this.#moved}>
      <p id="text">${text}</p>
      <div>
        <button type="button" @click=${() => this.#close()}>${words.keep}</button>
        <button type="button" class="danger" @click=${this.#erase}>${this.step === "ask" ? words.eraseYes : words.tryAgain}</button>
      </div>
    </div>`;
  }

  #open(): void {
    this.isOpen = true;
    this.step = "choose";
    void this.updateComplete.then(() => this.#items[0]?.focus());
  }

  #close(): void {
    this.isOpen = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".round")?.focus());
  }

  #ask(step: "ask" | "failed"): void {
    this.step = step;
    // On the button that does nothing.
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".ask button")?.focus());
  }

  #act(act: () => unknown): void {
    this.#close();
    act();
  }

  async #erase(): Promise<void> {
    try {
      await this.actions.erase();
      this.#close();
    } catch {
      this.#ask("failed");
    }
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".item")];
  }

  #opened = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" || this.isOpen) return;
    event.preventDefault();
    this.#open();
  };

  #moved = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      // The window behind it stays open.
      event.stopPropagation();
      return this.#close();
    }
    const items = this.#items;
    const at = items.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || !items.length) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };

  #left = (event: FocusEvent): void => {
    if (this.step === "choose" && event.relatedTarget && !this.renderRoot.contains(event.relatedTarget as Node)) this.isOpen = false;
  };

  #pressedOutside = (event: Event): void => {
    if (this.isOpen && !event.composedPath().includes(this)) this.isOpen = false;
  };
}
