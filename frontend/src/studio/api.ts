// What the studio asks of the service and what it gets: one function an endpoint, refusals as one kind of error. The
// session is a cookie that no script sees; tokens come one at a time, when they are asked for.

import { words } from "./words";

export interface Known {
  readonly id: string;
  readonly name: string;
}

export interface Visit {
  readonly role: string;
  /** The role is for those of `bots` alone, and for nothing of the whole service. */
  readonly isForNamedBots?: boolean;
  /** Of the person, as whoever invited them or the provider gave it. */
  readonly name: string;
  /** Who it is: two people may have one name. */
  readonly person: string;
  readonly expiresAt: string;
  readonly release: string;
  readonly bots: readonly Known[];
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** It stands in `bot.json`. */
  readonly isOfFile: boolean;
}

export interface Channel {
  readonly id: string;
  readonly type: string;
  readonly name: string | null;
  readonly address: string;
  readonly allowedOrigins: readonly string[];
  readonly requiresUserToken: boolean;
  readonly tokens: readonly Token[];
}

export interface Bot extends Known {
  readonly version: string;
  /** The service's own address. */
  readonly service: string;
  readonly api: string;
  readonly reference: string;
  readonly tokens: readonly Token[];
  readonly channels: readonly Channel[];
}

/** The service said no, or nothing. `message` is a sentence for people: what happened and what to do. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The whole problem document: some refusals say more in members of their own. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A wait that is shorter needs no sign. */
const TELL_AFTER = 300;
/** Milliseconds after which no answer comes any more: far above what the training of a large bot takes. */
const GIVE_UP_AFTER = 180_000;
const PLACE = "/v1/studio";

export class Api {
  /** The session is over, or there was none. */
  onover: () => void = () => undefined;
  /** Something takes long; it is done. */
  onwait: (isWaiting: boolean) => void = () => undefined;
  #fetch: Fetch;
  #open = 0;
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(fetch: Fetch = (url, init) => globalThis.fetch(url, init)) {
    this.#fetch = fetch;
  }

  async signIn(token: string): Promise<void> {
    await this.call("POST", "/sign-in", { token });
  }

  /** Returns what people call the provider at which they sign in; null where links alone let them in. */
  async provider(): Promise<string | null> {
    return ((await this.call("GET", "/sign-in/ways")) as { provider: string | null }).provider;
  }

  async signOut(): Promise<void> {
    await this.call("POST", "/sign-out", {});
  }

  async visit(): Promise<Visit> {
    return (await this.call("GET", "/session")) as Visit;
  }

  async bot(id: string): Promise<Bot> {
    return (await this.call("GET", placeOf(id))) as Bot;
  }

  async make(bot: string, name: string, scopes: readonly string[]): Promise<string> {
    const made = (await this.call("POST", `${placeOf(bot)}/tokens`, { name, scopes })) as { token: string };
    return made.token;
  }

  async show(bot: string, token: string): Promise<string> {
    const shown = (await this.call("POST", `${placeOf(bot)}/tokens/${encodeURIComponent(token)}/show`, {})) as { token: string };
    return shown.token;
  }

  async revoke(bot: string, token: string): Promise<void> {
    await this.call("POST", `${placeOf(bot)}/tokens/${encodeURIComponent(token)}/revoke`, {});
  }

  /** Asks the service. `path` follows `/v1/studio`; a body goes as JSON; `signal` ends it. Rejects with `Refused`. */
  async call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    this.#begin();
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, GIVE_UP_AFTER);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    try {
      const headers = { Accept: "application/json", ...(body !== undefined && { "Content-Type": "application/json" }) };
      const init: RequestInit = { method, headers, cache: "no-store", credentials: "same-origin", signal: ending.signal };
      if (body !== undefined) init.body = JSON.stringify(body);
      return await this.#read(await this.#fetch(PLACE + path, init).catch(unreachable));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      this.#end();
    }
  }

  async #read(response: Response): Promise<unknown> {
    if (response.status === 204) return null;
    const body: unknown = await response.json().catch(() => (response.ok ? unreachable() : null));
    if (response.ok && body) return body;
    const { code = "", detail = "" } = (body ?? {}) as { code?: string; detail?: string };
    if (response.status === 401 && code === "studio-session") this.onover();
    throw new Refused(response.status, code, detail || words.answered(response.status), (body ?? {}) as Record<string, unknown>);
  }

  #begin(): void {
    this.#open += 1;
    if (this.#open === 1) this.#late = setTimeout(() => this.onwait(true), TELL_AFTER);
  }

  #end(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    clearTimeout(this.#late);
    this.onwait(false);
  }
}

/** The path of a bot behind `/v1/studio`. */
export function placeOf(bot: string): string {
  return `/bots/${encodeURIComponent(bot)}`;
}

function unreachable(): never {
  throw new Refused(0, "unreachable", words.unreachable);
}
