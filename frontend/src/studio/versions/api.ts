// What the service tells of a bot's versions and of what differs between two, or between the draft and the active one.

import { type Api, placeOf } from "../api";

export interface Version {
  readonly version: string;
  readonly activatedAt: string;
  readonly isActive: boolean;
  readonly withdrawnAt: string | null;
  readonly runningTalks: number;
  readonly note: string;
  readonly author: string | null;
}

export interface Change {
  readonly file: string;
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  readonly before?: unknown;
  readonly after?: unknown;
  readonly title: string;
}

export interface Difference {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
  readonly lines: readonly string[];
}

export interface DraftDifference extends Difference {
  /** Talks that end on the active version when the draft takes its place. */
  readonly runningTalks: number;
}

/** Returns the version's first digits, as people see it. */
export const shortOf = (version: string): string => version.slice(0, 12);

export async function versions(api: Api, bot: string): Promise<readonly Version[]> {
  return (await api.call("GET", `${placeOf(bot)}/versions`)) as readonly Version[];
}

export async function versionDifference(api: Api, bot: string, from: string, to: string): Promise<Difference> {
  return (await api.call("GET", `${placeOf(bot)}/versions/${encodeURIComponent(from)}/difference/${encodeURIComponent(to)}`)) as Difference;
}

export async function draftDifference(api: Api, bot: string): Promise<DraftDifference> {
  return (await api.call("GET", `${placeOf(bot)}/draft/difference`)) as DraftDifference;
}

export async function rollBack(api: Api, bot: string, version: string): Promise<void> {
  await api.call("POST", `${placeOf(bot)}/rollback`, { version });
}
