// What can stand in a slot of an expression, "{service} with {stylist}": what questions ask for, and types, as far as their values are
// found among other words.

import type { Candidate } from "./template-names";

/** The built-in types that are found among other words (`READ_INSIDE` of the service). */
const FOUND_TYPES = ["Number", "Date", "Time", "Datetime", "Duration", "Amount", "Email", "PhoneNumber", "Url"];
const FOUND_KINDS = ["keywords", "regex"];

/** An entity and the type that a question asks for it. */
export type Asked = readonly [entity: string, type: string];

/** Returns what slots can be for. `asked`: by the questions of the flow, in order. */
export function slotsOf(asked: Iterable<Asked>, training: string | undefined): Candidate[] {
  const types = [...foundTypes(training), ...FOUND_TYPES];
  const first = new Map<string, string>();
  for (const [entity, type] of asked) if (entity && !first.has(entity)) first.set(entity, type);
  const entities = [...first].filter(([, type]) => types.includes(type));
  return [
    ...entities.map(([name, detail]): Candidate => ({ name, kind: "entity", detail, info: "" })),
    ...types.filter((name) => !first.has(name)).map((name): Candidate => ({ name, kind: "memory", detail: "", info: "" })),
  ];
}

/** Returns what the questions of `flow.json` ask for; nothing while it is no JSON. */
export function askedIn(flow: string | undefined): Asked[] {
  const conversations = read(flow)["conversations"];
  return Object.values(fields(conversations)).flatMap((one) => list(fields(one)["steps"]).map(fields).filter(({ type }) => type === "question")
    .map(({ entity, "entity-type": type }): Asked => [text(entity), text(type)]));
}

/** Returns the word before the caret when it stands in an open slot, and where it begins. */
export function slotWordAt(expression: string, caret: number): { readonly from: number; readonly word: string } | null {
  const found = /(?<!\{)\{([^{}\n]{0,80})$/.exec(expression.slice(0, caret));
  const word = found?.[1]?.trimStart();
  return word === undefined ? null : { from: caret - word.length, word };
}

function foundTypes(training: string | undefined): string[] {
  return list(read(training)["entity-definitions"]).map(fields).filter((one) => FOUND_KINDS.includes(text(one["lookup-strategy"]))).map(({ name }) => text(name)).filter(Boolean);
}

function read(file: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return fields(JSON.parse(file ?? "{}"));
  } catch {
    return {}; // Build says what is wrong with the file
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
