// <studio-channels>: where each of a bot's channels is reached, with what a developer needs to begin.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import type { Api, Bot, Channel, Token } from "../api";
import { away } from "../icons";
import { controls, text } from "../shared-styles";
import { failureNotice } from "../notice";
import { moment } from "../time";
import { words as common } from "../words";
import { type ChannelState, channelStates, checkChannel, type Said } from "./api";
import { embed, HIDDEN, openSession, say } from "./snippets";
import { tab } from "./styles";
import { words } from "./words";

const POST = html`<code class="quiet">POST</code>`;

export class StudioChannels extends LitElement {
  static override properties = {
    api: { attribute: false },
    bot: { attribute: false },
    isAdministrator: { attribute: false },
    shown: { state: true },
    states: { state: true },
    checks: { state: true },
  };

  static override styles = [
    base,
    controls,
    text,
    tab,
    css`
      .acts {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 8px;
        margin-inline-start: auto;
      }

      .second {
        margin-block-start: 32px;
      }

      .wrong {
        color: var(--danger);
        font-size: 13px;
        line-height: 18px;
      }

      .pairs svg {
        inline-size: 13px;
        margin-inline-start: 3px;
        vertical-align: -3px;
      }

      article {
        margin-block-start: 12px;
        padding: 12px 16px;
        border: 1px solid var(--line);
        border-radius: 10px;
      }

      h3 {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 2px 10px;
        padding-block: 2px 6px;
        font-size: 14px;
        font-weight: 600;
        line-height: 20px;
        overflow-wrap: anywhere;
      }

      h3 > span:not(.mark, .acts) {
        color: var(--quiet);
        font-weight: 400;
      }

      dd a {
        overflow-wrap: anywhere;
      }

      dd a svg {
        inline-size: 13px;
        margin-inline-start: 3px;
        vertical-align: -3px;
      }

      .secret {
        user-select: all;
        word-break: break-all;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
    `,
  ];

  declare api: Api;
  declare bot: Bot;
  /** The one that is shown in clear: never two at once. */
  declare shown: { id: string; text: string } | null;
  /** Tokens are theirs alone. */
  declare isAdministrator: boolean;
  declare states: readonly ChannelState[];
  /** By the channel's id: what its check has found, or that it goes on. */
  declare checks: Readonly<Record<string, readonly Said[] | "busy">>;

  constructor() {
    super();
    this.shown = null;
    this.isAdministrator = false;
    this.states = [];
    this.checks = {};
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    const before = changed.get("bot") as Bot | undefined;
    if (changed.has("bot") && before?.id !== this.bot.id) void this.#load();
  }

  async #load(): Promise<void> {
    const { id } = this.bot;
    this.shown = null;
    this.states = [];
    this.checks = {};
    try {
      const states = await channelStates(this.api, id);
      if (id === this.bot.id) this.states = states;
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  }

