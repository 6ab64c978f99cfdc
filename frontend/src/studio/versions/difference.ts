// <studio-difference>: what differs between two versions, part by part and as the lines that `dialoom diff` prints.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../../view/tokens";
import { text } from "../shared-styles";
import type { Change, Difference } from "./api";
import { words } from "./words";

export class StudioDifference extends LitElement {
  static override properties = { found: { attribute: false } };

  static override styles = [
    base,
    text,
    css`
      :host {
        display: block;
      }

      ul {
        max-block-size: var(--changes-block-size, none);
        margin: 0;
        padding: 0;
        overflow: auto;
        list-style: none;
      }

      li {
        display: grid;
        grid-template-columns: 76px minmax(0, 1fr);
        gap: 0 8px;
        padding-block: 5px;
        font-size: 13.5px;
        overflow-wrap: anywhere;
      }

      .kind {
        color: var(--quiet);
        font-size: 12px;
      }

      :is(del, ins) {
        grid-column: 2;
        text-decoration: none;
        white-space: pre-line;
      }

      del {
        color: var(--quiet);
        text-decoration: line-through;
      }

      summary {
        inline-size: fit-content;
        margin-block-start: 8px;
        border-radius: 4px;
        color: var(--quiet);
        font-size: 13px;
        cursor: pointer;
      }

      pre {
        max-block-size: var(--lines-block-size, 60vh);
        margin-block-start: 8px;
        padding: 10px 12px;
        overflow: auto;
        border: 1px solid var(--line);
        border-radius: 8px;
        background: var(--raised);
      }

      .added {
        color: light-dark(oklch(0.42 0.11 150), oklch(0.82 0.13 150));
      }

      .removed {
        color: var(--danger);
      }
    `,
  ];

  declare found: Difference;

  override render(): TemplateResult {
    const { changes, lines } = this.found;
    if (!changes.length && !lines.length) return html`<p class="quiet">${words.same}</p>`;
    return html`<ul tabindex="0" aria-label=${words.difference}>
        ${changes.map((change) => changeRow(change))}
      </ul>
      ${lines.length
        ? html`<details>
            <summary>${words.asLines}</summary>
            <pre tabindex="0" role="region" aria-label=${words.asLines}>${lines.map((line) => html`<span class=${kindOf(line)}>${line}${"\n"}</span>`)}</pre>
          </details>`
        : nothing}`;
  }
}

function changeRow({ kind, title, file, path, before, after }: Change): TemplateResult {
  // Of what may hold a secret the service tells only that it changed.
  const isTold = kind === "changed" && (before !== undefined || after !== undefined);
  const [old, now] = isTold ? told(before, after) : ["", ""];
  return html`<li>
    <span class="kind">${words.kinds[kind]}</span><span title="${file} ${path}">${kind === "unreadable" ? words.cannotBeRead(file) : title || path}</span>
    ${old ? html`<del>${old}</del>` : nothing}${now ? html`<ins>${now}</ins>` : nothing}
  </li>`;
}

function kindOf(line: string): string {
  if (/^(\+\+\+|---|@@)/.test(line)) return "quiet";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
}

/** Returns what went and what came: of two lists of texts those that the other does not have, unless only their order differs. */
function told(before: unknown, after: unknown): readonly [string, string] {
  if (isTexts(before) && isTexts(after)) {
    const [old, now] = [new Set(before), new Set(after)];
    const gone = before.filter((one) => !now.has(one));
    const come = after.filter((one) => !old.has(one));
    if (gone.length || come.length) return [gone.join("\n"), come.join("\n")];
  }
  return [shown(before), shown(after)];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Returns a value as people read it: a list of texts line by line. */
function shown(value: unknown): string {
  if (isTexts(value) && value.length) return value.join("\n");
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
