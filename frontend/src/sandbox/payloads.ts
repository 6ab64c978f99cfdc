// <sandbox-payloads>: what went over the wire between the service and one platform, newest first, each call to unfold.

import { css, html, LitElement, nothing } from "lit";
import type { Column, Exchange } from "./api";
import { NAMES } from "./looks";
import { base } from "../view/tokens";

export class SandboxPayloads extends LitElement {
  static override properties = { column: { attribute: false } };

  static override styles = [
    base,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-block-size: 0;
        background: var(--panel);
      }

      h2 {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        min-block-size: 48px;
        margin: 0;
        padding: 8px 16px;
        border-block-end: 1px solid var(--line);
        font-size: 14px;
        font-weight: 600;
      }

      h2 span,
      .empty {
        color: var(--quiet);
        font-size: 13px;
        font-weight: 400;
      }

      .empty {
        margin: 0;
        padding: 16px;
      }

      ol {
        flex: 1;
        min-block-size: 0;
        margin: 0;
        padding: 4px 0;
        overflow-y: auto;
        list-style: none;
        scrollbar-width: thin;
      }

      summary {
        display: grid;
        grid-template-columns: 58px minmax(0, 1fr) auto;
        align-items: center;
        gap: 8px;
        min-block-size: 36px;
        padding: 4px 16px;
        cursor: pointer;
        list-style: none;
      }

      summary:hover {
        background: var(--raised);
      }

      summary:focus-visible {
        outline-offset: -2px;
      }

      .way {
        color: var(--quiet);
        font-size: 12px;
      }

      .what {
        overflow: hidden;
        font: 12.5px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .status {
        padding: 1px 7px;
        border-radius: 999px;
        background: var(--raised);
        font-size: 12px;
        font-variant-numeric: tabular-nums;
      }

      .status.bad {
        background: light-dark(oklch(0.95 0.03 27), oklch(0.32 0.07 27));
        color: var(--danger);
        font-weight: 600;
      }

      .parts {
        padding: 0 16px 12px;
      }

      h3 {
        margin: 8px 0 4px;
        color: var(--quiet);
        font-size: 12px;
        font-weight: 500;
        overflow-wrap: anywhere;
      }

      pre {
        max-block-size: 320px;
        margin: 0;
        padding: 8px 10px;
        overflow: auto;
        border: 1px solid var(--line);
        border-radius: 8px;
        background: var(--raised);
        font: 12px/17px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
        scrollbar-width: thin;
        tab-size: 2;
      }
    `,
  ];

  declare column: Column | undefined;

  override render() {
    const { column } = this;
    if (!column) return nothing;
    const newest = [...column.exchanges].reverse();
    return html`<h2>Payloads <span>${NAMES[column.platform] ?? column.platform}, newest first</span></h2>
      ${newest.length
        ? html`<ol tabindex="0" aria-label="Payloads">
            ${newest.map((one) => html`<li>${this.#exchange(one)}</li>`)}
          </ol>`
        : html`<p class="empty">Nothing went over the wire yet. Write something to the bot.</p>`}`;
  }

  #exchange(one: Exchange) {
    const bad = one.status === null || one.status >= 400;
    return html`<details>
      <summary>
        <span class="way">${one.caller === "platform" ? "→ bot" : "← bot"}</span>
        <span class="what" title=${`${one.method} ${one.address}`}>${brief(one)}</span>
        <span class=${bad ? "status bad" : "status"}>${one.status ?? "none"}</span>
      </summary>
      <div class="parts">
        <h3>${one.method} ${one.address}</h3>
        <pre tabindex="0" aria-label="Request">${pretty(one.body)}</pre>
        <h3>Answer</h3>
        <pre tabindex="0" aria-label="Answer">${pretty(one.answer)}</pre>
      </div>
    </details>`;
  }
}

/** What a call is about: the last part of its path, or the kind of event in its body. */
function brief(one: Exchange): string {
  if (one.caller === "service") return one.address.split("?")[0]?.split("/").filter(Boolean).at(-1) ?? one.address;
  return kindOf(one.body) ?? one.method;
}

function kindOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const known = body as Record<string, unknown>;
  const request = known["request"] as { type?: string; intent?: { name?: string } } | undefined;
  if (request?.type) return request.intent?.name ?? request.type;
  if (typeof known["event"] === "string") return known["event"];
  if (typeof known["type"] === "string") return [known["type"], known["name"]].filter(Boolean).join(" ");
  const entry = known["entry"] as { messaging?: object[] }[] | undefined;
  const keys = Object.keys(entry?.[0]?.messaging?.[0] ?? known);
  return keys.find((key) => !["sender", "recipient", "timestamp", "update_id"].includes(key));
}

function pretty(value: unknown): string {
  return typeof value === "string" ? value || "(empty)" : JSON.stringify(value, null, 2);
}
