// Draws the parts of an Adaptive Card that bots here send: text, images, columns, facts, inputs and actions.

import { html, nothing, type TemplateResult } from "lit";
import type { AdaptiveNode } from "./api";

export type Submit = (title: string, inputs: Record<string, string>, data: unknown) => void;

const text = (value: unknown) => (typeof value === "string" ? value : "");
const nodes = (value: unknown) => (Array.isArray(value) ? (value as AdaptiveNode[]) : []);

export function adaptiveCard(card: AdaptiveNode, submit: Submit): TemplateResult {
  return html`<form
    class="adaptive"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const form = event.currentTarget as HTMLFormElement;
      const shown = nodes(card["actions"])[Number((event.submitter as HTMLButtonElement).value)];
      submit(text(shown?.["title"]), values(form), shown?.["data"]);
    }}
  >
    ${nodes(card["body"]).map(element)} ${actions(card["actions"])}
  </form>`;
}

/** The values of all inputs by their ids; several of one id are joined by commas, as Teams sends them. */
function values(form: HTMLFormElement): Record<string, string> {
  const found: Record<string, string> = {};
  for (const id of new Set(new FormData(form).keys())) found[id] = new FormData(form).getAll(id).join(",");
  return found;
}

function element(node: AdaptiveNode): TemplateResult | typeof nothing {
  switch (node.type) {
    case "TextBlock":
      return html`<p class=${`block ${text(node["weight"]).toLowerCase()} ${node["isSubtle"] ? "subtle" : ""}`} dir="auto">${text(node["text"])}</p>`;
    case "Image":
      return html`<img src=${text(node["url"])} alt=${text(node["altText"])} loading="lazy" />`;
    case "Container":
    case "Column":
      return html`<div class="box">${nodes(node["items"]).map(element)}</div>`;
    case "ColumnSet":
      return html`<div class="columns">${nodes(node["columns"]).map(element)}</div>`;
    case "FactSet":
      return html`<dl>
        ${nodes(node["facts"]).map((fact) => html`<dt>${text(fact["title"])}</dt><dd>${text(fact["value"])}</dd>`)}
      </dl>`;
    case "ActionSet":
      return actions(node["actions"]);
    default:
      return node.type.startsWith("Input.") ? input(node) : nothing;
  }
}

function input(node: AdaptiveNode): TemplateResult {
  const id = node.id ?? "";
  const label = text(node["label"]) || text(node["placeholder"]) || text(node["title"]) || "Your answer";
  if (node.type === "Input.ChoiceSet") return choices(node, id, label);
  const kind = { "Input.Date": "date", "Input.Time": "time", "Input.Number": "number" }[node.type] ?? "text";
  return html`<label class="input">
    <span>${label}</span>
    <input
      type=${kind}
      name=${id}
      min=${node["min"] ?? nothing}
      max=${node["max"] ?? nothing}
      .value=${text(node["value"])}
      ?required=${node["isRequired"] === true}
    />
  </label>`;
}

function choices(node: AdaptiveNode, id: string, label: string): TemplateResult {
  const options = nodes(node["choices"]) as unknown as { title: string; value: string }[];
  if (node["isMultiSelect"] === true || node["style"] === "expanded") {
    const kind = node["isMultiSelect"] === true ? "checkbox" : "radio";
    return html`<fieldset>
      <legend>${label}</legend>
      ${options.map(
        (one) => html`<label class="choice"><input type=${kind} name=${id} value=${one.value} /> ${one.title}</label>`,
      )}
    </fieldset>`;
  }
  return html`<label class="input">
    <span>${label}</span>
    <select name=${id} ?required=${node["isRequired"] === true}>
      <option value="">${text(node["placeholder"])}</option>
      ${options.map((one) => html`<option value=${one.value}>${one.title}</option>`)}
    </select>
  </label>`;
}

function actions(given: unknown): TemplateResult | typeof nothing {
  const shown = nodes(given);
  if (!shown.length) return nothing;
  return html`<div class="acts">
    ${shown.map((one, place) => {
      const title = text(one["title"]);
      return one.type === "Action.OpenUrl"
        ? html`<a class="tap" href=${text(one["url"])} target="_blank" rel="noopener">${title}</a>`
        : html`<button class="tap" type="submit" value=${place}>${title}</button>`;
    })}
  </div>`;
}
