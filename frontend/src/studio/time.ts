// Moments in words, in the reader's zone; the studio speaks English.

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export const day = (iso: string): string => DAY.format(new Date(iso));
export const moment = (iso: string): string => MOMENT.format(new Date(iso));
