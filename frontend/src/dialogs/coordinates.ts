// Latitude and longitude as people write them: decimals, degrees with minutes, points of the compass.

import { plainDigits } from "./digits";

/** A number of degrees, or null. `positive` and `negative` are the compass letters that it may carry, as in `52° 31′ N`. */
export function readDegrees(text: string, positive: string, negative: string, most: number): number | null {
  const plain = plainDigits(text)
    .replace(/[٫,]/g, ".")
    .replace(/[−–]/g, "-")
    .trim()
    .toUpperCase();
  const found = plain.match(/^([A-Z]?)\s*([-+]?)(\d+(?:\.\d+)?)\s*°?\s*(?:(\d+(?:\.\d+)?)\s*['′’]\s*(?:(\d+(?:\.\d+)?)\s*(?:"|″|”|'')\s*)?)?([A-Z]?)$/);
  if (!found) return null;
  const letter = found[1] || found[6];
  if (letter && !positive.includes(letter) && !negative.includes(letter)) return null;
  const size = Number(found[3]) + Number(found[4] ?? 0) / 60 + Number(found[5] ?? 0) / 3600;
  const isNegative = found[2] === "-" || (letter !== "" && letter !== undefined && negative.includes(letter));
  return size <= most ? (isNegative ? -size : size) : null;
}

/** Languages in which O is the west: ouest, oeste, ovest. In German and Dutch it is the east: Ost, oost. */
const WEST_IS_O = new Set(["es", "fr", "it", "pt"]);
const EAST_IS_O = new Set(["de", "nl"]);

export const readLatitude = (text: string) => readDegrees(text, "N", "S", 90);

export function readLongitude(text: string, locale: string): number | null {
  const { language } = new Intl.Locale(locale);
  return readDegrees(text, EAST_IS_O.has(language) ? "EO" : "E", WEST_IS_O.has(language) ? "WO" : "W", 180);
}

/** Both numbers of a pair such as maps give: `52.52, 13.405`, `52,52; 13,405`, `52°31′12″N 13°24′18″E`. A comma alone is a decimal sign. */
export function readPair(text: string): [string, string] | null {
  const found =
    text.match(/^\s*([^,;]+[NSns])[\s,;]+([^,;]+)$/) ??
    text.match(/^\s*([^;]+?)\s*;\s*([^;]+?)\s*$/) ??
    text.match(/^(?=.*\.|.*,\s)\s*([-+−]?[\d.]+°?)\s*,\s*([-+−]?[\d.]+°?)\s*$/) ??
    text.match(/^\s*([-+−]?[\d.,]+°?)\s+([-+−]?[\d.,]+°?)\s*$/);
  return found?.[1] && found[2] ? [found[1].trim(), found[2].trim()] : null;
}
