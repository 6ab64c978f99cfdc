// <operate-backup>: makes a backup of the whole service and gives it to the browser once.

import { css, html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { controls, text } from "../shared-styles";
import { type Backup, backupAddress, backUp } from "./api";
import { tab } from "./styles";
import { words } from "./words";

export class OperateBackup extends LitElement {
  static override properties = { api: { attribute: false }, made: { state: true }, isMaking: { state: true }, problem: { state: true } };

  static override styles = [
    base,
    controls,
    text,
    tab,
    css`
      p {
        margin-block: 0 12px;
        max-inline-size: 68ch;
      }
    `,
  ];

  declare api: Api;
  declare made: Backup | null;
  declare isMaking: boolean;
  declare problem: string;

  constructor() {
    super();
    this.made = null;
    this.isMaking = false;
    this.problem = "";
  }

  async #make(): Promise<void> {
    if (this.isMaking) return;
    this.isMaking = true;
    this.problem = "";
    this.made = null;
    try {
      this.made = await backUp(this.api);
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.isMaking = false;
    }
  }

  override render() {
    const { made } = this;
    return html`<header>
        <h2 tabindex="-1">${words.tabs.backup}</h2>
        <button type="button" class="button" aria-disabled=${this.isMaking ? "true" : "false"} @click=${this.#make}>${this.isMaking ? words.backingUp : words.backUp}</button>
      </header>
      <p class="quiet">${words.backupHelp}</p>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : nothing}
      <div role="status">${made && "command" in made ? this.#command(made.command) : made ? this.#download(made) : nothing}</div>
      <p class="quiet">${words.notInBackup}</p>`;
  }

  #download(made: Exclude<Backup, { command: string }>) {
    const size = (made.size / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 });
    return html`<p>${words.backupMade(size, made.conversations.toLocaleString(), made.messages.toLocaleString())}</p>
      <p><a class="button" href=${backupAddress(made.id)} download @click=${this.#taken}>${words.downloadBackup}</a></p>`;
  }

  /** It is given once: the link goes once the browser has followed it. */
  #taken(): void {
    setTimeout(() => (this.made = null));
  }

  #command(line: string) {
    return html`<p>${words.backupCommand}</p>
      <div class="block">
        <pre tabindex="0" role="region" aria-label=${line}>${line}</pre>
        <studio-copy .text=${line} what=${line}></studio-copy>
      </div>`;
  }
}
