// What Insights asks of the service.

import { type Api, placeOf } from "../api";
import type { Query } from "../conversations/filter";

export interface Figure {
  readonly count: number;
  readonly filter: Query;
  readonly share?: number;
}

export interface Row {
  readonly name: string;
  readonly conversations: Figure;
  readonly completed: Figure;
  readonly notUnderstood: Figure;
  readonly failed: Figure;
}

export interface Times {
  readonly count: number;
  readonly median: number | null;
  readonly most: number | null;
}

export interface Insights extends Readonly<Record<"conversations" | "withGoal" | "completed" | "stopped" | "handedOver" | "running" | "notUnderstood" | "offered" | "offersTaken" | "offersRefused" | "failed", Figure>> {
  readonly since: string;
  readonly until: string;
  readonly isCut: boolean;
  readonly notUnderstoodMessages: number;
  /** How often users were asked what they meant. */
  readonly offers: number;
  readonly userMessages: number;
  readonly errors: number;
  readonly firstAnswer: Times;
  readonly answer: Times;
  readonly timedMessages: number;
  /** How many conversations stopped, by the step's path in flow.json. */
  readonly dropOff: Readonly<Record<string, number>>;
  readonly dropOffs: readonly { readonly step: string; readonly path: string; readonly stopped: Figure }[];
  readonly goals: readonly Row[];
  readonly channels: readonly Row[];
  readonly versions: readonly Row[];
  readonly days: readonly Row[];
  readonly allChannels: readonly string[];
  readonly allVersions: readonly string[];
}

/** What is counted. Without a day in `from` the period is of so many `days` until now. */
export interface Scope {
  readonly days: string;
  readonly from: string;
  readonly to: string;
  readonly channel: string;
  readonly version: string;
}

export const SCOPE: Scope = { days: "30", from: "", to: "", channel: "", version: "" };
const DAY = 86_400_000;

/** The parameters of a scope for the service, which takes `to` as not included. */
export function asked(scope: Scope, now: number): URLSearchParams {
  const { days, from, to, channel, version } = scope;
  const period = from
    ? { from, ...(to && { to: new Date(Date.parse(to) + DAY).toISOString() }) }
    : { from: new Date(now - Number(days) * DAY).toISOString() };
  return new URLSearchParams({ ...period, ...(channel && { channel }), ...(version && { version }) });
}

export async function insights(api: Api, bot: string, scope: Scope = SCOPE, now = Date.now()): Promise<Insights> {
  return (await api.call("GET", `${placeOf(bot)}/insights?${asked(scope, now)}`)) as Insights;
}

/** All days of a period, those without a conversation too, with the row of each. */
export function everyDay(found: Pick<Insights, "since" | "until" | "days">): { day: string; row: Row | null }[] {
  const rows = new Map(found.days.map((row) => [row.name, row]));
  const last = Date.parse(found.until) - 1;
  const days: { day: string; row: Row | null }[] = [];
  for (let time = Date.parse(found.since.slice(0, 10)); time <= last; time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10);
    days.push({ day, row: rows.get(day) ?? null });
  }
  return days;
}
