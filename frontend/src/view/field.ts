// The field to write in: grows to five lines, Enter sends, Shift+Enter breaks the line, counts near the limit. Takes files
// by its button and by paste, and shows how far they are.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { MAX_FILE_BYTES, type Upload } from "../chat/uploads";
import { fill, type Words } from "../texts";
import { buttons } from "./buttons";
import { arrowUp, clip, cross, sheet } from "./icons";
import { figures, regional } from "./time";
import { base } from "./tokens";

/** The service's limit, in characters as it counts them (code points). */
export const MAX_CHARS = 8000;
const COUNT_FROM = 7600;

/** The event by which the field hands over a text; empty where files are all that is to be sent. */
export class SayEvent extends Event {
  constructor(readonly text: string) {
    super("dialoom-say", { bubbles: true, composed: true, cancelable: true });
  }
}

/** Files to take along. */
export class AttachEvent extends Event {
  constructor(readonly files: readonly File[]) {
    super("dialoom-attach", { bubbles: true, composed: true });
  }
}

/** A file to leave out, or to try again. */
export class DropEvent extends Event {
  constructor(
    type: "dialoom-drop" | "dialoom-again",
    readonly key: string,
  ) {
    super(type, { bubbles: true, composed: true });
  }
}

export class DialoomField extends LitElement {
  static override properties = {
    words: { attribute: false },
    placeholder: {},
    language: {},
    uploads: { attribute: false },
    draft: { state: true },
  };

  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
      }

      :host {
        --button: 36px;
      }

      @media (pointer: coarse) {
        :host {
          --button: 44px;
        }
      }

      form {
        display: flex;
        align-items: flex-end;
        gap: 4px;
        padding: 5px;
        border: 1px solid var(--line-strong);
        border-radius: calc(var(--button) / 2 + 6px);
        background: var(--surface);
        transition: border-color var(--quick) var(--ease);
        cursor: text;
      }

      form:focus-within {
        border-color: var(--focus);
        outline: 1px solid var(--focus);
      }

      textarea {
        flex: 1;
        min-inline-size: 0;
        block-size: var(--button);
        max-block-size: 124px;
        padding: calc((var(--button) - 22px) / 2) 4px;
        border: 0;
        background: none;
        line-height: 22px;
        resize: none;
        overflow-y: auto;
        overscroll-behavior: contain;
        scrollbar-width: thin;
      }

      textarea:focus-visible {
        outline: none;
      }

      textarea::placeholder {
        color: var(--quiet);
        opacity: 1;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }

      /* Phones zoom into fields whose text is smaller. */
      @media (pointer: coarse) {
        textarea {
          font-size: 16px;
        }
      }

      form .round {
        inline-size: var(--button);
        block-size: var(--button);
      }

      .send {
        background: var(--brand);
        color: var(--brand-text);
        box-shadow: inset 0 0 0 1px var(--brand-edge);
      }

      .send:hover {
        background: var(--brand-hover);
        color: var(--brand-text);
      }

      .send:disabled {
        background: var(--raised);
        color: var(--line-strong);
        box-shadow: none;
        cursor: default;
      }

      .uploads {
        display: flex;
        gap: 8px;
        margin: 0;
        padding: 4px 2px 10px;
        overflow: auto hidden;
        scrollbar-width: thin;
        list-style: none;
      }

      .upload {
        position: relative;
        flex: none;
        display: flex;
        align-items: center;
        gap: 10px;
        max-inline-size: min(260px, 80%);
        padding: 6px;
        padding-inline-end: calc(var(--small-target) + 8px);
        border: 1px solid var(--line);
        border-radius: 14px;
        font-size: 13px;
        line-height: 18px;
      }

      .upload.failed {
        border-color: var(--danger);
      }

      .face {
        flex: none;
        display: grid;
        place-items: center;
        inline-size: 44px;
        block-size: 44px;
        border-radius: 9px;
        background: var(--raised);
        color: var(--quiet);
        overflow: hidden;
      }

      .face img {
        inline-size: 100%;
        block-size: 100%;
        object-fit: cover;
      }

      .what {
        min-inline-size: 0;
      }

      .what > * {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .what small {
        color: var(--quiet);
        font-size: 12px;
      }

      .failed small {
        color: var(--danger);
        white-space: normal;
      }

      progress {
        inline-size: 96px;
        block-size: 4px;
        margin-block: 7px;
        border: 0;
        border-radius: 2px;
        background: var(--raised-hover);
        appearance: none;
      }

      progress::-webkit-progress-bar {
        border-radius: 2px;
        background: var(--raised-hover);
      }

      progress::-webkit-progress-value {
        border-radius: 2px;
        background: var(--brand-ink);
        transition: inline-size var(--slow) linear;
      }

      progress::-moz-progress-bar {
        border-radius: 2px;
        background: var(--brand-ink);
      }

      .remove {
        position: absolute;
        inset-block-start: 4px;
        inset-inline-end: 4px;
        inline-size: var(--small-target);
        block-size: var(--small-target);
      }

      .remove svg {
        inline-size: 16px;
      }

      .again {
        padding: 0;
        border: 0;
        border-radius: 4px;
        background: none;
        color: inherit;
        font-weight: 600;
        text-decoration: underline;
        text-underline-offset: 2px;
      }

      .count {
        margin: 6px 4px 0;
        color: var(--quiet);
        font-size: 12px;
        line-height: 16px;
        text-align: end;
        font-variant-numeric: tabular-nums;
      }

      .over {
        color: var(--danger);
        font-weight: 500;
      }
    `,
  ];

  declare words: Words;
  declare placeholder: string;
  declare language: string;
  declare uploads: readonly Upload[];
  declare draft: string;

  constructor() {
    super();
    this.placeholder = "";
    this.language = "en";
    this.uploads = [];
    this.draft = "";
  }

  override focus(options?: FocusOptions): void {
    this.#area?.focus(options);
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector("textarea") ?? null;
  }

  override render() {
    const { words } = this;
    const length = this.draft.length < COUNT_FROM ? 0 : [...this.draft].length;
    const isOver = length > MAX_CHARS;
    const label = this.placeholder || words.placeholder;
    const counts = length >= COUNT_FROM;
    return html`
      ${this.uploads.length ? this.#tray() : nothing}
      <form @submit=${this.#submit} @click=${this.#clicked}>
        <input type="file" multiple hidden tabindex="-1" aria-hidden="true" @change=${this.#picked} />
        <button type="button" class="round attach" aria-label=${words.attach} title=${words.attach} @click=${this.chooseFiles}>${clip}</button>
        <textarea
          rows="1"
          dir=${this.draft ? "auto" : nothing}
          aria-label=${label}
          placeholder=${label}
          autocomplete="off"
          enterkeyhint="send"
          aria-invalid=${isOver ? "true" : nothing}
          aria-describedby=${counts ? "count" : nothing}
          .value=${this.draft}
          @input=${this.#typed}
          @keydown=${this.#pressed}
          @paste=${this.#pasted}
        ></textarea>
        <button type="submit" class="round send" aria-label=${words.send} title=${words.send} ?disabled=${!this.#canSend || isOver}>
          ${arrowUp}
        </button>
      </form>
      ${
        counts
          ? html`<p id="count" class="count ${isOver ? "over" : ""}" role=${isOver ? "alert" : nothing}>
              ${fill(isOver ? words.over : words.left, { n: figures(Math.abs(MAX_CHARS - length), this.language) })}
            </p>`
          : nothing
      }
    `;
  }

  #tray(): TemplateResult {
    return html`<ul class="uploads" role="list">
      ${repeat(
        this.uploads,
        (upload) => upload.key,
        (upload) => this.#upload(upload),
      )}
    </ul>`;
  }

  #upload(upload: Upload): TemplateResult {
    const { words } = this;
    const name = upload.file.name || words.file;
    const isBad = upload.state === "failed" || upload.state === "too-large";
    return html`<li class="upload ${isBad ? "failed" : ""}">
      <span class="face">${upload.picture ? html`<img src=${upload.picture} alt="" />` : sheet}</span>
      <span class="what">
        <span dir="auto" title=${name}>${name}</span>
        ${this.#state(upload, words)}
      </span>
      <button
        type="button"
        class="round remove"
        aria-label=${fill(words.remove, { name })}
        title=${fill(words.remove, { name })}
        @click=${() => this.#drop("dialoom-drop", upload.key)}
      >
        ${cross}
      </button>
    </li>`;
  }

  #state({ key, state, progress, file, reason }: Upload, words: Words): TemplateResult {
    if (state === "uploading") return html`<progress aria-label=${words.uploading} value=${progress} max="1"></progress>`;
    if (state === "waiting") return html`<small>${words.queued}</small>`;
    if (state === "done") return html`<small>${size(file.size, this.language)}</small>`;
    if (state === "too-large") return html`<small role="alert">${fill(words.tooLarge, { size: size(MAX_FILE_BYTES, this.language) })}</small>`;
    if (reason === "file-empty") return html`<small role="alert">${words.fileEmpty}</small>`;
    return html`<small role="alert">
      ${reason === "too-many-files" ? words.filesMany : words.notUploaded} · <button type="button" class="again" @click=${() => this.#drop("dialoom-again", key)}>${words.retry}</button>
    </small>`;
  }

  get #isUploading(): boolean {
    return this.uploads.some(({ state }) => state === "waiting" || state === "uploading");
  }

  /** A text waits for the files that go with it. */
  get #canSend(): boolean {
    return !this.#isUploading && (this.draft.trim() !== "" || this.uploads.some((upload) => upload.state === "done"));
  }

  chooseFiles = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  #picked(event: Event): void {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same file may be chosen again after it was taken away.
    input.value = "";
    this.#attach(files);
  }

  #pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    // Office programs put a picture of the text beside the text: the text is meant.
    if (!files.length || event.clipboardData?.types.includes("text/plain")) return;
    event.preventDefault();
    this.#attach(files);
  }

  #attach(files: readonly File[]): void {
    if (!files.length) return;
    this.dispatchEvent(new AttachEvent(files));
    if (matchMedia("(pointer: fine)").matches) this.focus();
  }

  #drop(type: "dialoom-drop" | "dialoom-again", key: string): void {
    this.dispatchEvent(new DropEvent(type, key));
    this.focus();
  }

  override updated(): void {
    const area = this.#area;
    if (!area) return;
    // The height must fall before it can be measured, or the field would never shrink again.
    area.style.blockSize = "36px";
    // In a window that is closed it measures nothing.
    area.style.blockSize = `${Math.max(36, Math.min(124, area.scrollHeight))}px`;
  }

  #typed(event: Event): void {
    this.draft = (event.target as HTMLTextAreaElement).value;
  }

  #pressed(event: KeyboardEvent): void {
    // While an input method composes, Enter takes its suggestion; 229 is what Safari says of the last one.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#send();
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.#send();
    this.focus();
  }

  #clicked(event: Event): void {
    if (event.target === event.currentTarget) this.focus();
  }

  #send(): void {
    const text = this.draft.trim();
    if (!this.#canSend || [...text].length > MAX_CHARS) return;
    this.draft = "";
    // Text and Enter that come in one task (Marionette, text expanders) are never drawn in between: drawing would then find
    // the draft empty as it was, and leave the text in the field.
    if (this.#area) this.#area.value = "";
    if (this.dispatchEvent(new SayEvent(text))) return;
    // The page takes nothing now: the text stays.
    this.draft = text;
    if (this.#area) this.#area.value = text;
  }
}

/** In the unit that people say: 340 kB, 2.4 MB. */
function size(bytes: number, language: string): string {
  const isLarge = bytes >= 1_000_000;
  const form = { style: "unit", unit: isLarge ? "megabyte" : "kilobyte", maximumFractionDigits: isLarge ? 1 : 0 } as const;
  return new Intl.NumberFormat(regional(language), form).format(Math.max(1, bytes / 1024) / (isLarge ? 1024 : 1));
}
