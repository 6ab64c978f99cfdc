// Reads which page of the studio an address names, and takes the token of a sign-in link out of the address.

import { FIRST_ROOM, PRESENT, type Room } from "./rooms";

export interface Route {
  /** Null on Home, and so is the room. */
  readonly bot: string | null;
  readonly room: Room | null;
  /** What the address has behind the question mark: what a room shows of the bot, in the room's own words. */
  readonly query: string;
}

const ROOT = "/studio";
const LINK = /^#sign-in=([\w-]{1,100})$/;

/** A room that this build does not have stands for the first. */
export function routeAt(path: string, search = ""): Route {
  const [, bot, room] = /^\/studio\/([^/]+)\/([^/]+)\/?$/.exec(path) ?? [];
  if (!bot) return { bot: null, room: null, query: "" };
  // Where tokens and channels stood once: links to it are kept.
  if (room === "settings") return { bot: decoded(bot), room: "operate", query: "tab=tokens" };
  return { bot: decoded(bot), room: PRESENT.find((one) => one === room) ?? FIRST_ROOM, query: search.replace(/^\?/, "") };
}

export function addressOf({ bot, room, query = "" }: { bot: string | null; room?: Room | null; query?: string }): string {
  if (bot === null) return ROOT;
  return `${ROOT}/${encodeURIComponent(bot)}/${room ?? FIRST_ROOM}${query && `?${query}`}`;
}

/** Returns the token of a link and removes it: it must not stay in the address bar, in the history or in a bookmark. */
export function takeToken(at: Location = location, entries: History = history): string | null {
  if (!at.hash.startsWith("#sign-in=")) return null;
  const [, token] = LINK.exec(at.hash) ?? [];
  entries.replaceState(null, "", at.pathname + at.search);
  // Of a truncated link no token is read; the service then answers that it is not valid.
  return token ?? "-";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
