// <operate-look>: the `look` of bot.json as a form, with the chat's own element beside that shows it as it is typed. It writes
// through the workspace, so Build, the try-out and the next publish have it too.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { readBot } from "../../protocol/wire";
import { base } from "../../view/tokens";
import { define as defineChat, DialoomChat } from "../../view/dialoom-chat";
import { failureNotice, NoticeEvent } from "../notice";
import { saveOrMerge } from "../save-or-merge";
import { controls, fields, text } from "../shared-styles";
import { connection } from "../try-out/connection";
import { loadDialogs } from "../try-out/load-dialogs";
import type { Workspace } from "../workspace";
import { ChangedEvent } from "./access-tokens";
import { contrast } from "./contrast";
import { type Look, lookOf, withLook } from "./look-file";
import { sampleTalk } from "./sample-talk";
import { tab } from "./styles";
import { words } from "./words";

const FILE = "bot.json";
const THEMES = ["light", "dark"] as const;
/** Milliseconds without a change after which the chat is drawn anew. */
const DRAW_AFTER = 200;
const TEXTS = ["font", "header", "launcher", "avatar"] as const;
const COLOURS = ["brand", "background"] as const;

export class OperateLook extends LitElement {
  static override properties = { workspace: { attribute: false }, bot: {}, name: {}, theme: { state: true } };

  static override styles = [
    base,
    controls,
    text,
    fields,
    tab,
    css`
      .two {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(280px, 400px);
        gap: 24px 32px;
        margin-block-start: 12px;
      }

      form {
        display: flex;
        flex-direction: column;
        gap: 14px;
      }

      .colour {
        display: flex;
        gap: 8px;
        align-items: end;
      }

      .colour .field {
        flex: 1;
      }

      input[type="color"] {
        inline-size: 44px;
        block-size: 34px;
        padding: 2px;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
      }

      .under {
        display: block;
        margin-block-start: 4px;
        color: var(--quiet);
        font-size: 13px;
        font-weight: 400;
        line-height: 18px;
      }

      .under.bad {
        color: var(--danger);
      }

      .themes {
        display: flex;
        gap: 4px;
        margin-block-end: 8px;
      }

      .themes [aria-pressed="true"] {
        background: var(--raised-hover);
        color: var(--text);
      }

      .preview {
        block-size: 520px;
        border: 1px solid var(--line);
        border-radius: 14px;
        overflow: hidden;
      }

      dialoom-chat {
        display: block;
        block-size: 100%;
      }

      .acts {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
      }

      @container (max-width: 599px) {
        .two {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  declare workspace: Workspace;
  declare bot: string;
  declare name: string;
  declare theme: (typeof THEMES)[number];
  #chat: DialoomChat | null = null;
  #drawn = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | null = null;

  constructor() {
    super();
    this.bot = this.name = "";
    this.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    defineChat(loadDialogs);
    this.#stop = this.workspace.subscribe(() => this.#heard());
    void this.workspace.load(this.bot);
    this.#heard();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#stop?.();
  }

  #heard(): void {
    this.requestUpdate();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw(), DRAW_AFTER);
  }

  get #text(): string {
    return this.workspace.files[FILE] ?? "";
  }

  /** Makes a new element for each look. The chat puts the look's values onto the host that it stands in (`applyLook`) and leaves
   * those alone that a look does not have; they go here. */
  #draw(): void {
    const found = lookOf(this.#text);
    if (!found || this.workspace.bot !== this.bot) return;
    const drawn = JSON.stringify([found, this.theme]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const name of ["brand", "background", "font", "radius"]) this.style.removeProperty(`--look-${name}`);
    const chat = new DialoomChat();
    Object.assign(chat, { bot: this.bot, channel: "look", name: this.name, language: document.documentElement.lang || "en", theme: this.theme });
    chat.around = connection(sampleTalk(), () => readBot({ id: this.bot, name: this.name, avatarUrl: found.avatar ?? null, language: document.documentElement.lang || "en", look: found }));
    this.#chat = chat;
    this.requestUpdate();
  }

  override render() {
    const { workspace } = this;
    if (workspace.problem) return html`<p class="wrong" role="alert">${workspace.problem.message}</p>`;
    if (!workspace.draft || workspace.bot !== this.bot) return nothing;
    const look = lookOf(this.#text);
    return html`<h2 tabindex="-1">${words.tabs.look}</h2>
      <p class="quiet">${words.lookHelp}</p>
      ${look ? this.#parts(look) : html`<p class="empty" role="alert">${words.noJson}</p>`}`;
  }

  #parts(look: Look): TemplateResult {
    return html`<div class="two">
      <form @submit=${this.#save}>
        ${COLOURS.map((key) => this.#colour(key, look))}
        ${this.#field("radius", look.radius === undefined ? "" : String(look.radius), "number")} ${TEXTS.map((key) => this.#field(key, look[key] ?? "", "text"))}
        <div class="acts">
          <button class="button main" ?disabled=${!this.workspace.isChanged || this.workspace.isSaving}>${words.save}</button>
          <span class="quiet" role="status">${this.workspace.isChanged ? words.unsaved : words.publishHint}</span>
        </div>
      </form>
      <section aria-label=${words.preview}>
        <div class="themes" role="group" aria-label=${words.theme}>
          ${THEMES.map(
            (theme) =>
              html`<button
                type="button"
                class="plain"
                aria-pressed=${this.theme === theme ? "true" : "false"}
                @click=${() => {
                  this.theme = theme;
                  this.#heard();
                }}
              >
                ${words.themes[theme]}
              </button>`,
          )}
        </div>
        <div class="preview">${this.#chat ?? nothing}</div>
      </section>
    </div>`;
  }

