// Edits of JSON text: each changes the characters of the part that it means and leaves the author's layout of all else as it
// is. New parts take the indentation and the line breaks of what stands around them.

import { type JsonNode, memberOf, nodeAt, type Path, readTree, valueOf } from "./json-tree";

/** A value is written on one line up to this column. */
const MAX_LINE = 100;

/** Returns the text with the value put at the path: replaced where it differs, added where it is missing. */
export function setAt(text: string, path: Path, value: unknown): string {
  const root = readTree(text);
  const node = nodeAt(root, path);
  if (node) return merged(text, node, value);
  const parent = path.slice(0, -1);
  const key = path.at(-1) as string | number;
  const owner = nodeAt(root, parent);
  if (owner?.kind === "object") return insertMember(text, owner, String(key), value, owner.members.length);
  if (owner?.kind === "array") return insertItem(text, owner, value, owner.items.length);
  if (path.length === 0) return text;
  return setAt(text, parent, typeof key === "number" ? [value] : { [key]: value });
}

/** Returns the text without what stands at the path. A path that leads nowhere changes nothing. */
export function removeAt(text: string, path: Path): string {
  const owner = nodeAt(readTree(text), path.slice(0, -1));
  const key = path.at(-1);
  if (!owner || key === undefined) return text;
  const spans = spansOf(owner);
  const index = typeof key === "number" ? key : owner.members.findLastIndex((one) => one.key === key);
  return removed(text, owner, spans, index);
}

/** Returns the text with the value inserted as item `index` of the array at the path. */
export function insertAt(text: string, path: Path, index: number, value: unknown): string {
  const array = nodeAt(readTree(text), path);
  if (array?.kind !== "array") return setAt(text, path, [value]);
  return insertItem(text, array, value, index);
}

/** Returns the text with an item moved as the author wrote it. `index`: where it stands in the array at `to` before it is taken out. */
export function moveItem(text: string, from: Path, to: Path, index: number): string {
  const root = readTree(text);
  const item = nodeAt(root, from);
  const array = nodeAt(root, to);
  const owner = nodeAt(root, from.slice(0, -1));
  const old = from.at(-1);
  if (!item || array?.kind !== "array" || !owner || typeof old !== "number") return text;
  if (owner === array && (index === old || index === old + 1)) return text;
  const raw = reindented(text.slice(item.start, item.end), indentAt(text, item.start), itemIndent(text, array));
  // What stands later in the text is changed first: the offsets before it stay.
  if (array.start > owner.end || (owner === array && index > old))
    return removed(insertRaw(text, array, raw, index), owner, spansOf(owner), old);
  if (owner === array || array.end < owner.start) {
    const without = removed(text, owner, spansOf(owner), old);
    const place = nodeAt(readTree(without), to);
    return place ? insertRaw(without, place, raw, index) : text;
  }
  return text;
}

/** Returns the text with a member of the object at the path moved before the member that is at `index`. */
export function moveMember(text: string, path: Path, key: string, index: number): string {
  const owner = nodeAt(readTree(text), path);
  const old = owner?.members.findIndex((one) => one.key === key) ?? -1;
  const member = owner?.members[old];
  if (!owner || !member || index === old || index === old + 1) return text;
  const raw = text.slice(member.keyStart, member.value.end);
  const without = removed(text, owner, spansOf(owner), old);
  const place = nodeAt(readTree(without), path);
  return place ? insertRaw(without, place, raw, index > old ? index - 1 : index) : text;
}

/** Returns the text with the member's key renamed. */
export function renameKey(text: string, path: Path, name: string): string {
  const member = memberOf(nodeAt(readTree(text), path.slice(0, -1)), String(path.at(-1)));
  return member ? text.slice(0, member.keyStart) + JSON.stringify(name) + text.slice(member.keyEnd) : text;
}

/** Returns the text with a member inserted as number `index` of the object at the path. */
export function insertKey(text: string, path: Path, key: string, value: unknown, index?: number): string {
  const owner = nodeAt(readTree(text), path);
  if (owner?.kind !== "object") return setAt(text, path, { [key]: value });
  return insertMember(text, owner, key, value, index ?? owner.members.length);
}

/** Changes as little as possible so that the node has the value. */
function merged(text: string, node: JsonNode, value: unknown): string {
  const old = valueOf(text, node);
  if (isSame(old, value)) return text;
  if (node.kind === "object" && isObject(value)) return mergedObject(text, node, value);
  if (node.kind === "array" && Array.isArray(value)) return mergedArray(text, node, value);
  return replaced(text, node, value);
}

function mergedObject(text: string, node: JsonNode, value: Record<string, unknown>): string {
  const keys = node.members.map((one) => one.key);
  // A key that stands twice cannot be told apart by its path.
  if (new Set(keys).size !== keys.length) return replaced(text, node, value);
  let done = text;
  // From behind, so that the offsets of what is still to do stay.
  for (let index = node.members.length - 1; index >= 0; index -= 1) {
    const member = node.members[index];
    if (member && Object.hasOwn(value, member.key)) done = merged(done, member.value, value[member.key]);
  }
  for (const key of keys) {
    if (Object.hasOwn(value, key)) continue;
    const owner = grown(done, node);
    done = removed(done, owner, spansOf(owner), owner.members.findIndex((one) => one.key === key));
  }
  for (const [key, one] of Object.entries(value)) {
    if (keys.includes(key)) continue;
    const owner = grown(done, node);
    done = insertMember(done, owner, key, one, owner.members.length);
  }
  return done;
}

