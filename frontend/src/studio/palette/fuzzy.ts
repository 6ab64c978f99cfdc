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
const PLAIN = /^[\x20-\x7e]*$/;
const WORD_LETTER = /[\p{L}\p{N}]/u;

/** Returns how well `sought` is found in `text`; null where its letters are not all there in their order. */
export function match(sought: string, text: string): Match | null {
  return matchFolded(lettersOf(sought), [...fold(text)]);
}

/** Returns the letters that are looked for. */
export function lettersOf(sought: string): string[] {
  return [...fold(sought)].filter((letter) => letter !== " ");
}

/** As `match`, of letters that are folded already. */
export function matchFolded(letters: readonly string[], folded: readonly string[]): Match | null {
  if (!letters.length) return { score: 0, at: [] };
  // The first letter decides where the rest is looked for: each place where a word begins with it, else where it first stands.
  const starts = folded.flatMap((letter, index) => (letter === letters[0] && isStart(folded, index) ? index : []));
  const first = folded.indexOf(letters[0] ?? "");
  if (first < 0) return null;
  const tries = [...new Set([...starts, first])].map((from) => matchFrom(letters, folded, from));
  return tries.reduce((best, one) => (one && (!best || one.score > best.score) ? one : best), null);
}

function matchFrom(letters: readonly string[], text: readonly string[], from: number): Match | null {
  const at: number[] = [];
  let score = -text.length / 100;
  let position = from;
  for (const letter of letters) {
    const follows = at.length > 0 && text[position] === letter;
    const start = follows ? -1 : startFrom(text, letter, position);
    const next = follows ? position : start >= 0 ? start : text.indexOf(letter, position);
    if (next < 0) return null;
    score += 1 + (follows ? NEXT : 0) + (isStart(text, next) ? START : 0) + (next === 0 ? FIRST : 0);
    at.push(next);
    position = next + 1;
  }
  return { score, at };
}

/** Returns where a word begins with the letter, from a position on; -1: nowhere. */
function startFrom(text: readonly string[], letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) if (isStart(text, at)) return at;
  return -1;
}

function isStart(text: readonly string[], index: number): boolean {
  return index === 0 || !WORD_LETTER.test(text[index - 1] ?? "");
}

/** Returns the text without case and accents, letter for letter. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return [...text].map((letter) => [...letter.normalize("NFD").toLowerCase()][0] ?? letter).join("");
}
