// Which addresses out of a bot's text the page may lead to or load. Everything else stays text.

const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);

/** The address to lead to, or null. */
export function linkTarget(address: string, base: string = document.baseURI): string | null {
  const url = parse(address, base);
  return url && LINKS.has(url.protocol) ? url.href : null;
}

/** Schemes of apps that a chat is in: only the service leads there, no text of a bot. */
const CHATS = new Set(["http:", "https:", "viber:"]);

/** The address of the chat that a page was reached from, or null. */
export function chatTarget(address: string): string | null {
  const url = parse(address, "about:blank");
  return url && CHATS.has(url.protocol) ? url.href : null;
}

/** Names of the reader's own machine. */
const HERE = new Set(["127.0.0.1", "localhost"]);

/**
 * Images are loaded over https or from the page's own origin: anything else would be a request that gives the reader away.
 * A page of this machine, where a bot is tried out, also shows those of other services of this machine.
 */
export function imageSource(address: string | null | undefined, base: string = document.baseURI): string | null {
  const url = address ? parse(address, base) : null;
  if (!url) return null;
  const own = new URL(base);
  const isHere = url.protocol === "http:" && HERE.has(url.hostname) && HERE.has(own.hostname);
  return url.protocol === "https:" || url.origin === own.origin || isHere ? url.href : null;
}

function parse(address: string, base: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}