function mergedArray(text: string, node: JsonNode, value: readonly unknown[]): string {
  const old = node.items.map((item) => valueOf(text, item));
  const shorter = Math.min(old.length, value.length);
  let head = 0;
  while (head < shorter && isSame(old[head], value[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(old.at(-1 - tail), value.at(-1 - tail))) tail += 1;
  const middle = value.slice(head, value.length - tail);
  const count = old.length - head - tail;
  let done = text;
  for (let index = Math.min(count, middle.length) - 1; index >= 0; index -= 1) {
    const item = node.items[head + index];
    if (item) done = merged(done, item, middle[index]);
  }
  for (let index = count - 1; index >= middle.length; index -= 1) {
    const owner = grown(done, node);
    done = removed(done, owner, spansOf(owner), head + index);
  }
  for (let index = count; index < middle.length; index += 1) {
    const owner = grown(done, node);
    done = insertItem(done, owner, middle[index], head + index);
  }
  return done;
}

/** Returns the node that starts where this one started, as it is in a text that was changed inside of it alone. */
function grown(text: string, node: JsonNode): JsonNode {
  const root = readTree(text);
  let found: JsonNode | undefined = root;
  while (found && found.start !== node.start) {
    const at: JsonNode = found;
    found =
      at.kind === "array"
        ? at.items.find((one) => one.start <= node.start && node.start < one.end)
        : at.members.find((one) => one.value.start <= node.start && node.start < one.value.end)?.value;
  }
  return found ?? root;
}

function replaced(text: string, node: JsonNode, value: unknown): string {
  const column = node.start - lineStart(text, node.start);
  const isOneLine = !text.slice(node.start, node.end).includes("\n");
  return text.slice(0, node.start) + written(text, value, indentAt(text, node.start), column, isOneLine) + text.slice(node.end);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansOf(owner: JsonNode): readonly Span[] {
  return owner.kind === "array" ? owner.items : owner.members.map((one) => ({ start: one.keyStart, end: one.value.end }));
}

function removed(text: string, owner: JsonNode, spans: readonly Span[], index: number): string {
  const here = spans[index];
  if (!here) return text;
  const next = spans[index + 1];
  const before = spans[index - 1];
  if (next) return text.slice(0, here.start) + text.slice(next.start);
  if (before) return text.slice(0, before.end) + text.slice(here.end);
  return text.slice(0, owner.start + 1) + text.slice(owner.end - 1);
}

function insertItem(text: string, array: JsonNode, value: unknown, index: number): string {
  const indent = itemIndent(text, array);
  return insertRaw(text, array, written(text, value, indent, indent.length), index, !isObject(value) && !Array.isArray(value));
}

function insertMember(text: string, owner: JsonNode, key: string, value: unknown, index: number): string {
  const indent = itemIndent(text, owner);
  const name = `${JSON.stringify(key)}: `;
  return insertRaw(text, owner, name + written(text, value, indent, indent.length + name.length), index, false);
}

/** Puts the text of a part before the part that is at `index`. `staysOnLine`: what goes into an empty container may stay on its line. */
function insertRaw(text: string, owner: JsonNode, raw: string, index: number, staysOnLine = false): string {
  const spans = spansOf(owner);
  const indent = itemIndent(text, owner);
  const at = spans[index];
  const last = spans.at(-1);
  if (!last) {
    const [open, close] = [text.slice(0, owner.start + 1), text.slice(owner.end - 1)];
    if (staysOnLine) return open + raw + close;
    const eol = eolOf(text);
    return `${open}${eol}${indent}${raw}${eol}${indentAt(text, owner.start)}${close}`;
  }
  const first = spans[0] as Span;
  const isBroken = text.slice(owner.start, first.start).includes("\n");
  const gap = isBroken ? eolOf(text) + indent : " ";
  if (at) return `${text.slice(0, at.start)}${raw},${gap}${text.slice(at.start)}`;
  return `${text.slice(0, last.end)},${gap}${raw}${text.slice(last.end)}`;
}

/** The indentation of a container's parts. */
function itemIndent(text: string, owner: JsonNode): string {
  const first = spansOf(owner)[0];
  return first && text.slice(owner.start, first.start).includes("\n")
    ? indentAt(text, first.start)
    : indentAt(text, owner.start) + (first ? "" : unitOf(text));
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, Math.min(offset, start + 200)))?.[0] ?? "";
}

function eolOf(text: string): string {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** What a file indents by: what its first indented line begins with. */
export function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text.slice(0, 4000))?.[1] ?? "  ";
}

function reindented(raw: string, from: string, to: string): string {
  if (from === to) return raw;
  return raw.replace(/\n([ \t]*)/g, (_, own: string) => `\n${own.startsWith(from) ? to + own.slice(from.length) : own}`);
}

/** Returns a value as a part of the text: with its indentation and its line ends. */
function written(text: string, value: unknown, indent: string, column: number, isOneLine = false): string {
  return print(value, indent, unitOf(text), column, isOneLine).replaceAll("\n", eolOf(text));
}

/** Returns the value as text: on one line where that is short and holds no objects in objects, else a line a part. */
function print(value: unknown, indent: string, unit: string, column = indent.length, isOneLine = false): string {
  const line = printLine(value);
  if (typeof value !== "object" || value === null) return line;
  const isFlat = Object.values(value).every((one) => typeof one !== "object" || one === null);
  const isTyped = !Array.isArray(value) && Object.hasOwn(value, "type") && !isOneLine;
  const fits = column + line.length <= MAX_LINE;
  if (fits && (isOneLine || (isFlat && !isTyped))) return line;
  if (line === "[]" || line === "{}") return line;
  const inner = indent + unit;
  const parts = Array.isArray(value)
    ? value.map((one) => print(one, inner, unit))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${print(one, inner, unit, inner.length + key.length + 4)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

function printLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${printLine(one)}`);
  return members.length ? `{ ${members.join(", ")} }` : "{}";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((part, index) => isSame(part, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}
