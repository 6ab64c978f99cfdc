// What can stand in a template: the flow's entities, what every conversation has in memory, and the helpers. Text areas and the JSON
// editor complete from the same list.

import type { Outline } from "./flow-outline";
import { childOf, type JsonNode, memberOf, nodeAt, readTree, stringOf } from "./json-tree";
import { type Asked, slotsOf } from "./slot-names";

export interface Candidate {
  readonly name: string;
  readonly kind: "entity" | "helper" | "memory";
  /** Its type, or how it is called. */
  readonly detail: string;
  readonly info: string;
}

export interface Helper {
  readonly name: string;
  readonly signature: string;
  readonly line: string;
}

/** Names that the fields of a bot can refer to. */
export interface Names {
  readonly templates: readonly Candidate[];
  /** What a slot of an expression can be for. */
  readonly slots: readonly Candidate[];
  readonly entities: readonly string[];
  readonly types: readonly string[];
  readonly conversations: readonly { readonly key: string; readonly title: string }[];
  readonly liveAgents: readonly string[];
}

export const NO_NAMES: Names = { templates: [], slots: [], entities: [], types: [], conversations: [], liveAgents: [] };

const MEMORY = [
  "user.FirstName",
  "user.LastName",
  "user.Id",
  "user.ExternalId",
  "user.Channel",
  "user.Locale",
  "user.Timezone",
  "conversation",
  "conversationDisplayName",
  "_system.channel.ProviderName",
  "_system.culture",
];

/** Returns the names of a bot. `types`: the built-in types of entities. */
export function namesOf(outline: Outline, training: string | undefined, bot: string | undefined, helpers: readonly Helper[], types: readonly string[]): Names {
  const entityTypes = new Map(outline.conversations.flatMap(({ steps }) => steps.map((step) => [step.entity, step.entityType] as const)));
  const entities = outline.entities.map((name): Candidate => ({ name, kind: "entity", detail: entityTypes.get(name) ?? "", info: "" }));
  const asked = outline.conversations.flatMap(({ steps }) => steps.filter(({ type }) => type === "question").map((step): Asked => [step.entity, step.entityType]));
  const called = helpers.map(({ name, signature, line }): Candidate => ({ name, kind: "helper", detail: signature, info: line }));
  const memory = MEMORY.map((name): Candidate => ({ name, kind: "memory", detail: "", info: "" }));
  return {
    templates: [...entities, ...called, ...memory],
    slots: slotsOf(asked, training),
    entities: outline.entities,
    types: [...new Set([...trained(training), ...types])],
    conversations: outline.conversations.map(({ key, title }) => ({ key, title })),
    liveAgents: keysOf(bot, "live-agents"),
  };
}

function treeOf(text: string | undefined): JsonNode | undefined {
  if (text === undefined) return undefined;
  try {
    return readTree(text);
  } catch {
    // A file that cannot be read has no names; its finding says what is wrong.
    return undefined;
  }
}

function trained(text: string | undefined): string[] {
  const definitions = nodeAt(treeOf(text), ["entity-definitions"])?.items ?? [];
  return definitions.map((one) => stringOf(text ?? "", childOf(one, "name")) ?? "").filter((name) => name && name !== "Conversation");
}

function keysOf(text: string | undefined, key: string): string[] {
  return memberOf(treeOf(text), key)?.value.members.map((one) => one.key) ?? [];
}

/** Returns the word before the caret when it stands in an open template, and where it begins. */
export function templateWordAt(text: string, caret: number): { readonly from: number; readonly word: string } | null {
  const open = text.lastIndexOf("{{", caret);
  if (open < 0 || text.slice(open, caret).includes("}}") || caret < open + 2) return null;
  const word = /[^\s{}()=|"'~]*$/.exec(text.slice(open + 2, caret))?.[0] ?? "";
  return { from: caret - word.length, word };
}

/** Returns the candidates for a word, those that begin with it first. */
export function matching(candidates: readonly Candidate[], word: string): Candidate[] {
  const sought = word.replace(/^[#/]/, "").toLowerCase();
  const begin = (one: Candidate) => one.name.toLowerCase().replace(/^[$#]+/, "");
  const first = candidates.filter((one) => begin(one).startsWith(sought.replace(/^\$/, "")) && (!sought.startsWith("$") || one.kind === "helper"));
  const later = sought.length > 1 ? candidates.filter((one) => !first.includes(one) && one.name.toLowerCase().includes(sought)) : [];
  return [...first, ...later];
}
