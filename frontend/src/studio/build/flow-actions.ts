// What the outline does to the bot's files: each function takes the texts and returns the changed ones.

import type { Changes, Files } from "../workspace";
import { outlineOf, pathOfRow, type Row, type StepType } from "./flow-outline";
import { insertAt, insertKey, moveItem, moveMember, removeAt, renameKey, setAt } from "./json-edit";
import { childOf, memberOf, nodeAt, type Path, readTree, stringOf, valueOf } from "./json-tree";

export const FLOW = "flow.json";
export const TRAINING = "training.json";

const steps = (conversation: string): Path => ["conversations", conversation, "steps"];

/** Returns a new step of a type, with a name for its entity that is not taken. */
export function newStep(type: StepType, entities: readonly string[], wording: string): Record<string, unknown> {
  const free = (name: string) => {
    for (let number = 1; ; number += 1) {
      const tried = number === 1 ? name : `${name}${number}`;
      if (!entities.includes(tried)) return tried;
    }
  };
  switch (type) {
    case "question":
      return { type, entity: free("answer"), "entity-type": "Text", messages: [wording] };
    case "webhook":
      return { type, entity: free("result"), "data-source": { endpoint: "https://", method: "GET" } };
    case "confirmation":
      return { type, entity: free("confirmed"), messages: [wording] };
    case "entities-confirmation":
      return { type, entity: free("reviewed"), entities: [], messages: [wording] };
    case "conversation":
      return { type, conversation: "" };
    case "command":
      return { type, command: "stay-silent" };
    default:
      return { type, messages: [wording] };
  }
}

export function addStep(text: string, conversation: string, index: number, step: unknown): string {
  return insertAt(text, steps(conversation), index, step);
}

export function removeRow(text: string, row: Row): string {
  return removeAt(text, pathOfRow(row));
}

export function doubleStep(text: string, conversation: string, index: number): string {
  const node = nodeAt(readTree(text), [...steps(conversation), index]);
  return node ? insertAt(text, steps(conversation), index + 1, valueOf(text, node)) : text;
}

/** Moves a step before number `index` of a conversation, as it is numbered before the step is taken out. */
export function moveStep(text: string, from: Row & { index: number }, conversation: string, index: number): string {
  const target = nodeAt(readTree(text), steps(conversation));
  const ready = target?.kind === "array" ? text : setAt(text, steps(conversation), []);
  return moveItem(ready, pathOfRow(from), steps(conversation), index);
}

/** Moves a conversation before another one, or to the end (null). */
export function moveConversation(text: string, key: string, before: string | null): string {
  const all = memberOf(readTree(text), "conversations")?.value.members ?? [];
  const index = before === null ? all.length : all.findIndex((one) => one.key === before);
  return moveMember(text, ["conversations"], key, index);
}

export interface NewConversation {
  readonly key: string;
  readonly name: string;
  readonly isGoal: boolean;
}

export function addConversation(text: string, { key, name, isGoal }: NewConversation, wording: string): string {
  const steps = [{ type: "message", messages: [wording] }];
  const conversation = { type: isGoal ? "goal" : "support", ...(name !== key && { "display-name": name }), steps };
  return insertKey(text, ["conversations"], key, conversation);
}

/** Returns the key that a name makes: small letters and hyphens. */
export function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** A place of a file that names a conversation. */
export interface Reference {
  readonly file: string;
  readonly path: Path;
  /** The row that jumps there; null: settings or training. */
  readonly row: Row | null;
}

/** Returns every place that names the conversation: steps that run or go to it, settings, and the trait that selects it. */
export function referencesTo(files: Files, key: string): Reference[] {
  const flow = files[FLOW] ?? "";
  const found: Reference[] = [];
  const outline = outlineOf(flow);
  for (const conversation of outline.conversations)
    for (const step of conversation.steps)
      if (step.jump === key) {
        const row = { conversation: conversation.key, index: step.index };
        found.push({ file: FLOW, path: [...pathOfRow(row), step.type === "conversation" ? "conversation" : "command"], row });
      }
  const misunderstood: Path = ["settings", "misunderstood", "conversation"];
  if (stringOf(flow, nodeAt(readTree(flow), misunderstood)) === key) found.push({ file: FLOW, path: misunderstood, row: null });
  return [...found, ...traitReferences(files[TRAINING], key)];
}

function traitReferences(training: string | undefined, key: string): Reference[] {
  if (training === undefined) return [];
  const top: Path = ["entity-definitions"];
  const definitions = nodeAt(readTree(training), top)?.items ?? [];
  return definitions.flatMap((definition, at) => {
    if (stringOf(training, childOf(definition, "name")) !== "Conversation") return [];
    const values = childOf(definition, "data")?.items ?? [];
    return values.flatMap((value, index) => {
      const path: Path = [...top, at, "data", index, "value"];
      return stringOf(training, childOf(value, "value")) === key ? [{ file: TRAINING, path, row: null }] : [];
    });
  });
}

/** Renames a conversation and everything that names it. */
export function renameConversation(files: Files, key: string, name: string): Changes {
  const changed: Record<string, string> = {};
  for (const { file, path } of referencesTo(files, key)) {
    const text = changed[file] ?? files[file] ?? "";
    const isCommand = path.at(-1) === "command";
    changed[file] = setAt(text, path, isCommand ? `go-to ${name}` : name);
  }
  changed[FLOW] = renameKey(changed[FLOW] ?? files[FLOW] ?? "", ["conversations", key], name);
  return changed;
}
