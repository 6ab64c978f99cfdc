// Finds a text by letters of it in their order, as one types them without thinking: "boday" for "book · day".

export interface Match {
  /** More is better. */
  readonly score: number;
  /** Positions of the letters that were found. */
  readonly at: readonly number[];
}

/** A letter that begins a word, one that follows the letter found before it, one that begins the whole text. */
const START = 8;
const NEXT = 5;
const FIRST = 4;

/** Returns how well `sought` is found in `text`; null where its letters are not all there in their order. */
export function match(sought: string, text: string): Match | null {
  const letters = [...fold(sought)].filter((letter) => letter !== " ");
  const folded = [...fold(text)];
  if (!letters.length) return { score: 0, at: [] };
  // The first letter decides where the rest is looked for: each place where a word begins with it, else where it first stands.
  const starts = folded.flatMap((letter, index) => (letter === letters[0] && isStart(folded, index) ? [index] : []));
  const first = folded.indexOf(letters[0] ?? "");
  const tries = [...new Set([...starts, ...(first < 0 ? [] : [first])])].map((from) => matchFrom(letters, folded, from));
  return tries.reduce((best, one) => (one && (!best || one.score > best.score) ? one : best), null);
}

function matchFrom(letters: readonly string[], text: readonly string[], from: number): Match | null {
  const at: number[] = [];
  let score = -text.length / 100;
  let position = from;
  for (const letter of letters) {
    const follows = at.length > 0 && text[position] === letter;
    const start = follows ? -1 : text.findIndex((one, index) => index >= position && one === letter && isStart(text, index));
    const next = follows ? position : start >= 0 ? start : text.indexOf(letter, position);
    if (next < 0) return null;
    score += 1 + (follows ? NEXT : 0) + (isStart(text, next) ? START : 0) + (next === 0 ? FIRST : 0);
    at.push(next);
    position = next + 1;
  }
  return { score, at };
}

function isStart(text: readonly string[], index: number): boolean {
  return index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? "");
}

/** Returns the text without case and accents, letter for letter. */
export function fold(text: string): string {
  return [...text].map((letter) => [...letter.normalize("NFD").toLowerCase()][0] ?? letter).join("");
}
