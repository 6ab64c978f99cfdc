// What the outline shows of flow.json: conversations, goals first, and their steps as rows.

import { type JsonNode, memberOf, readTree, stringOf, valueOf } from "./json-tree";

export const STEP_TYPES = ["question", "message", "webhook", "confirmation", "entities-confirmation", "conversation", "command"] as const;
export type StepType = (typeof STEP_TYPES)[number];

export interface Step {
  readonly index: number;
  readonly type: string;
  /** What is said, or what is done: one line. */
  readonly text: string;
  /** How many wordings there are beside the one in `text`. */
  readonly more: number;
  readonly entity: string;
  readonly entityType: string;
  readonly conditions: readonly string[];
  /** The key of the conversation that it leads to. */
  readonly jump: string;
  readonly isProtected: boolean;
  readonly isOptional: boolean;
  readonly node: JsonNode;
}

export interface Conversation {
  readonly key: string;
  readonly title: string;
  readonly isGoal: boolean;
  readonly steps: readonly Step[];
  readonly node: JsonNode;
}

export interface Outline {
  readonly conversations: readonly Conversation[];
  /** Names of the entities that steps fill, in the order of the file. */
  readonly entities: readonly string[];
}

/** A conversation or one of its steps. */
export interface Row {
  readonly conversation: string;
  readonly index: number | null;
}

export function isSameRow(one: Row | null, other: Row | null): boolean {
  return one?.conversation === other?.conversation && one?.index === other?.index;
}

export function pathOfRow(row: Row): (string | number)[] {
  return row.index === null ? ["conversations", row.conversation] : ["conversations", row.conversation, "steps", row.index];
}

/** Returns the row that a path of flow.json lies in. */
export function rowOfPath(path: readonly (string | number)[]): Row | null {
  const [top, conversation, steps, index] = path;
  if (top !== "conversations" || typeof conversation !== "string") return null;
  return { conversation, index: steps === "steps" && typeof index === "number" ? index : null };
}

/** Returns the outline of the text. Raises `JsonMistake`. */
export function outlineOf(text: string): Outline {
  const members = memberOf(readTree(text), "conversations")?.value.members ?? [];
  const conversations = members.map(({ key, value }) => conversationOf(text, key, value));
  const entities = new Set(conversations.flatMap(({ steps }) => steps.map(({ entity }) => entity)).filter(Boolean));
  return { conversations: [...conversations.filter((one) => one.isGoal), ...conversations.filter((one) => !one.isGoal)], entities: [...entities] };
}

function conversationOf(text: string, key: string, node: JsonNode): Conversation {
  const read = (name: string) => stringOf(text, memberOf(node, name)?.value);
  const steps = memberOf(node, "steps")?.value.items ?? [];
  return {
    key,
    title: read("display-name") ?? key,
    isGoal: read("type") === "goal",
    steps: steps.map((step, index) => stepOf(text, step, index)),
    node,
  };
}

function stepOf(text: string, node: JsonNode, index: number): Step {
  const read = (name: string) => stringOf(text, memberOf(node, name)?.value) ?? "";
  const flag = (name: string) => {
    const value = memberOf(node, name)?.value;
    return value !== undefined && text.startsWith("true", value.start);
  };
  const type = read("type");
  const wordings = memberOf(node, "messages")?.value.items ?? [];
  const [first] = wordings;
  const conditions = memberOf(node, "conditions")?.value.items ?? [];
  const command = read("command");
  return {
    index,
    type,
    text: (first && wordingOf(text, first)) || doingOf(text, node, type, command),
    more: Math.max(0, wordings.length - 1),
    entity: read("entity"),
    entityType: read("entity-type"),
    conditions: conditions.map((one) => stringOf(text, one) ?? text.slice(one.start, one.end)),
    jump: type === "conversation" ? read("conversation") : (/^go-to\s+(.+)$/.exec(command.trim())?.[1]?.trim() ?? ""),
    isProtected: flag("protected"),
    isOptional: flag("optional"),
    node,
  };
}

/** A sequence of texts is one line with a sign between them. */
function wordingOf(text: string, node: JsonNode): string {
  const parts = node.kind === "array" ? node.items.map((one) => stringOf(text, one) ?? "") : [stringOf(text, node) ?? ""];
  return parts.map((part) => part.replaceAll("</newline>", " ↵ ").replace(/\s+/g, " ").trim()).join(" ↵ ");
}

function doingOf(text: string, node: JsonNode, type: string, command: string): string {
  if (type === "command") {
    const entity = stringOf(text, memberOf(node, "entity")?.value) ?? "";
    const named = memberOf(node, "entities")?.value.items.map((one) => stringOf(text, one) ?? "") ?? [];
    return [command, entity, named.join(", ")].filter(Boolean).join(" ");
  }
  if (type === "conversation") return stringOf(text, memberOf(node, "conversation")?.value) ?? "";
  if (type === "entities-confirmation") {
    const names = memberOf(node, "entities")?.value;
    return names ? (valueOf(text, names) as unknown[]).map(String).join(", ") : "";
  }
  const source = memberOf(node, "data-source")?.value;
  if (type === "webhook" && source) {
    const endpoint = stringOf(text, memberOf(source, "endpoint")?.value) ?? "";
    const method = stringOf(text, memberOf(source, "method")?.value) ?? "GET";
    return endpoint ? `${method} ${endpoint.replace(/^[a-z]+:\/\//, "").replace(/[?#].*$/, "")}` : (stringOf(text, memberOf(source, "entity")?.value) ?? "");
  }
  return "";
}
