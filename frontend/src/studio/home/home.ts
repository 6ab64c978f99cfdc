// <studio-home>: the bots of this service, each a card that leads to its rooms.

import { css, html, LitElement } from "lit";
import { base } from "../../view/tokens";
import type { Visit } from "../api";
import { GoEvent } from "../events";
import { FIRST_ROOM } from "../rooms";
import { addressOf } from "../route";
import { column, controls, states, text } from "../shared-styles";
import { words } from "./words";

export class StudioHome extends LitElement {
  static override properties = { visit: { attribute: false } };

  static override styles = [
    base,
    controls,
    text,
    column,
    states,
    css`
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(260px, 1fr));
        gap: 12px;
        margin: 16px 0 0;
        padding: 0;
        list-style: none;
      }

      .card {
        display: block;
        padding: 16px;
        border: 1px solid var(--line);
        border-radius: 12px;
        color: var(--text);
        text-decoration: none;
      }

      .card strong {
        display: block;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
    `,
  ];

  declare visit: Visit | null;

  constructor() {
    super();
    this.visit = null;
  }

  override render() {
    const bots = this.visit?.bots ?? [];
    if (!bots.length)
      return html`<div class="problem">
        <h1 tabindex="-1">${words.none}</h1>
        <p class="quiet">${words.noneHelp}</p>
        <code>dialoom init my-bot && dialoom run my-bot</code>
      </div>`;
    return html`<h1 tabindex="-1">${words.title}</h1>
      <ul>
        ${bots.map(({ id, name }) => {
          const room = FIRST_ROOM;
          const go = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
            event.preventDefault();
            this.dispatchEvent(new GoEvent({ bot: id, room }));
          };
          return html`<li>
            <a class="card" href=${addressOf({ bot: id, room })} @click=${go}><strong>${name}</strong><code class="quiet">${id}</code></a>
          </li>`;
        })}
      </ul>`;
  }
}
