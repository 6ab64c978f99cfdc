// Writes coordinates in words, for messages and for the location dialog.

import { fill, type Words } from "../texts";

/** Returns the like of `52.5200° north, 13.4050° east`. */
export function inWords(latitude: number, longitude: number, words: Words, locale: string): string {
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
  const side = (degrees: number, positive: string, negative: string) =>
    fill(degrees < 0 ? negative : positive, { n: number.format(Math.abs(degrees)) });
  return fill(words.pair, { latitude: side(latitude, words.north, words.south), longitude: side(longitude, words.east, words.west) });
}
