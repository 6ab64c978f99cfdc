// training.json as the room shows it, and the edits that it makes: each leaves the author's layout of all else as it is.

import { insertAt, removeAt, setAt } from "../build/json-edit";
import { JsonMistake, readTree } from "../build/json-tree";

export const TRAINING = "training.json";

export type Kind = "trait" | "keywords" | "regex" | "QnA";
export const KINDS: readonly Kind[] = ["trait", "keywords", "regex", "QnA"];

export interface Value {
  readonly value: string;
  readonly expressions: readonly string[];
  /** What the bot answers, of questions and answers alone. */
  readonly answers: readonly string[];
}

export interface EntityType {
  /** In the list of the file. */
  readonly index: number;
  readonly name: string;
  readonly kind: Kind;
  readonly values: readonly Value[];
  readonly pattern: string;
  readonly isDynamic: boolean;
}

/** A type and one of its values. */
export interface Place {
  readonly type: string;
  readonly value: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the types of the file; null while the text is no JSON. */
export function typesOf(text: string | undefined): readonly EntityType[] | null {
  try {
    if (text !== undefined) readTree(text);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    return null;
  }
  const file = fields(JSON.parse(text ?? "{}"));
  return list(file["entity-definitions"]).map(fields).map((one, index) => {
    const kind = words(one["lookup-strategy"]) as Kind;
    const key = keyOf(kind);
    const values = kind === "regex" ? [] : list(one.data).map(fields).map((value) => ({ value: words(value.value), expressions: list(value[key]).map(words), answers: list(value.answers).map(words) }));
    return { index, name: words(one.name), kind, values, pattern: words(fields(one.data).pattern), isDynamic: one["dynamic-data"] !== undefined };
  });
}

/** Whether a value of the type is the sense of a whole sentence, which expressions teach. */
export function isTaught(type: EntityType): boolean {
  return type.kind === "trait" || type.kind === "QnA";
}

export function setExpressions(text: string, type: EntityType, index: number, expressions: readonly string[]): string {
  const path = ["entity-definitions", type.index, "data", index, keyOf(type.kind)];
  return expressions.length ? setAt(text, path, expressions) : removeAt(text, path);
}

export function setAnswers(text: string, type: EntityType, index: number, answers: readonly string[]): string {
  return setAt(text, ["entity-definitions", type.index, "data", index, "answers"], answers);
}

export function setName(text: string, type: EntityType, index: number, value: string): string {
  return setAt(text, ["entity-definitions", type.index, "data", index, "value"], value);
}

export function setPattern(text: string, type: EntityType, pattern: string): string {
  return setAt(text, ["entity-definitions", type.index, "data", "pattern"], pattern);
}

/** Adds a type without values at the end. */
export function addType(text: string, count: number, name: string, kind: Kind): string {
  return insertAt(text, ["entity-definitions"], count, { name, "lookup-strategy": kind, data: kind === "regex" ? { pattern: "" } : [] });
}

export function addValue(text: string, type: EntityType, value: string): string {
  const made = type.kind === "QnA" ? { value, expressions: [], answers: [] } : { value };
  return insertAt(text, ["entity-definitions", type.index, "data"], type.values.length, made);
}

export function removeValue(text: string, type: EntityType, index: number): string {
  return removeAt(text, ["entity-definitions", type.index, "data", index]);
}

/** Adds sentences to the expressions of a value, those that it does not have. */
export function addExpressions(text: string, place: Place, sentences: readonly string[]): string {
  const type = typesOf(text)?.find(({ name }) => name === place.type);
  const index = type?.values.findIndex(({ value }) => value === place.value) ?? -1;
  const value = type?.values[index];
  if (!type || !value) return text;
  const all = [...value.expressions];
  for (const sentence of sentences) if (!all.some((one) => alike(one, sentence))) all.push(sentence);
  return setExpressions(text, type, index, all);
}

/** Returns what has a sentence among its expressions. */
export function placeOfExpression(types: readonly EntityType[], sentence: string): Place | null {
  for (const type of types.filter(isTaught))
    for (const { value, expressions } of type.values) if (expressions.some((one) => alike(one, sentence))) return { type: type.name, value };
  return null;
}

/** Returns, by type, the paths of the steps of `flow.json` that ask for it. */
export function usesOf(flow: string | undefined): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  let read: Fields;
  try {
    read = fields(JSON.parse(flow ?? "{}"));
  } catch {
    return uses; // Build says what is wrong with the file
  }
  for (const [key, conversation] of Object.entries(fields(read.conversations)))
    list(fields(conversation).steps).forEach((step, at) => {
      const type = words(fields(step)["entity-type"]);
      if (type) uses.set(type, [...(uses.get(type) ?? []), `conversations/${key}/steps/${at}`]);
    });
  return uses;
}

function alike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function keyOf(kind: Kind): "synonyms" | "expressions" {
  return kind === "keywords" ? "synonyms" : "expressions";
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function words(value: unknown): string {
  return typeof value === "string" ? value : "";
}
