// What Hand-off asks of the service.

import { type Api, placeOf } from "../api";

export interface HandOff {
  readonly id: string;
  readonly queue: string;
  readonly channel: string;
  readonly provider: string;
  readonly user: string;
  readonly userName: string;
  readonly conversation: string;
  readonly since: string;
  readonly until: string;
  readonly person: Person | null;
  readonly lastText: string;
  readonly lastAt: string;
  readonly isLastOfUser: boolean;
  /** Messages of the user since it began. */
  readonly heard: number;
}

export interface Listed {
  readonly now: string;
  readonly queues: readonly string[];
  readonly handOffs: readonly HandOff[];
}

export interface Line {
  readonly id: string;
  readonly position: number;
  readonly from: "user" | "bot";
  readonly type: string;
  readonly text: string;
  readonly at: string;
  readonly person?: string;
}

export interface Chat {
  readonly handOff: HandOff;
  readonly notes: readonly { readonly at: string; readonly name: string; readonly text: string }[];
  readonly messages: readonly Line[];
  readonly next: number;
  readonly memory: { readonly context?: Readonly<Record<string, unknown>>; readonly entities?: Readonly<Record<string, unknown>> };
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

export type Action = "take" | "answer" | "note" | "pass-on" | "give-back";

export async function listed(api: Api, bot: string): Promise<Listed> {
  return (await api.call("GET", `${placeOf(bot)}/hand-offs`)) as Listed;
}

/** The chat with its last messages, or with those behind a position. */
export async function chat(api: Api, bot: string, id: string, after = 0): Promise<Chat> {
  return (await api.call("GET", `${placeOf(bot)}/hand-offs/${id}?after=${after}`)) as Chat;
}

/** Does something in a chat; null where the hand-off is over then. `since`: when the hand-off began that the page shows. `act`: the same
 * again is done once. */
export async function act(
  api: Api,
  bot: string,
  id: string,
  action: Action,
  more: { readonly text?: string; readonly queue?: string; readonly since?: string } = {},
  act = newId(),
): Promise<HandOff | null> {
  const body = { id: act, action, ...more };
  return (await api.call("POST", `${placeOf(bot)}/hand-offs/${id}`, body)) as HandOff | null;
}

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Puts new lines behind those that are here, each once. */
export function joined(before: readonly Line[], more: readonly Line[]): readonly Line[] {
  const last = before.at(-1)?.position ?? 0;
  return [...before, ...more.filter(({ position }) => position > last)];
}
