// Sums a message up for the loader: who said it, when, and the beginning of its text.

import type { MessageSummary } from "../loader/stages";
import type { Message } from "../protocol/wire";

const MAX_SNIPPET_CHARS = 140;
/** Characters of a text that are read for it: the time to find links grows with the square of a text made of brackets. */
const MAX_READ_CHARS = 2000;

export function summaryOf({ id, from, text, createdAt, position }: Message): MessageSummary {
  return { message: { id, from, text, createdAt }, position, snippet: snippetOf(text) };
}

/** The beginning of a text without Markdown's signs. */
export function snippetOf(text: string): string {
  const plain = text
    .slice(0, MAX_READ_CHARS)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#>~]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const signs = [...plain];
  return signs.length > MAX_SNIPPET_CHARS ? `${signs.slice(0, MAX_SNIPPET_CHARS).join("")}…` : plain;
}