  #colour(key: (typeof COLOURS)[number], look: Look): TemplateResult {
    const value = look[key] ?? "";
    const found = key === "brand" ? contrast(value) : null;
    return html`<div>
      <div class="colour">
        <label class="field">${words.look[key]}<input type="text" name=${key} autocomplete="off" spellcheck="false" placeholder="#rrggbb" aria-describedby=${`of-${key}`} .value=${value} @input=${this.#typed(key)} /></label>
        <input type="color" aria-label=${words.choose(words.look[key])} .value=${longForm(value || DEFAULTS[key])} @input=${this.#typed(key)} />
      </div>
      <span id=${`of-${key}`}>${found ? html`<span class="under">${words.contrast(words.themeOfText[found.text], found.ratio)}</span>` : nothing}${this.#findings(key)}</span>
    </div>`;
  }

  #field(key: "radius" | (typeof TEXTS)[number], value: string, type: "number" | "text"): TemplateResult {
    return html`<div>
      <label class="field">${words.look[key]}<input type=${type} name=${key} min="0" max="24" autocomplete="off" aria-describedby=${`of-${key}`} .value=${value} @input=${this.#typed(key)} /></label>
      <span id=${`of-${key}`}>${this.#findings(key)}</span>
    </div>`;
  }

  /** What the service finds of this part, contrast included. */
  #findings(key: string) {
    const found = this.workspace.findings.filter(({ file, path }) => file === FILE && path === `look/${key}`);
    return found.map(({ message }) => html`<span class="under bad" role="alert">${message}</span>`);
  }

  #typed(key: keyof Look) {
    return (event: InputEvent) => {
      const { value } = event.target as HTMLInputElement;
      const written = key === "radius" && value !== "" ? Number(value) : value;
      this.workspace.set(FILE, withLook(this.#text, key, written));
    };
  }

  #save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      if (!(await saveOrMerge(this.workspace, this.renderRoot))) return;
      this.dispatchEvent(new NoticeEvent(words.saved));
      this.dispatchEvent(new ChangedEvent());
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  };
}

/** What the chat has where a look says nothing (tokens.ts), as near as #rrggbb can tell it. */
const DEFAULTS = { brand: "#285cd5", background: "#ffffff" } as const;

/** As the browser's own field for colours takes it. */
function longForm(value: string): string {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value);
  return short ? `#${short.slice(1).map((digit) => digit + digit).join("")}`.toLowerCase() : "#000000";
}
