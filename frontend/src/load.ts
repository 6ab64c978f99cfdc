// Puts a chat into somebody's page: in a container of theirs, or as a window with a button in the corner.

import { css, html, LitElement, nothing } from "lit";
import type { Opening } from "./protocol/wire";
import { fill, loadWords, wordsFor } from "./texts";
import { DialoomChat, define as defineChat } from "./view/dialoom-chat";
import { bubble } from "./view/icons";
import type { LoadDialogs } from "./view/lazy-dialogs";
import { base, tokens } from "./view/tokens";

export interface Options {
  /** Origin of the service; left out: where the script came from. */
  server?: string;
  bot: { id: string; name?: string; avatarUrl?: string };
  channel: { id: string; token?: string };
  /** `token`: a user token that your own server has signed; it alone makes the user known. */
  user?: { id?: string; name?: string; avatarUrl?: string; token?: string };
  session?: { clear?: boolean; context?: Record<string, unknown>; userMessage?: string };
  display?: { mode?: "modal" | "inline"; containerId?: string; launcher?: boolean };
  locale?: string;
  placeholder?: string;
  theme?: "auto" | "light" | "dark";
}

export interface Loaded {
  readonly element: HTMLElement;
  open(): void;
  close(): void;
  /** Takes the chat out of the page; the conversation stays. */
  remove(): void;
}

export function load(options: Options, server: string, dialogs: LoadDialogs): Loaded {
  defineChat(dialogs);
  if (!customElements.get("dialoom-window")) customElements.define("dialoom-window", DialoomWindow);
  const chat = new DialoomChat();
  dress(chat, options, options.server ?? server);
  if (options.display?.mode === "inline") return inline(chat, options.display.containerId ?? "");
  const frame = new DialoomWindow();
  frame.chat = chat;
  frame.launcher = options.display?.launcher ?? true;
  frame.theme = chat.theme;
  void loadWords(chat.language, chat.server).then(() => frame.requestUpdate());
  document.body.append(frame);
  if (!frame.launcher) frame.open();
  return { element: frame, open: () => frame.open(), close: () => frame.close(), remove: () => frame.remove() };
}

function inline(chat: DialoomChat, id: string): Loaded {
  const container = document.getElementById(id);
  if (!container) throw new Error(`Dialoom: the page has no element with the id "${id}" (display.containerId).`);
  container.append(chat);
  return { element: chat, open: () => chat.focus(), close: () => chat.blur(), remove: () => chat.remove() };
}

function dress(chat: DialoomChat, options: Options, server: string): void {
  const { bot, channel, user, session } = options;
  if (!bot?.id || !channel?.id) throw new Error("Dialoom: load() needs bot.id and channel.id.");
  const opening: Opening = { ...session, ...(user && { user }), ...(options.locale && { locale: options.locale }) };
  Object.assign(chat, { server, bot: bot.id, channel: channel.id, opening });
  chat.token = channel.token ?? "";
  chat.name = bot.name ?? "";
  chat.avatar = bot.avatarUrl ?? "";
  chat.language = options.locale ?? "en";
  chat.placeholder = options.placeholder ?? "";
  chat.theme = options.theme ?? "auto";
}

/** The floating window: 400 × 680 px above its button, the whole screen on phones. The chat starts when it first opens. */
class DialoomWindow extends LitElement {
  static override properties = {
    isOpen: { state: true },
    launcher: { type: Boolean },
    theme: { reflect: true },
  };

  static override styles = [
    tokens,
    base,
    css`
      :host {
        position: fixed !important;
        z-index: 2147483000 !important;
        inset-block-end: 20px;
        inset-inline-end: 20px;
        font: 400 15px/22px var(--font);
      }

      .window {
        position: fixed;
        inset-block-end: 20px;
        inset-inline-end: 20px;
        inline-size: 400px;
        block-size: min(680px, calc(100dvh - 40px));
        --frame-round: 18px;
        border-radius: var(--frame-round);
        overflow: hidden;
        background: var(--surface);
        box-shadow:
          0 0 0 1px var(--line),
          0 16px 48px var(--shadow);
        animation: rise var(--slow) var(--ease);
      }

      @keyframes rise {
        from {
          opacity: 0;
          transform: translateY(12px);
        }
      }

      @media (max-width: 479px) {
        .window {
          inset: 0;
          inline-size: auto;
          block-size: 100dvh;
          --frame-round: 0;
        }
      }

      .launcher {
        display: grid;
        place-items: center;
        inline-size: 56px;
        block-size: 56px;
        border: 0;
        border-radius: 50%;
        background: var(--brand);
        color: var(--brand-text);
        box-shadow: 0 8px 24px var(--shadow);
        transition: background var(--quick) var(--ease);
      }

      .launcher:hover {
        background: var(--brand-hover);
      }

      .launcher svg {
        inline-size: 26px;
        block-size: 26px;
      }
    `,
  ];

  declare isOpen: boolean;
  declare launcher: boolean;
  declare theme: string;
  chat: DialoomChat | null = null;

  constructor() {
    super();
    this.isOpen = false;
    this.launcher = true;
    this.theme = "auto";
  }

  open(): void {
    this.isOpen = true;
    void this.updateComplete.then(() => this.chat?.updateComplete).then(() => this.chat?.focus());
  }

  close(): void {
    this.isOpen = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".launcher")?.focus());
  }

  override render() {
    const { chat } = this;
    if (!chat) return nothing;
    if (!this.isOpen) return this.launcher ? this.#button(chat) : nothing;
    chat.onclosing = () => this.close();
    return html`<div class="window" role="dialog" aria-label=${this.#label(chat)}>${chat}</div>`;
  }

  #button(chat: DialoomChat) {
    return html`<button type="button" class="launcher" aria-label=${this.#label(chat)} @click=${() => this.open()}>${bubble}</button>`;
  }

  #label(chat: DialoomChat): string {
    return fill(wordsFor(chat.language).chatWith, { name: chat.name || chat.bot });
  }
}
