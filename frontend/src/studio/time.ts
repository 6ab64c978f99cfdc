// Moments in words, in the reader's zone and in the studio's language.

import { language } from "./words";

const LOCALE = language === "de" ? "de-DE" : "en-GB";
const DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium" });

export const day = (iso: string): string => DAY.format(new Date(iso));
export const moment = (iso: string): string => MOMENT.format(new Date(iso));
