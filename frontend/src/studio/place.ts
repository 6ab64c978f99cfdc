// Where in the studio one is, as the address says it; and the token of a link, which is taken out of the address at once.

export interface Place {
  readonly bot: string | null;
}

const ROOT = "/studio";
const LINK = /^#sign-in=([\w-]{1,100})$/;

export function placeAt(path: string): Place {
  const [, bot] = /^\/studio\/([^/]+)\/settings\/?$/.exec(path) ?? [];
  return { bot: bot ? decoded(bot) : null };
}

export function addressOf(place: Place): string {
  return place.bot === null ? ROOT : `${ROOT}/${encodeURIComponent(place.bot)}/settings`;
}

/** The token of a link, once: it must not stay in the address bar, in the history or in a bookmark. */
export function takeToken(at: Location = location, entries: History = history): string | null {
  if (!at.hash.startsWith("#sign-in=")) return null;
  const [, token] = LINK.exec(at.hash) ?? [];
  entries.replaceState(null, "", at.pathname + at.search);
  // A link that lost some of its end is one that does not fit: the service says so.
  return token ?? "-";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
