// The calls that a feed needs, and how any call is made: a request and its answer. Tries once: sessions, waits and repeats are
// above.

import { type Message, readMessages, readTyping, type Typing } from "./wire";

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

export interface Polled extends Typing {
  readonly messages: readonly Message[];
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const ANSWER_WITHIN = 20_000;

/** What a feed asks for, and how any call is made. */
export class FeedApi {
  protected readonly server: string;
  protected readonly root: string;
  readonly #fetch: Fetch;

  constructor(place: Place, fetch: Fetch) {
    const { server, bot, channel } = place;
    this.server = server;
    this.root = `${server}/v1/bots/${encodeURIComponent(bot)}/channels/${encodeURIComponent(channel)}/web`;
    this.#fetch = fetch;
  }

  async poll(token: string, after: number, wait: number, signal: AbortSignal): Promise<Polled> {
    const answer = await this.json(`messages?after=${after}&wait=${wait}`, token, {
      signal,
      within: ANSWER_WITHIN + wait * 1000,
    });
    return { messages: readMessages((answer as { messages?: unknown } | null)?.messages), ...readTyping(answer) };
  }

  /** The body of the event stream from the message after `after` on. */
  async stream(token: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after), ...bearer(token) };
    const response = await this.#fetch(`${this.root}/events`, { ...ALONE, headers, signal });
    if (!response.ok) throw await refusal(response);
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      throw new Refusal(502, "no-stream", "Something between here and the service does not pass event streams on.");
    return response.body;
  }

  /** Sends one request with a token and gives the answer's JSON. */
  protected async json(
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
      const response = await this.#fetch(`${this.root}/${path}`, {
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

export function bearer(token: string | undefined): Record<string, string> {
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
