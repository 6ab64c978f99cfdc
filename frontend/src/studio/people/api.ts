// What People asks of the service.

import type { Api } from "../api";

export const ROLES = ["administrator", "developer", "analyst", "agent"] as const;
export type Role = (typeof ROLES)[number];

export interface Session {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Ids of those that the role is for; null: all. */
  readonly bots: readonly string[] | null;
  readonly since: string;
  readonly expiresAt: string;
  readonly isOwn: boolean;
  /** Of the OpenID provider where the person signed in; null: they came by a link. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

export interface Deed {
  readonly id: string;
  readonly at: string;
  readonly who: string;
  /** As whom the OpenID provider knows them; empty for links. A name can be chosen, this cannot. */
  readonly person: string;
  /** Empty of somebody who was not signed in. */
  readonly role: Role | "";
  readonly what: string;
  readonly bot: string;
  readonly about: string;
  /** A sentence for each access that it made, widened, replaced or moved. */
  readonly access: readonly string[];
}

export interface Log {
  readonly deeds: readonly Deed[];
  /** Where the next page begins; null: there is none. */
  readonly before: string | null;
}

export async function sessions(api: Api): Promise<readonly Session[]> {
  const found = (await api.call("GET", "/people")) as { sessions: readonly Session[] };
  return found.sessions;
}

/** Makes a link for one person, which is given this once. `bots`: those that the role is for; null: all. */
export async function invite(api: Api, name: string, role: Role, bots: readonly string[] | null): Promise<string> {
  const made = (await api.call("POST", "/people/links", { name, role, bots })) as { link: string };
  return made.link;
}

export async function end(api: Api, id: string): Promise<void> {
  await api.call("POST", `/people/${encodeURIComponent(id)}/end`, {});
}

export async function log(api: Api, before: string | null): Promise<Log> {
  return (await api.call("GET", before === null ? "/audit" : `/audit?before=${encodeURIComponent(before)}`)) as Log;
}
