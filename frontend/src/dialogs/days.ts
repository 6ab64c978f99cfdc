// Days, months and weeks of the calendar, written and read as a locale does. A day is a number: days since 1 January 1970.
// The calendar is always the Gregorian one, as the answer's `YYYY-MM-DD` is.

import { plainDigits } from "./digits";
import { folded } from "./search";

export type Day = number;

const LENGTH = 86_400_000;

/** Null for what is no day: 31 April, the year 0 or 10000. Months count from 1. */
export function dayOf(year: number, month: number, day: number): Day | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1 && year <= 9999 ? date.getTime() / LENGTH : null;
}

export function today(now: Date = new Date()): Day {
  return dayOf(now.getFullYear(), now.getMonth() + 1, now.getDate()) ?? 0;
}

export function parts(day: Day): { year: number; month: number; day: number } {
  const date = new Date(day * LENGTH);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function iso(day: Day): string {
  return new Date(day * LENGTH).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekday(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The same day some months on, or the last of that month; stays within the years 1 to 9999. */
export function addMonths(day: Day, months: number): Day {
  const from = parts(day);
  const count = Math.min(9999 * 12 + 11, Math.max(12, from.year * 12 + from.month - 1 + months));
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
  for (let last = from.day; last > 28; last -= 1) {
    const found = dayOf(year, month, last);
    if (found !== null) return found;
  }
  return dayOf(year, month, Math.min(from.day, 28)) ?? day;
}

/** The weeks that a month touches, each from the locale's first day on. */
export function weeks(day: Day, firstWeekday: number): Day[][] {
  const { year, month } = parts(day);
  const first = dayOf(year, month, 1) ?? day;
  const start = first - ((weekday(first) - firstWeekday + 7) % 7);
  const rows = [];
  for (let row = start; row === start || parts(row).month === month; row += 7)
    rows.push(Array.from({ length: 7 }, (_, index) => row + index));
  return rows;
}

type Weeks = { readonly firstDay: number };

/** Regions whose weeks do not begin on Monday (CLDR supplemental data), for browsers that do not tell. */
const SUNDAY = "AG AS AU BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW";
const SATURDAY = "AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";

/** 0 is Sunday. */
export function firstWeekday(locale: string): number {
  const tag = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => Weeks; weekInfo?: Weeks };
  const info = tag.getWeekInfo?.() ?? tag.weekInfo;
  if (info) return info.firstDay % 7;
  const region = tag.maximize().region ?? "";
  return SATURDAY.includes(region) ? 6 : SUNDAY.includes(region) ? 0 : 1;
}

export function written(day: Day, locale: string, form: Intl.DateTimeFormatOptions): string {
  // Marks of direction that some locales put between the figures are in the way of who types on.
  return format(locale, form).format(day * LENGTH).replace(/[\u200e\u200f]/g, "");
}

/** The names of the week's days, short enough for the head of a column. */
export function weekdayNames(week: readonly Day[], locale: string): string[] {
  const short = week.map((day) => written(day, locale, { weekday: "short" }));
  return short.every((name) => name.length <= 5) ? short : week.map((day) => written(day, locale, { weekday: "narrow" }));
}

/** Day and month in figures, as people of this locale type a date. */
export const SHORT = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
export const PLAIN = { year: "numeric", month: "long", day: "numeric" } as const;
export const LONG = { weekday: "long", year: "numeric", month: "long", day: "numeric" } as const;

function format(locale: string, form: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...form, timeZone: "UTC", calendar: "gregory" });
}

/** Returns how a date is typed, in letters: `DD/MM/YYYY`, `TT.MM.JJJJ`. A date in figures would look like a value. */
export function pattern(locale: string): string {
  const names = new Intl.DisplayNames(locale, { type: "dateTimeField" });
  return format(locale, SHORT)
    .formatToParts(0)
    .map(({ type, value }) => (type === "literal" ? value.replace(/[\u061c\u200e\u200f]/g, "") : placeholder(names, type)))
    .join("");
}

const FIGURES: Readonly<Record<string, number>> = { year: 4, month: 2, day: 2 };

function placeholder(names: Intl.DisplayNames, type: string): string {
  const count = FIGURES[type];
  // Arabic names carry the article.
  const name = count === undefined ? "" : (names.of(type) ?? "").replace(/^ال/, "");
  // Where no letter stands for a word (年, شهر), the word itself does.
  return /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(name) ? name.slice(0, 1).toUpperCase().repeat(count ?? 0) : name;
}

/** Reads what a person types: `2030-05-12`, the locale's figures with any signs between them, or a month by its name. */
export function read(text: string, locale: string, now: Day): Day | null {
  const plain = plainDigits(text);
  const figures = (plain.match(/\d+/g) ?? []).map(Number);
  const month = namedMonth(plain, locale);
  const order = (["year", "month", "day"] as const).filter((part) => month === null || part !== "month");
  const local = localOrder(locale).filter((part) => order.includes(part));
  // Four figures at the beginning are a year in every language.
  const isYearFirst = /^\D*\d{4}\b/.test(plain);
  const hasYear = figures.length === order.length;
  if (!hasYear && figures.length !== order.length - 1) return null;
  const places = (isYearFirst ? order : local).filter((part) => hasYear || part !== "year");
  const found: Partial<Record<string, number>> = Object.fromEntries(places.map((part, index) => [part, figures[index]]));
  const thisYear = parts(now).year;
  return dayOf(fullYear(found.year ?? thisYear, thisYear, locale), month ?? found.month ?? 0, found.day ?? 0);
}

const BUDDHIST = 543;

/** Two figures mean the year that is at most twenty ahead. Thais count years from the Buddha: 2573 is 2030. */
function fullYear(year: number, thisYear: number, locale: string): number {
  if (year > thisYear + 300 && new Intl.Locale(locale).language === "th") return year - BUDDHIST;
  if (year > 99) return year;
  const guess = thisYear - (thisYear % 100) + year;
  return guess > thisYear + 20 ? guess - 100 : guess <= thisYear - 80 ? guess + 100 : guess;
}

function localOrder(locale: string): ("year" | "month" | "day")[] {
  return format(locale, SHORT)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === "year" || type === "month" || type === "day");
}

/** The month that a word of the text names, by its beginning of at least three letters where it has as many. */
function namedMonth(text: string, locale: string): number | null {
  const words = folded(text).split(" ").filter((word) => /\p{L}/u.test(word) && word.length >= 2);
  const names = ["long", "short"].map((form) =>
    Array.from({ length: 12 }, (_, index) => folded(written(dayOf(2024, index + 1, 1) ?? 0, locale, { month: form as "long", day: "numeric" }))),
  );
  for (const word of words)
    for (const months of names) {
      const fits = months.flatMap((name, index) => (name.split(" ").some((part) => matches(part, word)) ? index + 1 : []));
      if (fits.length === 1) return fits[0] ?? null;
    }
  return null;
}

function matches(name: string, word: string): boolean {
  return /\p{L}/u.test(name) && (name === word || (word.length >= 3 && name.startsWith(word)));
}
