// <studio-erase-user>: asks once whether a user is to be erased, and shows the receipt.

import { css, html, LitElement } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { failureNotice } from "../notice";
import type { Room } from "../rooms";
import { addressOf } from "../route";
import { controls, dialogs, text } from "../shared-styles";
import { moment } from "../time";
import { erase, type Receipt, type Row } from "./api";
import { nameOf } from "./names";
import { number, words } from "./words";

/** The user of a conversation is erased. */
export class ErasedEvent extends Event {
  constructor(
    readonly user: string,
    readonly channel: string,
  ) {
    super("studio-erased", { bubbles: true, composed: true });
  }
}

/** Where a file of the bot is changed. */
function roomOf(file: string): Room {
  return file.startsWith("tests/") ? "test" : file === "training.json" ? "understand" : "build";
}

export class StudioEraseUser extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: {},
    row: { state: true },
    receipt: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    dialogs,
    css`
      .pairs {
        margin-block-start: 12px;
        font-size: 13px;
      }

      .copies {
        margin-block: 12px 0;
        padding-inline-start: 18px;
        max-block-size: 30vh;
        overflow-y: auto;
        overflow-wrap: anywhere;
      }

      p.copies {
        padding: 0;
      }

      .pairs > dt,
      .pairs > dd {
        min-block-size: 0;
        padding-block: 3px;
      }
    `,
  ];

  declare api: Api;
  declare bot: string;
  declare row: Row | null;
  declare receipt: Receipt | null;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.bot = this.problem = "";
    this.row = this.receipt = null;
    this.isBusy = false;
  }

  open(row: Row): void {
    this.row = row;
    this.receipt = null;
    this.problem = "";
    void this.updateComplete.then(() => {
      this.#dialog?.showModal();
      this.renderRoot.querySelector<HTMLElement>("[data-first]")?.focus();
    });
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  #close = (): void => this.#dialog?.close();

  // The event comes a moment after the closing: the next question may be open by then.
  #closed = (): void => {
    if (this.#dialog?.open) return;
    if (this.receipt && this.row) this.#tell(this.row);
    this.row = null;
  };

  #tell({ User, Channel }: Row): void {
    this.dispatchEvent(new ErasedEvent(User, Channel));
  }

  #erase = async (): Promise<void> => {
    const { row } = this;
    if (!row || this.isBusy) return;
    this.isBusy = true;
    this.problem = "";
    try {
      const receipt = await erase(this.api, this.bot, row.User, row.Channel);
      if (row !== this.row) return this.#tell(row);
      this.receipt = receipt;
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
    } catch (error) {
      if (row === this.row) this.problem = (error as Error).message;
      else this.dispatchEvent(failureNotice(error));
    } finally {
      this.isBusy = false;
    }
  };

  override render() {
    const { row, receipt } = this;
    return html`<dialog aria-labelledby="title" @close=${this.#closed}>${receipt ? this.#receipt(receipt) : row ? this.#question(row) : ""}</dialog>`;
  }

  #question(row: Row) {
    return html`<h2 id="title">${words.eraseTitle(nameOf(row))}</h2>
      <p>${words.eraseHelp(row.Channel)}</p>
      <p class="wrong" role="alert">${this.problem}</p>
      <div class="acts">
        <button type="button" class="button" data-first @click=${this.#close}>${words.cancel}</button>
        <button type="button" class="button grave" ?disabled=${this.isBusy} @click=${this.#erase}>${words.eraseNow}</button>
      </div>`;
  }

  #receipt(receipt: Receipt) {
    const titles = words.receiptRows;
    const rows: [string, string][] = [
      [titles.conversations, number(receipt.conversations)],
      [titles.messages, number(receipt.messages)],
      [titles.files, number(receipt.files)],
      [titles.deliveries, number(receipt.deliveries)],
      [titles.tryOuts, number(receipt.tryOuts)],
      [titles.memory, receipt.memory ? words.yes : words.no],
      [titles.erasedAt, moment(receipt.erasedAt)],
      [titles.log, words.logs[receipt.log] ?? receipt.log],
    ];
    return html`<h2 id="title" tabindex="-1">${words.erased}</h2>
      <p>${words.receipt}</p>
      <dl class="pairs">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      ${receipt.copies.length
        ? html`<p class="copies">${words.copies}</p>
            <ul class="copies">
              ${receipt.copies.map(({ file, path }) => html`<li><a href=${addressOf({ bot: this.bot, room: roomOf(file) })}>${file}</a> <code class="quiet">${path}</code></li>`)}
            </ul>`
        : ""}
      <div class="acts">
        <studio-copy .text=${JSON.stringify(receipt, null, 2)} what=${words.copyReceipt}></studio-copy>
        <button type="button" class="button main" @click=${this.#close}>${words.close}</button>
      </div>`;
  }
}
