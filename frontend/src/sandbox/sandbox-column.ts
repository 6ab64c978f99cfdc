// <sandbox-column>: one channel as its user sees it, with a field, and what this platform's users can do besides writing.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { act, type Action, type Card, type Column, type Item, type Span } from "./api";
import { adaptiveCard } from "./adaptive-card";
import { adaptiveStyle, columnStyle } from "./column-style";
import { looks, NAMES } from "./looks";
import { base, tokens } from "../view/tokens";

export class SandboxColumn extends LitElement {
  static override properties = {
    column: { attribute: false },
    platform: { reflect: true },
    problem: { state: true },
    opened: { state: true },
  };

  static override styles = [tokens, base, looks, columnStyle, adaptiveStyle];

  declare column: Column;
  declare platform: string;
  declare problem: string | undefined;
  /** An address that the browser did not open by itself. */
  declare opened: string | undefined;
  #shown = 0;

  override willUpdate(changed: PropertyValues<this>) {
    if (changed.has("column")) this.platform = this.column.platform;
  }

  override updated() {
    const log = this.renderRoot.querySelector(".log");
    const count = this.column.screen.items.length;
    if (log && count !== this.#shown) log.scrollTop = log.scrollHeight;
    this.#shown = count;
  }

  override render() {
    const { screen, problems, channel, name, platform } = this.column;
    const known = NAMES[platform] ?? platform;
    const isSpoken = platform === "voice-assistant";
    return html`<header>
        <span class="mark" aria-hidden="true">${known[0]}</span>
        <div>
          <h2>${known}</h2>
          <p>${name || channel}</p>
        </div>
      </header>
      ${problems.map((one) => html`<p class="note bad">${one}</p>`)}
      ${screen.notes.map((one) => html`<p class="note">${one}</p>`)}
      <div class="log" role="log" tabindex="0" aria-label=${`Chat on ${known}`}>
        ${screen.items.length
          ? screen.items.map((one, at) => this.#item(one, screen.items[at - 1]))
          : html`<p class="empty">${isSpoken ? "Open the skill, then speak to it." : "Begin the chat below."}</p>`}
        ${screen.typing ? html`<p class="ended">The bot is typing…</p>` : nothing}
      </div>
      ${screen.replies?.length
        ? html`<div class="replies">${screen.replies.map((one) => this.#tap(one))}</div>`
        : nothing}
      ${screen.keyboard?.length ? html`<div class="keyboard">${screen.keyboard.map((one) => this.#row(one))}</div>` : nothing}
      ${this.problem ? html`<p class="note bad" role="alert">${this.problem}</p>` : nothing}
      ${this.opened
        ? html`<p class="note">Opens <a href=${this.opened} target="_blank" rel="noopener">this page</a>.</p>`
        : nothing}
      <form class="compose" @submit=${this.#say}>
        <input
          name="text"
          autocomplete="off"
          aria-label=${isSpoken ? "What you say to Alexa" : `Message on ${known}`}
          placeholder=${isSpoken ? "Say something" : "Message"}
        />
        <button type="submit">${isSpoken ? "Say" : "Send"}</button>
      </form>
      <div class="does" role="group" aria-label=${`What users of ${known} can do`}>
        ${screen.actions.map(
          (one) => html`<button type="button" @click=${() => this.#do(one)}>${one.title}</button>`,
        )}
      </div>`;
  }

  #item(item: Item, before: Item | undefined) {
    const text = item.spans.some((one) => one.text);
    const turn = before?.from === item.from ? "" : " turn";
    return html`<div class=${`item ${item.from}${turn}`}>
      ${item.image || text
        ? html`<div class="bubble" dir="auto">${item.image
            ? html`<img class="photo" src=${item.image} alt="" loading="lazy" />`
            : nothing}${item.spans.map(span)}</div>`
        : nothing}
      ${item.rows?.length ? html`<div class="rows">${item.rows.map((one) => this.#row(one))}</div>` : nothing}
      ${item.cards?.length
        ? html`<div class="cards" tabindex=${item.cards.length > 1 ? "0" : nothing} role="group" aria-label="Cards">
            ${item.cards.map((one) => this.#card(one, item.cards?.length === 1))}
          </div>`
        : nothing}
      ${item.note ? html`<span class="ended">${item.note}</span>` : nothing}
    </div>`;
  }

  #card(card: Card, alone: boolean): TemplateResult {
    const form = alone ? "card alone" : "card";
    if (card.adaptive) {
      const submit = (title: string, inputs: Record<string, string>, data: unknown) =>
        void this.#do({ title, do: "submit", inputs, data });
      return html`<div class=${form}>${adaptiveCard(card.adaptive, submit)}</div>`;
    }
    return html`<div class=${form}>
      ${card.image ? html`<img src=${card.image} alt="" loading="lazy" />` : nothing}
      ${card.title || card.subtitle
        ? html`<div class="words" dir="auto">
            ${card.title ? html`<p class="title">${card.title}</p>` : nothing}
            ${card.subtitle ? html`<p>${card.subtitle}</p>` : nothing}
          </div>`
        : nothing}
      ${card.rows?.length ? html`<div class="rows">${card.rows.map((one) => this.#row(one))}</div>` : nothing}
    </div>`;
  }

  #row(row: Action[]) {
    const even = row.every((one) => one.width === undefined);
    return html`<div class=${even ? "row even" : "row"}>${row.map((one) => this.#tap(one))}</div>`;
  }

  #tap(action: Action) {
    const form = `tap w${action.width ?? 6}`;
    const picture = action.image ? html`<img src=${action.image} alt="" />` : nothing;
    return action.do === "open"
      ? html`<a class=${form} href=${action.url ?? ""} target="_blank" rel="noopener">${picture}${action.title}</a>`
      : html`<button class=${form} type="button" @click=${() => this.#do(action)}>${picture}${action.title}</button>`;
  }

  readonly #say = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem("text") as HTMLInputElement;
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    void this.#do({ title: text, do: "say", text });
  };

  async #do(action: Action) {
    this.problem = this.opened = undefined;
    const { problem, open } = await act(this.column.channel, action);
    this.problem = problem;
    if (open && !globalThis.open(open, "_blank", "noopener")) this.opened = open;
  }
}

function span(one: Span) {
  const styled = one.styles?.length ? html`<span class=${one.styles.join(" ")}>${one.text}</span>` : one.text;
  return one.url ? html`<a href=${one.url} target="_blank" rel="noopener">${styled}</a>` : styled;
}
