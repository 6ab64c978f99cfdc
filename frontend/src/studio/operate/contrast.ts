// Tells how well text can be read on the brand's colour: black or white stands on it, whichever has more contrast (tokens.ts).

export interface Contrast {
  readonly text: "black" | "white";
  /** From 1 to 21 (WCAG 2.2), rounded down to one decimal. */
  readonly ratio: number;
}

/** Returns null for what is no colour as bot.json writes them (#rgb, #rrggbb). */
export function contrast(colour: string): Contrast | null {
  const found = luminance(colour);
  if (found === null) return null;
  const [onBlack, onWhite] = [(found + 0.05) / 0.05, 1.05 / (found + 0.05)];
  const text = onBlack >= onWhite ? "black" : "white";
  return { text, ratio: Math.floor(Math.max(onBlack, onWhite) * 10) / 10 };
}

function luminance(colour: string): number | null {
  const digits = /^#(?:[0-9a-f]{3}){1,2}$/i.test(colour) ? colour.slice(1) : "";
  if (!digits) return null;
  const long = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join("");
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(long.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
