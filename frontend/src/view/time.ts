// Times as a reader says them: "Today 10:42", "Yesterday 18:05", "12 May 10:42". In the bot's language, the browser's zone.

const DAY = 86_400_000;

export function moment(at: number, now: number, tag: string): string {
  const language = regional(tag);
  const day = dayLabel(at, now, language);
  return `${day} ${kept(`time ${language}`, () => new Intl.DateTimeFormat(language, TIME)).format(at)}`;
}

const TIME = { hour: "numeric", minute: "2-digit" } as const;
const made = new Map<string, unknown>();

/** Returns the formatter of this name. Each message has a time, and to make a formatter takes longer than to draw a message. */
function kept<Formatter>(name: string, make: () => Formatter): Formatter {
  if (!made.has(name)) made.set(name, make());
  return made.get(name) as Formatter;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A chosen day comes back as `2030-05-12` and is said as it was chosen: "Sunday, 12 May 2030". All other text stays. */
export function chosenDay(text: string, tag: string): string {
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return text;
  const form = { weekday: "long", year: "numeric", month: "long", day: "numeric" } as const;
  return new Intl.DateTimeFormat(regional(tag), { ...form, timeZone: "UTC" }).format(at);
}

/**
 * A reader of English in Britain wants 14:30 and one in America 2:30 PM: the browser knows which, the bot does not.
 *
 * The calendar is the Gregorian one and the digits are 0 to 9 in every language, as in the bot's own messages: a Thai page
 * would else show the year 2573 beside a message that says 2030, an Egyptian one two kinds of digits.
 */
export function regional(tag: string): string {
  const found = tag.includes("-") ? tag : (navigator.languages.find((language) => language.startsWith(`${tag}-`)) ?? tag);
  return new Intl.Locale(found, { calendar: "gregory", numberingSystem: "latn" }).toString();
}

/** A number as the language writes it. */
export function figures(count: number, tag: string): string {
  return new Intl.NumberFormat(regional(tag)).format(count);
}

function dayLabel(at: number, now: number, language: string): string {
  const days = Math.round((midnight(at) - midnight(now)) / DAY);
  if (days === 0 || days === -1) {
    const word = kept(`day ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: "auto" })).format(days, "day");
    return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
  }
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  const form = { day: "numeric", month: "short", ...year } as const;
  return kept(`date ${isThisYear} ${language}`, () => new Intl.DateTimeFormat(language, form)).format(at);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
