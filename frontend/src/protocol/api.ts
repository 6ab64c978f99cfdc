// The calls of the web protocol, each a request and its answer. Tries once: sessions, waits and repeats are above.

import type { SendFile } from "./upload-request";
import { type Content, type Kept, type Message, type Opened, type Opening, type Spots, type LoginStatus, readKept, readMessages, readOpened, readSpots } from "./wire";

export interface Place {
  /** Origin (and path) of the service, without a slash at its end; empty: where the page came from. */
  readonly server: string;
  readonly bot: string;
  readonly channel: string;
  /** The channel's token; the service's own page needs none. */
  readonly token?: string;
}

/** The service answered and refused: a problem document (RFC 9457). */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    /** Milliseconds after which to try again, when the service says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(detail);
  }

  /** Whether the same request cannot succeed soon. 401 is no such case: a new session may. A day's share that is used up
   * is: nobody should see a message on its way until midnight. */
  get isFinal(): boolean {
    if (this.code === "quota") return true;
    return this.status >= 400 && this.status < 500 && ![401, 408, 409, 425, 429].includes(this.status);
  }
}

export interface Polled {
  readonly messages: readonly Message[];
  readonly typing: boolean;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const ANSWER_WITHIN = 20_000;

export class Api {
  readonly #server: string;
  readonly #root: string;
  readonly #channelToken: string | undefined;
  readonly #fetch: Fetch;

  constructor(place: Place, fetch: Fetch) {
    const { server, bot, channel } = place;
    this.#server = server;
    this.#root = `${server}/v1/bots/${encodeURIComponent(bot)}/channels/${encodeURIComponent(channel)}/web`;
    this.#channelToken = place.token;
    this.#fetch = fetch;
  }

  async open(opening: Opening): Promise<Opened> {
    return readOpened(await this.#json("sessions", this.#channelToken, { body: opening }));
  }

  /** Merges into what the bot remembers of the user. */
  async tell(token: string, id: string, context: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#json("messages", token, { body: { id, context } });
  }

  async say(token: string, id: string, content: Content): Promise<void> {
    await this.#json("messages", token, { body: { id, ...content } });
  }

  /** Takes a file to the service. `onProgress`: 0 to 1. */
  async upload(token: string, file: File, sendFile: SendFile, onProgress: (part: number) => void, signal: AbortSignal): Promise<Kept> {
    const url = `${this.#root}/files?name=${encodeURIComponent(file.name)}`;
    const response = await sendFile(url, { headers: bearer(token), body: file, onProgress, signal });
    if (!response.ok) throw await refusal(response);
    const kept = readKept(await response.json());
    // An address without an origin is the service's own.
    return { ...kept, url: kept.url.startsWith("/") ? `${this.#server}${kept.url}` : kept.url };
  }

  /** What shows the page of a login's start that the login is this session's; refused when it is not. */
  async prove(token: string, challenge: string): Promise<string> {
    const { proof } = (await this.#json("login-proof", token, { body: { challenge } })) as { proof: string };
    return proof;
  }

  /** Where the login stands that a card asks for. A word that is new to this page leaves the card as it is. */
  async loginStatus(token: string, link: string): Promise<LoginStatus> {
    const answer = await this.#json(`login?link=${encodeURIComponent(link)}`, token, {});
    const { status } = (answer ?? {}) as { status?: unknown };
    return status === "through" || status === "over" ? status : "open";
  }

  /** Places of this name; the service asks its operator's geocoder. */
  async places(token: string, query: string): Promise<Spots> {
    return readSpots(await this.#json(`places?q=${encodeURIComponent(query)}`, token, {}));
  }

  /** Erases all that the service has of the session's user. */
  async erase(token: string): Promise<void> {
    await this.#json("erasure", token, { body: {} });
  }

  async poll(token: string, after: number, wait: number, signal: AbortSignal): Promise<Polled> {
    const answer = await this.#json(`messages?after=${after}&wait=${wait}`, token, {
      signal,
      within: ANSWER_WITHIN + wait * 1000,
    });
    const { messages, typing } = (answer ?? {}) as { messages?: unknown; typing?: unknown };
    return { messages: readMessages(messages), typing: typing === true };
  }

  /** The body of the event stream from the message after `after` on. */
  async stream(token: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after), ...bearer(token) };
    const response = await this.#fetch(`${this.#root}/events`, { ...ALONE, headers, signal });
    if (!response.ok) throw await refusal(response);
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      throw new Refusal(502, "no-stream", "Something between here and the service does not pass event streams on.");
    return response.body;
  }

  async #json(
    path: string,
    token: string | undefined,
    { body, signal, within = ANSWER_WITHIN }: { body?: unknown; signal?: AbortSignal; within?: number },
  ): Promise<unknown> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new DOMException("No answer in time.", "TimeoutError")), within);
    const stop = () => limit.abort(signal?.reason);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    try {
      const response = await this.#fetch(`${this.#root}/${path}`, {
        ...ALONE,
        method: body === undefined ? "GET" : "POST",
        headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...bearer(token) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: limit.signal,
      });
      if (!response.ok) throw await refusal(response);
      return await response.json();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}

// The session token is all that is needed: no cookie goes along, no answer is taken from a cache.
const ALONE = { credentials: "omit", cache: "no-store", redirect: "error" } as const;

function bearer(token: string | undefined): Record<string, string> {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

export async function refusal(response: Response): Promise<Refusal> {
  const seconds = Number(response.headers.get("retry-after"));
  const after = seconds > 0 ? seconds * 1000 : null;
  // A proxy's error page is no JSON; the status alone is then what is known.
  const problem = (await response.json().catch(() => null)) as { code?: unknown; detail?: unknown } | null;
  const detail = typeof problem?.detail === "string" ? problem.detail : `The service answered ${response.status}.`;
  return new Refusal(response.status, typeof problem?.code === "string" ? problem.code : "", detail, after);
}
