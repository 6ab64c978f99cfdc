// Which addresses out of a bot's text the page may lead to or load. Everything else stays text.

const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);

/** The address to lead to, or null. */
export function linkTarget(address: string, base: string = document.baseURI): string | null {
  const url = parse(address, base);
  return url && LINKS.has(url.protocol) ? url.href : null;
}

/** Images are loaded over https or from the page's own origin: anything else would be a request that gives the reader away. */
export function imageSource(address: string | null | undefined, base: string = document.baseURI): string | null {
  const url = address ? parse(address, base) : null;
  if (!url) return null;
  return url.protocol === "https:" || url.origin === new URL(base).origin ? url.href : null;
}

function parse(address: string, base: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}
