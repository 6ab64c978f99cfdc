// The lines of a scenario that failed, as people read them: what was said, what was expected and what came.

import { css, html, type TemplateResult } from "lit";
import { differenceOf } from "./test/difference";
import { words } from "./test/words";

export const testLineStyles = css`
  .lines-of-test {
    max-block-size: 38vh;
    margin: 0;
    padding: 4px 0;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: 8px;
    list-style: none;
    font-size: 13px;
    line-height: 20px;
  }

  .lines-of-test > li {
    display: grid;
    grid-template-columns: 96px minmax(0, 1fr);
    gap: 12px;
    padding: 4px 12px;
    overflow-wrap: anywhere;
  }

  .lines-of-test :is(.label, .same) {
    color: var(--quiet);
  }

  .lines-of-test > .step {
    font-weight: 600;
  }

  .lines-of-test > .expected {
    background: light-dark(oklch(0.97 0.03 150), oklch(0.27 0.04 150));
  }

  .lines-of-test > :is(.came, .problem) {
    background: light-dark(oklch(0.97 0.02 25), oklch(0.28 0.05 25));
  }

  .lines-of-test .part {
    display: inline-block;
    padding: 0 8px;
    border: 1px solid var(--line-strong);
    border-radius: 10px;
    font-size: 12px;
    line-height: 18px;
  }
`;

/** Returns the list for `lines` as `dialoom test` prints them. `label` names the list for screen readers. */
export function testLines(lines: readonly string[], label: string): TemplateResult {
  return html`<ol class="lines-of-test" tabindex="0" aria-label=${label}>
    ${differenceOf(lines).map(
      ({ kind, text, parts }) =>
        html`<li class=${kind}>
          <span class="label">${words.line[kind]}</span>
          <span dir="auto">${text}${parts.map((part) => html` <span class="part">${part}</span>`)}</span>
        </li>`,
    )}
  </ol>`;
}
