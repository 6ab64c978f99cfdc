// What Operate asks of the service beside the bot itself and its tokens.

import { type Api, placeOf } from "../api";

export interface ChannelState {
  readonly id: string;
  readonly shownAs: string;
  readonly hasPlatform: boolean;
  /** Why it takes no calls; empty where it does. */
  readonly reasons: readonly string[];
  readonly failures: readonly { readonly at: string; readonly reason: string }[];
}

/** One line of what a platform says of its channel. */
export interface Said {
  readonly state: "ok" | "wrong" | "by-hand";
  readonly text: string;
}

export interface Letter {
  readonly id: string;
  readonly channel: string;
  readonly receiver: string;
  readonly createdAt: string;
  readonly deadAt: string;
  readonly attempts: number;
  readonly reason: string;
}

export type Level = "ok" | "by-hand" | "warn" | "fail";

export interface Diagnosis {
  readonly level: Level;
  readonly check: string;
  readonly text: string;
}

export interface Keys {
  /** The key file, or the setting that the keys come from. */
  readonly place: string;
  readonly isFile: boolean;
  readonly data: string;
  readonly changedAt: string | null;
  readonly isRestartDue: boolean;
  readonly keys: readonly { readonly name: string; readonly seals: boolean; readonly isLoaded: boolean }[];
}

export async function channelStates(api: Api, bot: string): Promise<readonly ChannelState[]> {
  return (await api.call("GET", `${placeOf(bot)}/channels`)) as readonly ChannelState[];
}

export async function checkChannel(api: Api, bot: string, channel: string): Promise<readonly Said[]> {
  const answer = (await api.call("POST", `${placeOf(bot)}/channels/${encodeURIComponent(channel)}/check`, {})) as { findings: readonly Said[] };
  return answer.findings;
}

export async function deadLetters(api: Api, bot: string): Promise<readonly Letter[]> {
  return (await api.call("GET", `${placeOf(bot)}/dead-letters`)) as readonly Letter[];
}

/** `ids`: null means all of the bot. Returns how many. */
export async function changeLetters(api: Api, bot: string, what: "resend" | "drop", ids: readonly string[] | null): Promise<number> {
  const answer = (await api.call("POST", `${placeOf(bot)}/dead-letters/${what}`, { ids })) as { count: number };
  return answer.count;
}

export async function examine(api: Api, bot: string): Promise<readonly Diagnosis[]> {
  const answer = (await api.call("POST", `${placeOf(bot)}/doctor`, {})) as { findings: readonly Diagnosis[] };
  return answer.findings;
}

/** A backup that waits to be downloaded; or the command that makes one, where the database is PostgreSQL. */
export type Backup =
  | { readonly id: string; readonly size: number; readonly bots: number; readonly conversations: number; readonly messages: number }
  | { readonly command: string };

export async function backUp(api: Api): Promise<Backup> {
  return (await api.call("POST", "/backup", {})) as Backup;
}

export function backupAddress(id: string): string {
  return `/v1/studio/backup/${encodeURIComponent(id)}`;
}

export async function keys(api: Api, bot: string): Promise<Keys> {
  return (await api.call("GET", `${placeOf(bot)}/keys`)) as Keys;
}
