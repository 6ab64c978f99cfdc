// Reads which page of the studio an address names, and takes the token of a sign-in link out of the address.

export interface Route {
  readonly bot: string | null;
}

const ROOT = "/studio";
const LINK = /^#sign-in=([\w-]{1,100})$/;

export function routeAt(path: string): Route {
  const [, bot] = /^\/studio\/([^/]+)\/settings\/?$/.exec(path) ?? [];
  return { bot: bot ? decoded(bot) : null };
}

export function addressOf(route: Route): string {
  return route.bot === null ? ROOT : `${ROOT}/${encodeURIComponent(route.bot)}/settings`;
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
