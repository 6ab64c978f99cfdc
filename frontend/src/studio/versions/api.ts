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
  /** `unreadable`: the whole file, which is no JSON on one of the sides. */
  readonly kind: "added" | "removed" | "changed" | "unreadable";
  readonly before?: unknown;
  readonly after?: unknown;
  readonly title: string;
}

export interface Difference {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
  readonly lines: readonly string[];
  /** A sentence for each access that changes with `to` in place of `from`. */
  readonly access: readonly string[];
}

export interface DraftDifference extends Difference {
  /** Talks that end on the active version when the draft takes its place. */
  readonly runningTalks: number;
  /** What the draft's `retention-days` would have erased. */
  readonly erases?: Erasure;
}

export interface Erasure {
  readonly days: number;
  /** null: the active version keeps all. */
  readonly previousDays: number | null;
  /** null: too many to be counted in time. */
  readonly conversations: number | null;
  readonly beginsAt: string;
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

/** How a bot's draft stands. */
export interface DraftState {
  /** In how many parts it differs from the active version. */
  readonly unpublished: number;
  readonly findings: number;
  readonly hasTests: boolean;
  /** Whose saved draft it is; a folder is of nobody. */
  readonly author: string | null;
}

export async function draftState(api: Api, bot: string): Promise<DraftState> {
  return (await api.call("GET", `${placeOf(bot)}/draft/state`)) as DraftState;
}

/** The code of the refusal to publish or go back to what would have conversations erased. */
export const ERASES = "erases-conversations";

export async function rollBack(api: Api, bot: string, version: string, acceptsErasing = false): Promise<void> {
  await api.call("POST", `${placeOf(bot)}/rollback`, acceptsErasing ? { version, acceptsErasing } : { version });
}
