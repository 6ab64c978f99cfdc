// What Conversations asks of the service.

import { type Api, placeOf } from "../api";
import type { Said } from "../events";
import type { Query } from "./filter";

export interface Row {
  readonly _id: string;
  readonly User: string;
  readonly Channel: string;
  readonly Status: string;
  readonly StartedAt: string;
  readonly UpdatedAt: string;
  readonly EndedAt: string | null;
  readonly Goal: string | null;
  readonly Errors: number;
  readonly Messages: { readonly user: number; readonly bot: number };
  readonly FlowVersion: string;
  readonly Data: {
    readonly channel?: { readonly Name?: string | null };
    readonly user?: { readonly FirstName?: string | null; readonly LastName?: string | null };
    readonly step?: string;
    readonly notUnderstood?: number;
    readonly rating?: { readonly score: number; readonly comment?: string };
  };
}

export interface Find {
  readonly value: unknown;
  readonly confidence: number;
  readonly text?: string;
}

export interface Message {
  readonly _id: string;
  readonly From: "user" | "bot";
  readonly Type: string;
  readonly Text: string | null;
  readonly Payload: unknown;
  readonly Step: string | null;
  readonly Understanding: Readonly<Record<string, readonly Find[]>> | string | null;
  readonly Understood?: false;
  readonly Error: string | null;
  /** Name of the person who said it in the place of the bot. */
  readonly Person?: string;
  readonly CreatedAt: string;
  readonly Sequence: number;
}

export interface Page {
  readonly records: readonly Row[];
  /** The parameter of the next page; null at the end. */
  readonly next: string | null;
}

export interface Transcript {
  readonly conversation: Row;
  readonly messages: readonly Message[];
  /** The `Sequence` behind which there are more. */
  readonly next: number | null;
}

export interface Replay {
  readonly channel: string;
  readonly version: string;
  readonly turns: readonly (Said & { readonly sequence: number; readonly isMasked?: boolean })[];
}

export type Receipt = Readonly<Record<"user" | "channel" | "erasedAt" | "log", string>> &
  Readonly<Record<"conversations" | "messages" | "files" | "deliveries" | "tryOuts", number>> & {
    readonly memory: boolean;
    /** Where tests and training of the bot hold what the user said. */
    readonly copies: readonly { readonly version: string; readonly file: string; readonly path: string }[];
  };

const PAGE_ROWS = 50;
const NEWEST = '{"StartedAt":-1}';

const of = (bot: string, id: string): string => `${placeOf(bot)}/conversations/${encodeURIComponent(id)}`;

function asked(query: Query, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ ...(Object.keys(query).length && { filter: JSON.stringify(query) }), ...more }).toString();
}

export async function page(api: Api, bot: string, query: Query, next = ""): Promise<Page> {
  const parameters = asked(query, { sort: NEWEST, limit: String(PAGE_ROWS) });
  return (await api.call("GET", `${placeOf(bot)}/conversations?${parameters}${next && `&${next}`}`)) as Page;
}

/** Returns how many there are; null where the service does not count that far. */
export async function count(api: Api, bot: string, query: Query): Promise<number | null> {
  return ((await api.call("GET", `${placeOf(bot)}/conversations/_count?${asked(query)}`)) as { count: number | null }).count;
}

/** Returns the newest conversations in which a text was said, in messages that match a query; `isCut`: there are more. */
export async function said(api: Api, bot: string, text: string, messages: Query): Promise<{ ids: string[]; isCut: boolean }> {
  return (await api.call("GET", `${placeOf(bot)}/conversations/_said?${asked(messages, { text })}`)) as { ids: string[]; isCut: boolean };
}

export async function transcript(api: Api, bot: string, id: string, after = 0): Promise<Transcript> {
  return (await api.call("GET", `${of(bot, id)}${after ? `?after=${after}` : ""}`)) as Transcript;
}

export const exportAddress = (bot: string, id: string): string => `/v1/studio${of(bot, id)}/export`;

export async function replay(api: Api, bot: string, id: string, to: number | null): Promise<Replay> {
  return (await api.call("POST", `${of(bot, id)}/try-out`, to === null ? {} : { to })) as Replay;
}

export async function erase(api: Api, bot: string, user: string, channel: string): Promise<Receipt> {
  return (await api.call("POST", `${placeOf(bot)}/users/${encodeURIComponent(user)}/erase`, { channel })) as Receipt;
}
