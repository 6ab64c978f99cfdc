// How a conversation and what was understood in it are called.

import type { Find, Message, Row } from "./api";
import { percent } from "./words";

export function nameOf(row: Row): string {
  const { FirstName, LastName } = row.Data.user ?? {};
  return [FirstName, LastName].filter(Boolean).join(" ") || row.User;
}

/** What was understood of a message: type, value and confidence, the surest first. */
export function finds(message: Message): { type: string; value: string; confidence: string }[] {
  const { Understanding } = message;
  if (typeof Understanding !== "object" || Understanding === null) return [];
  return Object.entries(Understanding)
    .flatMap(([type, found]) => (Array.isArray(found) ? (found as Find[]).map((find) => ({ type, find })) : []))
    .sort((one, other) => other.find.confidence - one.find.confidence)
    .map(({ type, find }) => ({ type, value: plain(find.value), confidence: typeof find.confidence === "number" ? percent(find.confidence) : "" }));
}

/** A value as people read it: what is in its "value", if it is an object that has one. */
export function plain(value: unknown): string {
  if (typeof value === "object" && value !== null && "value" in value) return plain((value as { value: unknown }).value);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

interface Option {
  readonly title?: string;
  readonly key?: string;
  readonly system?: string;
}

/** Titles of what a message of the bot offers to choose from. */
export function offered(message: Message): string[] {
  const payload = (message.Payload ?? {}) as { replies?: unknown; dialog?: { options?: unknown } };
  if (typeof payload !== "object") return [];
  const options = [payload.replies, payload.dialog?.options].flatMap((one) => (Array.isArray(one) ? (one as Option[]) : []));
  return options.map(({ title }) => title ?? "").filter(Boolean);
}