  async #check(channel: Channel): Promise<void> {
    this.checks = { ...this.checks, [channel.id]: "busy" };
    try {
      const found = await checkChannel(this.api, this.bot.id, channel.id);
      this.checks = { ...this.checks, [channel.id]: found };
    } catch (error) {
      this.checks = { ...this.checks, [channel.id]: [] };
      this.dispatchEvent(failureNotice(error));
    }
  }

  override render() {
    const { bot } = this;
    return html`<h2 tabindex="-1">${words.addresses}</h2>
      <dl class="pairs">
        <dt>${words.botId}</dt>
        <dd class="line"><code>${bot.id}</code><studio-copy brief .text=${bot.id} what=${words.theBotId}></studio-copy></dd>
        <dt>${words.api}</dt>
        <dd class="line"><code>${bot.api}</code><studio-copy brief .text=${bot.api} what=${words.theApi}></studio-copy></dd>
        <dt>${words.version}</dt>
        <dd><code>${bot.version}</code></dd>
        <dt>${words.reference}</dt>
        <dd>
          <a href=${bot.reference} target="_blank" rel="noopener">${words.interface}${away}<span class="unseen">${common.newTab}</span></a>
        </dd>
      </dl>
      <h2 class="second">${words.channels}</h2>
      ${this.bot.channels.map((channel) => this.#channel(channel))}`;
  }

  #channel(channel: Channel): TemplateResult {
    const label = words.labels[channel.type] ?? channel.type;
    return html`<article aria-label=${channel.name ?? `${label} ${channel.id}`}>
      <h3>${channel.name ?? label}${channel.name ? html`<span>${label}</span>` : nothing} ${this.#state(channel)}</h3>
      ${this.#said(channel)}
      <dl class="pairs">
        <dt>${words.id}</dt>
        <dd class="line"><code>${channel.id}</code><studio-copy brief .text=${channel.id} what=${words.theIdOf(channel.id)}></studio-copy></dd>
        ${this.#ways(channel)} ${this.isAdministrator ? channel.tokens.map((token) => this.#token(channel, token)) : nothing}
      </dl>
    </article>`;
  }

  #state(channel: Channel) {
    const state = this.states.find(({ id }) => id === channel.id);
    if (!state) return nothing;
    const isOpen = !state.reasons.length;
    return html`<span class="mark ${isOpen ? "ok" : "fail"}">${isOpen ? words.open : words.closed}</span>
      <span class="acts">
        <button type="button" class="plain" aria-label=${words.checkOf(channel.id)} ?disabled=${this.checks[channel.id] === "busy"} @click=${() => this.#check(channel)}>
          ${words.check}
        </button>
      </span>`;
  }

  /** Why it is closed, what went wrong last, and what its check has found. */
  #said(channel: Channel) {
    const state = this.states.find(({ id }) => id === channel.id);
    const check = this.checks[channel.id];
    if (!state) return nothing;
    return html`${state.reasons.map((reason) => html`<p class="wrong">${reason}</p>`)}
      ${state.failures.map(({ at, reason }) => html`<p class="wrong"><time datetime=${at}>${moment(at)}</time> ${reason}</p>`)}
      <div role="status">
        ${check === "busy"
          ? html`<p class="quiet">${words.checking}</p>`
          : check?.length
            ? html`<ul class="said">
                ${check.map((line) => html`<li><span class="mark ${line.state}">${words.said[line.state]}</span><span>${line.text}</span></li>`)}
              </ul>`
            : nothing}
      </div>`;
  }

  #ways(channel: Channel): TemplateResult {
    switch (channel.type) {
      case "web":
        return html`${this.#page(channel)} ${this.#embed(channel)} ${this.#origins(channel)}`;
      case "mobile":
        return html`${this.#page(channel)} ${line(words.sessions, openSession(this.bot, channel), words.theSessions, POST)}`;
      case "rest":
        return html`${line(words.endpoint, channel.address, words.theEndpoint, POST)}
          <dt>${words.tryIt}</dt>
          <dd>${block(say(channel), say(channel), words.theEndpointCall)}</dd>`;
      default:
        return line(words.webhook, channel.address, words.theWebhook);
    }
  }

  #page(channel: Channel): TemplateResult {
    return html`<dt>${words.page}</dt>
      <dd class="line">
        <a href=${channel.address} target="_blank" rel="noopener">${channel.address}${away}<span class="unseen">${common.newTab}</span></a>
        <studio-copy brief .text=${channel.address} what=${words.thePage}></studio-copy>
      </dd>
      ${channel.requiresUserToken ? html`<dt>${words.users}</dt><dd class="quiet">${words.signedUsers}</dd>` : nothing}`;
  }

  /** The widget's line. Its token stands in the source of the page that it is for, so it is copied with the rest. */
  #embed(channel: Channel): TemplateResult {
    const [token] = this.isAdministrator ? channel.tokens : [];
    const seen = embed(this.bot, channel, token && this.shown?.id === token.id ? this.shown.text : HIDDEN);
    const whole = async () => embed(this.bot, channel, token ? await this.#text(token) : HIDDEN);
    return html`<dt>${words.inPage}</dt>
      <dd>
        ${block(seen, whole, words.theLine(channel.id))}
        <div class="note">
          ${words.lineNote[0]}<code>integrity</code>${words.lineNote[1]}<a href=${`${this.bot.service}/static/widget.json`} target="_blank" rel="noopener">widget.json<span class="unseen">${common.newTab}</span></a
          >${words.lineNote[2]}<code>crossorigin="anonymous"</code>${words.lineNote[3]}
        </div>
      </dd>`;
  }

  #origins(channel: Channel): TemplateResult {
    return html`<dt>${words.origins}</dt>
      <dd>
        ${channel.allowedOrigins.length
          ? html`<ul>
              ${channel.allowedOrigins.map((origin) => html`<li><code>${origin}</code></li>`)}
            </ul>`
          : html`<span class="quiet">${words.ownOrigin}<code>allowed-origins</code>.</span>`}
      </dd>`;
  }

  #token(channel: Channel, token: Token): TemplateResult {
    const isShown = this.shown?.id === token.id;
    const what = words.tokenOf(token.id, channel.id);
    return html`<dt>${words.channelToken}</dt>
      <dd>
        <code class=${isShown ? "secret" : "quiet"}>${isShown ? this.shown?.text : HIDDEN}</code>
        <button
          type="button"
          class="plain"
          aria-expanded=${isShown ? "true" : "false"}
          aria-label=${isShown ? words.hideIt(what) : words.showIt(what)}
          @click=${() => (isShown ? this.#hide() : this.#show(token))}
        >
          ${isShown ? words.hide : words.show}
        </button>
        <studio-copy .text=${() => this.#text(token)} what=${what}></studio-copy>
        <div class="note">
          ${channel.type === "rest" ? words.secret : words.public}
        </div>
      </dd>`;
  }

  #text(token: Token): Promise<string> {
    return this.shown?.id === token.id ? Promise.resolve(this.shown.text) : this.api.show(this.bot.id, token.id);
  }

  async #show(token: Token): Promise<void> {
    try {
      this.shown = { id: token.id, text: await this.api.show(this.bot.id, token.id) };
    } catch (error) {
      this.dispatchEvent(failureNotice(error));
    }
  }

  #hide(): void {
    this.shown = null;
  }
}

function line(title: string, value: string, what: string, before: unknown = nothing): TemplateResult {
  return html`<dt>${title}</dt>
    <dd class="line">${before} <code>${value}</code><studio-copy brief .text=${value} what=${what}></studio-copy></dd>`;
}

function block(seen: string, whole: string | (() => Promise<string>), what: string): TemplateResult {
  return html`<div class="block">
    <pre tabindex="0" role="region" aria-label=${what}>${seen}</pre>
    <studio-copy .text=${whole} what=${what}></studio-copy>
  </div>`;
}
