// Merges two changed texts of one: what only one side changed is taken from that side; where both changed the same lines, mine stays
// and the merge view shows theirs beside it.

import { Chunk } from "@codemirror/merge";
import { Text } from "@codemirror/state";
import type { Files } from "../workspace";

/** Returns my files with what they changed where I did not. */
export function mergedFiles(base: Files, mine: Files, theirs: Files): Record<string, string> {
  const names = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  const merged: Record<string, string> = {};
  for (const name of names) {
    const text = mergedText(base[name], mine[name], theirs[name]);
    if (text !== undefined) merged[name] = text;
  }
  return merged;
}

/** `undefined`: the file is not there. */
export function mergedText(base: string | undefined, mine: string | undefined, theirs: string | undefined): string | undefined {
  if (mine === base) return theirs;
  if (theirs === base || mine === undefined || theirs === undefined || base === undefined) return mine;
  const [from, my, their] = [base, mine, theirs].map((text) => Text.of(text.split("\n"))) as [Text, Text, Text];
  const own = Chunk.build(from, my);
  const foreign = Chunk.build(from, their).filter((chunk) => !own.some((one) => meets(chunk, one)));
  let text = mine;
  // From behind, so that the offsets of what is still to do stay.
  for (const chunk of [...foreign].reverse()) {
    const moved = own.filter((one) => one.toA <= chunk.fromA).reduce((sum, one) => sum + (one.toB - one.fromB) - (one.toA - one.fromA), 0);
    const start = chunk.fromA + moved;
    const end = Math.min(text.length, start + (Math.min(chunk.toA, from.length) - chunk.fromA));
    text = text.slice(0, start) + their.sliceString(chunk.fromB, Math.min(chunk.toB, their.length)) + text.slice(end);
  }
  return text;
}

/** Whether two chunks change the same lines of the text before, or neighbouring ones. */
function meets(one: Chunk, other: Chunk): boolean {
  return one.fromA <= other.toA && other.fromA <= one.toA;
}
