// What the start page of a login does by itself: it asks the window that opened it whether the login is that chat's, brings
// the answer to the service, and goes on to the provider. Where nobody answers, the login goes on with a code at its end,
// which is where the page's plain link leads too.

export const WAIT = 3000;
/** A chat page that is being loaded again is asked again. */
export const AGAIN = 1000;

/** What the page tells its script (`data-` attributes of its `main`). */
export interface StartPageData {
  challenge: string;
  /** JSON: the origins of pages that may have the chat. */
  origins: string;
  /** Where it goes on without a proof. */
  next: string;
}

export function readPageData(main: HTMLElement | null): StartPageData | null {
  const { challenge, origins, next } = main?.dataset ?? {};
  return challenge && origins && next ? { challenge, origins, next } : null;
}

/** `page`: the window of the start page. Gives the address that it has left for. */
export async function prove(page: Window, { challenge, origins, next }: StartPageData): Promise<string> {
  const opener = page.opener as Window | null;
  const proof = opener && (await asked(page, opener, challenge, JSON.parse(origins) as string[]));
  const address = (proof && (await shown(page, proof))) || next;
  // No page behind this one may lead the chat's elsewhere.
  page.opener = null;
  page.location.replace(address);
  return address;
}

/**
 * Where the question is sent. A browser hands it over only where the window shows a page of that origin, and complains of
 * every other: so one is guessed where it can be.
 */
function targets(page: Window, opener: Window, origins: string[]): string[] {
  try {
    // Readable only where it is the page's own.
    if (opener.origin === page.location.origin) return origins.filter((one) => one === page.location.origin);
  } catch {
    // A page of elsewhere, as in most shops.
  }
  const { referrer } = page.document;
  const from = URL.canParse(referrer) ? new URL(referrer).origin : "";
  return origins.includes(from) ? [from] : origins.filter((one) => one !== page.location.origin);
}

/** The proof of the window that opened this one; empty when it gives none. */
async function asked(page: Window, opener: Window, challenge: string, origins: string[]): Promise<string> {
  let hear = (_: MessageEvent): void => undefined;
  let again: ReturnType<typeof setInterval> | undefined;
  let over: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    for (const origin of targets(page, opener, origins)) opener.postMessage({ type: "dialoom:login-challenge", challenge }, origin);
  };
  try {
    return await new Promise<string>((resolve) => {
      hear = ({ data, origin, source }) => {
        if (source !== opener || !origins.includes(origin) || data?.type !== "dialoom:login-proof") return;
        if (typeof data.proof === "string") resolve(data.proof);
      };
      page.addEventListener("message", hear);
      again = setInterval(ask, AGAIN);
      over = setTimeout(() => resolve(""), WAIT);
      ask();
    });
  } finally {
    page.removeEventListener("message", hear);
    clearInterval(again);
    clearTimeout(over);
  }
}

/** Shows the service the proof; gives the provider's address, or nothing where it is refused. */
async function shown(page: Window, proof: string): Promise<string> {
  const body = JSON.stringify({ proof });
  const headers = { "content-type": "application/json" };
  try {
    const answer = await page.fetch(page.location.href, { method: "POST", headers, body, credentials: "same-origin" });
    if (!answer.ok) return "";
    const found = (await answer.json()) as { address?: unknown };
    return typeof found.address === "string" ? found.address : "";
  } catch {
    // No answer, or none that can be read: the way with the code is open.
    return "";
  }
}
