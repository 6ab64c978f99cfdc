// Which fields the form of a step has, by its type. What is not here stays in the JSON, untouched.

export type FieldKind = "wordings" | "conditions" | "entity" | "entity-type" | "flag" | "template" | "text" | "lines" | "conversation" | "command" | "value" | "display" | "source";

export interface Field {
  readonly key: string;
  readonly kind: FieldKind;
  /** Shown only where the step has it already. */
  readonly isRare?: boolean;
}

const messages: Field = { key: "messages", kind: "wordings" };
const entity: Field = { key: "entity", kind: "entity" };
const conditions: Field = { key: "conditions", kind: "conditions" };
const isProtected: Field = { key: "protected", kind: "flag" };
const note: Field = { key: "note", kind: "text" };

const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  question: [
    messages,
    entity,
    { key: "entity-type", kind: "entity-type" },
    { key: "display", kind: "display" },
    conditions,
    { key: "optional", kind: "flag" },
    { key: "capture-multiple-values", kind: "flag" },
    { key: "is-explicit", kind: "flag" },
    isProtected,
    { key: "entity-display", kind: "template", isRare: true },
    { key: "names", kind: "lines", isRare: true },
    { key: "currency", kind: "text", isRare: true },
    note,
  ],
  message: [messages, { key: "display", kind: "display" }, conditions, isProtected, note],
  webhook: [{ key: "data-source", kind: "source" }, entity, messages, conditions, isProtected, note],
  confirmation: [messages, entity, { key: "display", kind: "display" }, conditions, isProtected, note],
  "entities-confirmation": [messages, entity, { key: "entities", kind: "lines" }, conditions, isProtected, note],
  conversation: [{ key: "conversation", kind: "conversation" }, conditions, isProtected, note],
  command: [
    { key: "command", kind: "command" },
    { ...entity, isRare: true },
    { key: "entities", kind: "lines", isRare: true },
    { key: "data", kind: "value", isRare: true },
    { key: "live-agent", kind: "text", isRare: true },
    conditions,
    isProtected,
    note,
  ],
};

/** Displays that a type of step can have; the first is none. */
const DISPLAYS: Readonly<Record<string, readonly string[]>> = {
  question: ["", "quick-reply", "single-select", "multi-select", "carousel", "date-picker", "location-picker"],
  message: ["", "quick-reply"],
  confirmation: ["", "confirm"],
};

export const WITH_OPTIONS = ["quick-reply", "single-select", "multi-select", "carousel"];
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Returns the fields of a step: those of its type, the rare ones only where they are used or `command` needs them. */
export function fieldsOf(step: Readonly<Record<string, unknown>>): Field[] {
  const all = FIELDS[String(step["type"])] ?? [conditions, note];
  return all.filter((field) => !field.isRare || Object.hasOwn(step, field.key) || isNeeded(step, field.key));
}

function isNeeded(step: Readonly<Record<string, unknown>>, key: string): boolean {
  const command = String(step["command"] ?? "").split(" ", 1)[0];
  if (command === "set-entity") return key === "entity" || key === "data";
  if (command === "invalidate-entity") return key === "entities" && String(step["command"]).trim() === "invalidate-entity";
  return command === "stay-silent" && key === "live-agent";
}

export function displaysOf(type: string): readonly string[] {
  return DISPLAYS[type] ?? [""];
}

/** Returns the keys of a step that its form does not show. */
export function furtherKeys(step: Readonly<Record<string, unknown>>): string[] {
  const shown = new Set(["type", ...fieldsOf(step).map((field) => field.key)]);
  return Object.keys(step).filter((key) => !shown.has(key));
}
