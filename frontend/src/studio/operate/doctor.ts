// <operate-doctor>: what `dialoom doctor` finds, asked by the service itself.

import { html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { controls, text } from "../shared-styles";
import { type Diagnosis, examine, type Level } from "./api";
import { tab } from "./styles";
import { words } from "./words";

/** What needs somebody stands first. */
const ORDER: readonly Level[] = ["fail", "warn", "by-hand", "ok"];

export class OperateDoctor extends LitElement {
  static override properties = { api: { attribute: false }, bot: {}, found: { state: true }, problem: { state: true }, isBusy: { state: true } };

  static override styles = [base, controls, text, tab];

  declare api: Api;
  declare bot: string;
  declare found: readonly Diagnosis[] | null;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.bot = this.problem = "";
    this.found = null;
    this.isBusy = false;
  }

  protected override firstUpdated(): void {
    void this.#examine();
  }

  async #examine(): Promise<void> {
    this.isBusy = true;
    this.problem = "";
    try {
      this.found = await examine(this.api, this.bot);
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.isBusy = false;
    }
  }

  override render() {
    const { found } = this;
    const sorted = found ? ORDER.flatMap((level) => found.filter((one) => one.level === level)) : [];
    const counts = ORDER.map((level) => [level, sorted.filter((one) => one.level === level).length] as const).filter(([, count]) => count);
    return html`<header>
        <h2 tabindex="-1">${words.tabs.doctor}</h2>
        <button type="button" class="button" ?disabled=${this.isBusy} @click=${this.#examine}>${words.lookAgain}</button>
      </header>
      <p class="quiet">${words.doctorHelp}</p>
      <p role="status">${this.isBusy ? words.examining : counts.map(([level, count]) => `${count} ${words.levels[level]}`).join(" · ")}</p>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : nothing}
      <ul class="said">
        ${sorted.map((one) => html`<li><span class="mark ${one.level}">${words.levels[one.level]}</span><span><strong>${one.check}</strong> ${one.text}</span></li>`)}
      </ul>`;
  }
}
