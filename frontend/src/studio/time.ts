// Moments in words, in the reader's zone and in the studio's language.

import { LOCALE } from "./words";

const written = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(LOCALE, options);
  return (iso: string): string => format.format(new Date(iso));
};

export const day = written({ day: "numeric", month: "short", year: "numeric" });
export const moment = written({ dateStyle: "medium", timeStyle: "medium" });
/** A moment of about this year. */
export const short = written({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
/** A moment whose seconds mean nothing. */
export const minute = written({ dateStyle: "short", timeStyle: "short" });
export const time = written({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const clock = written({ hour: "2-digit", minute: "2-digit" });
