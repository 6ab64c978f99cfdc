// Which days a date picker offers: between a first and a last one, without those and the weekdays that are off.

import type { Dialog } from "../protocol/wire";
import { type Day, dayOf, weekday } from "./days";

export interface Offered {
  readonly least: Day | null;
  readonly most: Day | null;
  isWithin(day: Day): boolean;
  isOff(day: Day): boolean;
  /** The day itself, or the end of the range that it is beyond. */
  nearest(day: Day): Day;
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export function offeredDays({ min = "", max = "", off = [] }: Pick<Dialog, "min" | "max" | "off">): Offered {
  const [least, most] = [readIso(min), readIso(max)];
  const days = new Set(off.map(readIso));
  const weekdays = new Set(off.map((name) => WEEKDAYS.indexOf(name)));
  const isWithin = (day: Day) => (least === null || day >= least) && (most === null || day <= most);
  return {
    least,
    most,
    isWithin,
    isOff: (day) => !isWithin(day) || days.has(day) || weekdays.has(weekday(day)),
    nearest: (day) => Math.max(least ?? day, Math.min(most ?? day, day)),
  };
}

function readIso(text: string): Day | null {
  const found = text.match(/^(\d{4})-(\d\d)-(\d\d)$/);
  return found ? dayOf(Number(found[1]), Number(found[2]), Number(found[3])) : null;
}
