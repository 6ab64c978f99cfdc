// Finds options by words: without accents and case, every word of the query somewhere in the text, word beginnings first.

/** Letters that no decomposition takes apart, and what people type for them. */
const ALONE: Readonly<Record<string, string>> = {
  ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ħ: "h", ŧ: "t", ى: "ي", ة: "ه", ک: "ك", ی: "ي",
};
const ALONE_PATTERN = new RegExp(`[${Object.keys(ALONE).join("")}]`, "g");

/** The text as it is compared: lower case, no accents or vowel signs, words apart by one space. */
export function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640]/gu, "")
    .toLowerCase()
    .replace(ALONE_PATTERN, (letter) => ALONE[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Indexes of the texts that match, in their order; those in which each word of the query begins a word come first. */
export function search(texts: readonly string[], query: string): number[] {
  const words = folded(query).split(" ").filter(Boolean);
  const [beginning, inside]: [number[], number[]] = [[], []];
  texts.forEach((text, index) => {
    if (words.every((word) => text.startsWith(word) || text.includes(` ${word}`))) beginning.push(index);
    else if (words.every((word) => text.includes(word))) inside.push(index);
  });
  return [...beginning, ...inside];
}
