// Times as a reader says them: "Today 10:42", "Yesterday 18:05", "12 May 10:42". In the bot's language, the browser's zone.

const DAY = 86_400_000;

export function moment(at: number, now: number, tag: string): string {
  const language = regional(tag);
  const day = dayLabel(at, now, language);
  const time = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" }).format(at);
  return `${day} ${time}`;
}

/** A reader of English in Britain wants 14:30 and one in America 2:30 PM: the browser knows which, the bot does not. */
function regional(tag: string): string {
  if (tag.includes("-")) return tag;
  return navigator.languages.find((language) => language.startsWith(`${tag}-`)) ?? tag;
}

function dayLabel(at: number, now: number, language: string): string {
  const days = Math.round((midnight(at) - midnight(now)) / DAY);
  if (days === 0 || days === -1) {
    const word = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(days, "day");
    return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
  }
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "short", ...year }).format(at);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
