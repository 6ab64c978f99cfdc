// Which keys and values a JSON Schema allows at a place of a text that is being written: as far as the schemas of a bot's files go
// ($ref, allOf with if and then, properties, items, enum).

import type { Schema } from "./api";

/** A container on the way to a place: an object with the texts of its members that are known, or an array. */
export type Level =
  | { readonly kind: "object"; readonly members: Readonly<Record<string, string | null>>; /** On the way, or null at its end. */ readonly key: string | null }
  | { readonly kind: "array" };

export interface KeyOffer {
  readonly key: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** What a new value begins with. */
  readonly start: string;
}

const MAX_REFS = 20;

type Part = Readonly<Record<string, unknown>>;

/** Returns the keys that the object at the end of the way may have. */
export function keysAt(schema: Schema, levels: readonly Level[]): KeyOffer[] {
  const parts = partsAt(schema, levels, null);
  const required = new Set(parts.flatMap((part) => (Array.isArray(part["required"]) ? (part["required"] as string[]) : [])));
  const offers = new Map<string, KeyOffer>();
  for (const part of parts)
    for (const [key, one] of Object.entries((part["properties"] ?? {}) as Readonly<Record<string, Part>>)) {
      const known = offers.get(key);
      if (known?.description) continue;
      offers.set(key, { key, description: String(one["description"] ?? ""), isRequired: required.has(key), start: startOf(schema, one) });
    }
  return [...offers.values()];
}

/** Returns the values that are listed for the place, as JSON. */
export function valuesAt(schema: Schema, levels: readonly Level[]): string[] {
  const parts = partsAt(schema, levels, "value");
  const listed = parts.flatMap((part) => (Array.isArray(part["enum"]) ? (part["enum"] as unknown[]) : "const" in part ? [part["const"]] : []));
  const isFlag = parts.some((part) => typesOf(part).includes("boolean"));
  return [...new Set([...listed.map((one) => JSON.stringify(one)), ...(isFlag ? ["true", "false"] : [])])];
}

/** `end`: what is asked for. "value" takes the last level's key too; null stays at its object. */
function partsAt(schema: Schema, levels: readonly Level[], end: "value" | null): Part[] {
  let parts = [schema as Part];
  levels.forEach((level, index) => {
    const isLast = index === levels.length - 1;
    parts = parts.flatMap((part) => expanded(schema, part, level));
    if (isLast && end === null) return;
    parts = parts.flatMap((part) => inside(part, level));
  });
  return end === "value" ? parts.flatMap((part) => expanded(schema, part, null)) : parts;
}

function inside(part: Part, level: Level): Part[] {
  if (level.kind === "array") return isPart(part["items"]) ? [part["items"]] : [];
  if (level.key === null) return [];
  const own = (part["properties"] as Readonly<Record<string, Part>> | undefined)?.[level.key];
  if (own) return [own];
  return isPart(part["additionalProperties"]) ? [part["additionalProperties"]] : [];
}

/** Returns the part with all that it refers to and that holds for the container. */
function expanded(schema: Schema, part: Part, level: Level | null, depth = 0): Part[] {
  if (depth > MAX_REFS) return [];
  const more: Part[] = [];
  const ref = part["$ref"];
  if (typeof ref === "string") more.push(followed(schema, ref));
  for (const key of ["allOf", "anyOf", "oneOf"]) if (Array.isArray(part[key])) more.push(...(part[key] as Part[]));
  if (isPart(part["if"])) {
    const holds = level === null ? null : fits(part["if"], level);
    const chosen = holds === false ? part["else"] : part["then"];
    if (isPart(chosen)) more.push(chosen);
  }
  return [part, ...more.flatMap((one) => expanded(schema, one, level, depth + 1))];
}

function followed(schema: Schema, ref: string): Part {
  const names = ref.replace(/^#\/?/, "").split("/").filter(Boolean);
  const found = names.reduce<unknown>((at, name) => (isPart(at) ? at[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), schema);
  return isPart(found) ? found : {};
}

/** Whether a condition of the schema holds for a container. */
function fits(condition: Part, level: Level): boolean {
  const types = typesOf(condition);
  if (types.length && !types.includes(level.kind)) return false;
  if (isPart(condition["not"]) && fits(condition["not"], level)) return false;
  if (level.kind === "array") return true;
  const required = (condition["required"] as string[] | undefined) ?? [];
  if (required.some((key) => !Object.hasOwn(level.members, key))) return false;
  return Object.entries((condition["properties"] ?? {}) as Readonly<Record<string, Part>>).every(([key, one]) => {
    const value = level.members[key];
    if (value === undefined || value === null) return true;
    if ("const" in one) return one["const"] === value;
    return Array.isArray(one["enum"]) ? (one["enum"] as unknown[]).includes(value) : true;
  });
}

function typesOf(part: Part): string[] {
  const type = part["type"];
  return Array.isArray(type) ? (type as string[]) : typeof type === "string" ? [type] : [];
}

function startOf(schema: Schema, part: Part): string {
  const parts = expanded(schema, part, null);
  const types = parts.flatMap(typesOf);
  if (types.includes("string") || parts.some((one) => Array.isArray(one["enum"]))) return '""';
  if (types.includes("array")) return "[]";
  if (types.includes("object")) return "{}";
  if (types.includes("boolean")) return "true";
  return "";
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
