// <operate-keys>: which keys the vault has, by name, and how to change them. No key is ever shown.

import { html, LitElement, nothing } from "lit";
import { base } from "../../view/tokens";
import type { Api } from "../api";
import { controls, text } from "../shared-styles";
import { moment } from "../time";
import { type Keys, keys } from "./api";
import { tab, table } from "./styles";
import { words } from "./words";

export class OperateKeys extends LitElement {
  static override properties = { api: { attribute: false }, bot: {}, found: { state: true }, problem: { state: true } };

  static override styles = [base, controls, text, tab, table];

  declare api: Api;
  declare bot: string;
  declare found: Keys | null;
  declare problem: string;

  constructor() {
    super();
    this.bot = this.problem = "";
    this.found = null;
  }

  protected override firstUpdated(): void {
    void this.#load();
  }

  async #load(): Promise<void> {
    this.problem = "";
    try {
      this.found = await keys(this.api, this.bot);
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  override render() {
    const { found } = this;
    if (this.problem) return html`<p class="wrong" role="alert">${this.problem}</p><button type="button" class="button" @click=${this.#load}>${words.again}</button>`;
    if (!found) return nothing;
    return html`<h2 tabindex="-1" id="title">${words.tabs.keys}</h2>
      <p class="quiet">${words.keysHelp}</p>
      ${found.isRestartDue ? html`<p role="status"><span class="mark warn">${words.restartDue}</span></p>` : nothing}
      <table role="table" aria-labelledby="title">
        <thead role="rowgroup">
          <tr role="row">
            ${words.keyColumns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${found.keys.map(
            (key) =>
              html`<tr role="row">
                <td role="cell" class="short"><code>${key.name}</code></td>
                <td role="cell">${key.seals ? words.seals : words.opens}${key.isLoaded ? nothing : html` · ${words.notLoadedYet}`}</td>
                <td role="cell">${key.seals && found.changedAt ? html`<time datetime=${found.changedAt}>${moment(found.changedAt)}</time>` : html`<span class="quiet">${words.unknownAge}</span>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <dl class="pairs">
        <dt>${words.keyPlace}</dt>
        <dd><code>${found.place}</code></dd>
        <dt>${words.newKey}</dt>
        <dd>${found.isFile ? command(`dialoom keys add --data ${found.data}`) : command("openssl rand -base64 32")}</dd>
        <dt>${words.rotate}</dt>
        <dd>
          ${command(`dialoom keys rotate --data ${found.data}`)}
          <div class="note">${words.rotateHelp}</div>
        </dd>
      </dl>`;
  }
}

function command(line: string) {
  return html`<div class="block">
    <pre tabindex="0" role="region" aria-label=${line}>${line}</pre>
    <studio-copy .text=${line} what=${line}></studio-copy>
  </div>`;
}
