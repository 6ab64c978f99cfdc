// Finds the chat's own words for the bot's language. English is always here, every other language is one small file that is
// loaded when a bot speaks it: all of them together would weigh more than the chat.

import { chat as en } from "../../../src/dialoom/languages/en.json";

/** The languages that have texts, which the build knows. */
declare const LANGUAGES: readonly string[];
/** The chat's own words by their names, which are those of the English file. */
export type Words = typeof en;

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ku"]);

const loaded = new Map<string, Words>([["en", en]]);

/** The words of this language as far as they are here, else English. `tag`: a BCP 47 language tag. */
export function wordsFor(tag: string): Words {
  return loaded.get(primary(tag)) ?? en;
}

/** Fetches the words of a language once. Without them the chat speaks English, which is no reason to fail. */
export async function loadWords(tag: string, server = ""): Promise<void> {
  const language = primary(tag);
  if (loaded.has(language) || !LANGUAGES.includes(language)) return;
  const response = await fetch(`${server}/static/words/${language}.json`, { credentials: "omit" }).catch(() => null);
  const words = response?.ok ? await response.json().catch(() => null) : null;
  // A file of an older version may lack words that this one needs.
  if (words) loaded.set(language, { ...en, ...words });
}

export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(primary(tag)) ? "rtl" : "ltr";
}

/** The tag of the words themselves, so that a screen reader does not read English words as Finnish. */
export function languageOfWords(tag: string): string {
  return loaded.has(primary(tag)) ? tag : "en";
}

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

function primary(tag: string): string {
  return (tag.split("-")[0] ?? "").toLowerCase();
}
