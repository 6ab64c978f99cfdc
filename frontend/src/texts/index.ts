// Finds the chat's own words for the bot's language. One row makes a language; what has none is shown in English.

import { ar } from "./ar";
import { de } from "./de";
import { en, type Words } from "./en";

const LANGUAGES: Readonly<Record<string, Words>> = { en, de, ar };

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ku"]);

export type { Words };

/** `tag`: a BCP 47 language tag. */
export function wordsFor(tag: string): Words {
  return LANGUAGES[primary(tag)] ?? en;
}

export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(primary(tag)) ? "rtl" : "ltr";
}

/** The tag of the words themselves, so that a screen reader does not read English words as Finnish. */
export function languageOfWords(tag: string): string {
  return primary(tag) in LANGUAGES ? tag : "en";
}

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

function primary(tag: string): string {
  return (tag.split("-")[0] ?? "").toLowerCase();
}
