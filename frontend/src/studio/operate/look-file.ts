// Reads and writes `look` in the text of bot.json; all else of the text stays as its author wrote it.

import { removeAt, setAt } from "../build/json-edit";

export interface Look {
  readonly brand?: string;
  readonly background?: string;
  readonly font?: string;
  readonly radius?: number;
  readonly header?: string;
  readonly launcher?: string;
  readonly avatar?: string;
}

/** Returns null where the text is no JSON object. */
export function lookOf(text: string): Look | null {
  try {
    const file = JSON.parse(text) as { look?: Look } | null;
    if (typeof file !== "object" || file === null || Array.isArray(file)) return null;
    return typeof file.look === "object" && file.look !== null ? file.look : {};
  } catch {
    return null;
  }
}

/** Returns the text with one part of the look; an empty one is taken out, and the look with its last part. */
export function withLook(text: string, key: keyof Look, value: string | number): string {
  const look = lookOf(text);
  if (!look) return text;
  const { [key]: _, ...rest } = look;
  if (value !== "") return "look" in (JSON.parse(text) as object) ? setAt(text, ["look", key], value) : setAt(text, ["look"], { [key]: value });
  if (!(key in look)) return text;
  return removeAt(text, Object.keys(rest).length ? ["look", key] : ["look"]);
}
