// The completion of the JSON editor: keys and values from the file's schema, names of the bot, and what templates can hold.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import type { Schema } from "./api";
import { keysAt, type Level, valuesAt } from "./json-schema";
import type { Path } from "./json-tree";
import { slotWordAt } from "./slot-names";
import { matching, type Names, templateWordAt } from "./template-names";

export interface Source {
  readonly schema: Schema | null;
  /** Where the text stands in its file. */
  readonly within: Path;
  readonly names: Names;
}

/** Milliseconds in which the text before the cursor is parsed at most, where the editor has not come so far yet. */
const PARSE_WITHIN = 200;
const CONTAINERS = ["Object", "Array"];
const COMMANDS = ["stay-silent", "invalidate-entity", "set-entity", "logout"];

/** Returns what completes the text at the cursor. */
export function completeJson(context: CompletionContext, { schema, within, names }: Source): CompletionResult | null {
  const { state, pos } = context;
  const tree = ensureSyntaxTree(state, pos, PARSE_WITHIN) ?? syntaxTree(state);
  const node = tree.resolveInner(pos, -1);
  const string = node.name === "String" || node.name === "PropertyName" ? node : null;
  if (string?.name === "String") {
    const template = templateResult(state, string, pos, names);
    if (template) return template;
  }
  const levels = [...prefixLevels(within), ...levelsAt(state, node)];
  const last = levels.at(-1);
  if (!last) return null;
  if (string?.name === "String" && keyOf(levels) === "expressions") {
    const slot = slotResult(state, string, pos, names);
    if (slot) return slot;
  }
  const isKey = node.name === "PropertyName" || (last.kind === "object" && last.key === null);
  const { from, to } = wordAt(state, node, pos);
  if (from === pos && !context.explicit && !isAfterSign(state, pos)) return null;
  const options = isKey ? keyOptions(state, schema, levels, node, to) : valueOptions(schema, levels, names);
  return options.length ? { from, options, validFor: /^"?[\w$-]*$/ } : null;
}

function templateResult(state: EditorState, node: SyntaxNode, pos: number, names: Names): CompletionResult | null {
  const found = templateWordAt(state.sliceDoc(node.from, pos), pos - node.from);
  if (!found) return null;
  const isClosed = /^[^{"]*\}\}/.test(state.sliceDoc(pos, node.to));
  const options = matching(names.templates, found.word).map(
    (one): Completion => ({
      label: one.name,
      detail: one.detail,
      info: one.info,
      type: one.kind === "helper" ? "function" : "variable",
      apply: `${one.name}${one.kind === "helper" ? " " : ""}${isClosed || one.kind === "helper" ? "" : "}}"}`,
    }),
  );
  return options.length ? { from: node.from + found.from, options, filter: false } : null;
}

function slotResult(state: EditorState, node: SyntaxNode, pos: number, names: Names): CompletionResult | null {
  const found = slotWordAt(state.sliceDoc(node.from, pos), pos - node.from);
  if (!found) return null;
  const isClosed = /^[^{}"]*\}/.test(state.sliceDoc(pos, node.to));
  const options = matching(names.slots, found.word).map(({ name, detail }): Completion => ({ label: name, detail, type: "variable", apply: `${name}${isClosed ? "" : "}"}` }));
  return options.length ? { from: node.from + found.from, options, filter: false } : null;
}

/** A completion opens by itself after what begins a key or a value. */
function isAfterSign(state: EditorState, pos: number): boolean {
  return /["{,:[]\s?$/.test(state.sliceDoc(Math.max(0, pos - 2), pos)) && state.sliceDoc(pos - 1, pos) !== " ";
}

function wordAt(state: EditorState, node: SyntaxNode, pos: number): { from: number; to: number } {
  if (["String", "PropertyName", "True", "False", "Null", "Number"].includes(node.name)) return { from: node.from, to: node.to };
  const before = /"?[\w$-]*$/.exec(state.sliceDoc(Math.max(0, pos - 80), pos))?.[0] ?? "";
  return { from: pos - before.length, to: pos };
}

function prefixLevels(prefix: Path): Level[] {
  return prefix.map((part) => (typeof part === "number" ? { kind: "array" } : { kind: "object", members: {}, key: part }));
}

/** The containers around a place of the text, the outermost first. */
function levelsAt(state: EditorState, node: SyntaxNode): Level[] {
  const levels: Level[] = [];
  let key: string | null = null;
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Property") {
      const name = at.getChild("PropertyName");
      const isInKey = name !== null && name.from <= node.from && node.to <= name.to;
      key = name && !isInKey ? unquoted(state.sliceDoc(name.from, name.to)) : null;
    } else if (CONTAINERS.includes(at.name)) {
      levels.unshift(at.name === "Array" ? { kind: "array" } : { kind: "object", members: membersOf(state, at), key });
      key = null;
    }
  }
  return levels;
}

function membersOf(state: EditorState, object: SyntaxNode): Record<string, string | null> {
  const members: Record<string, string | null> = {};
  for (const property of object.getChildren("Property")) {
    const name = property.getChild("PropertyName");
    const value = property.getChild("String");
    if (name) members[unquoted(state.sliceDoc(name.from, name.to))] = value ? unquoted(state.sliceDoc(value.from, value.to)) : null;
  }
  return members;
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, "");
}

function keyOptions(state: EditorState, schema: Schema | null, levels: readonly Level[], node: SyntaxNode, to: number): Completion[] {
  const last = levels.at(-1);
  if (!schema || last?.kind !== "object") return [];
  const own = node.name === "PropertyName" ? unquoted(state.sliceDoc(node.from, node.to)) : "";
  const hasColon = /^\s*:/.test(state.sliceDoc(to, to + 20));
  return keysAt(schema, levels)
    .filter(({ key }) => key === own || !Object.hasOwn(last.members, key))
    .map(({ key, description, isRequired, start }) => ({
      label: `"${key}"`,
      displayLabel: key,
      info: description,
      type: "property",
      boost: isRequired ? 2 : key.startsWith("$") ? -2 : 0,
      apply: (view, _completion, from, end) =>
        hasColon ? put(view, from, end, `"${key}"`, 0) : put(view, from, end, `"${key}": ${start}`, ['""', "[]", "{}"].includes(start) ? 1 : 0),
    }));
}

function valueOptions(schema: Schema | null, levels: readonly Level[], names: Names): Completion[] {
  const listed = schema ? valuesAt(schema, levels) : [];
  const named = namesFor(levels, names).map((name) => JSON.stringify(name));
  return [...new Set([...listed, ...named])].map((label) => ({
    label,
    displayLabel: unquoted(label),
    type: named.includes(label) ? "variable" : "enum",
    apply: (view, _completion, from, end) => put(view, from, end, label, 0),
  }));
}

/** Puts a completion in place of the whole quoted text that it stands in. `back`: characters from its end to the caret. */
function put(view: EditorView, from: number, end: number, text: string, back: number): void {
  const isQuoted = view.state.sliceDoc(from, from + 1) === '"' && from < end;
  const rest = isQuoted ? (/^[^"\n]*"/.exec(view.state.sliceDoc(end, end + 200))?.[0].length ?? 0) : 0;
  view.dispatch({ changes: { from, to: end + rest, insert: text }, selection: { anchor: from + text.length - back }, userEvent: "input.complete" });
}

/** The key that the innermost text or list belongs to. */
function keyOf(levels: readonly Level[]): string | null | undefined {
  return levels.findLast((level) => level.kind === "object")?.key;
}

/** Names of the bot that fit the key that a value belongs to. */
function namesFor(levels: readonly Level[], names: Names): readonly string[] {
  const key = keyOf(levels);
  const keys = names.conversations.map((one) => one.key);
  if (key === "conversation") return keys;
  if (key === "command") return [...COMMANDS, ...keys.map((one) => `go-to ${one}`)];
  if (key === "entity" || key === "entities" || key === "persist-entities") return names.entities;
  if (key === "entity-type") return names.types;
  return key === "live-agent" ? names.liveAgents : [];
}
