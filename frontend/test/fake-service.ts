// A service in memory that speaks the web protocol through `fetch`, and a browser's surroundings that tests can break.

import { vi } from "vitest";
import type { Surroundings } from "../src/chat/chat";
import type { SendFile } from "../src/protocol/upload-request";
import { all } from "./languages";

type Body = Record<string, unknown>;

export class FakeService {
  messages: Body[] = [];
  sessions: Body[] = [];
  sent: Body[] = [];
  /** Requests of each kind, in their order. */
  calls: string[] = [];
  headers: Headers[] = [];
  language = "en";
  look: object = {};
  /** What the bot says to a talk that begins again is there before the session's answer. */
  welcomesEarly = false;
  user = "web_1";
  typing = false;
  /** The conversation that is to be rated, and what was kept of it. */
  ended = "";
  ratings: Body[] = [];
  channel = { mayErase: false, privacyUrl: "", consent: "" };
  /** The events endpoint: works, is refused by a proxy, or is held back by one. */
  streams: "pass" | "fail" | "held" = "pass";
  /** What a kind of request is answered with instead: a status, or "gone" for no connection at all. */
  broken: Partial<Record<"sessions" | "messages" | "poll" | "events" | "login" | "login-proof" | "erasure" | "rating", number | "gone">> = {};
  retryAfter = "";
  /** How every login stands, and the links that were asked about. */
  loginStatus: unknown = "open";
  looked: (string | null)[] = [];
  /** Challenges that were proved. */
  proved: unknown[] = [];
  /** Files that were taken in, and what the next ones are answered with instead. */
  files: { name: string; size: number; token: string | null }[] = [];
  uploads: number[] = [];
  /** Whether a choice is of a question that was over, so that no words belong to it. */
  isWordless = false;
  /** Whether what the user says is masked. */
  isSecret = false;
  /** Whether a new session leaves the ones before it valid, as the real service does. */
  keepsTokens = false;
  #token = 0;
  #firstToken = 0;
  #open = new Set<ReadableStreamDefaultController<Uint8Array>>();

  fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const address = new URL(url, "http://service.test");
    const last = address.pathname.split("/").at(-1) ?? "";
    const words = all[last.replace(".json", "") as keyof typeof all];
    if (address.pathname.startsWith("/static/words/")) return words ? Response.json(words) : this.#problem(404);
    const kind = last === "messages" && (init.method ?? "GET") === "GET" ? "poll" : last;
    this.calls.push(kind);
    const headers = new Headers(init.headers);
    this.headers.push(headers);
    if (init.signal?.aborted) throw init.signal.reason;
    const trouble = this.broken[kind as "poll"];
    if (trouble === "gone") throw new TypeError("Failed to fetch");
    if (trouble) return this.#problem(trouble);
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as Body) : {};
    if (kind === "sessions") return this.#session(body);
    if (!this.#isValid(headers.get("authorization") ?? "")) return this.#problem(401);
    if (kind === "poll") return this.#poll(Number(address.searchParams.get("after")));
    if (kind === "events") return this.#stream(Number(headers.get("last-event-id")), init.signal ?? null);
    if (kind === "login") {
      this.looked.push(address.searchParams.get("link"));
      return Response.json({ status: this.loginStatus });
    }
    if (kind === "login-proof") {
      this.proved.push(body.challenge);
      return Response.json({ proof: `proof of ${body.challenge}` });
    }
    if (kind === "erasure") {
      this.messages = [];
      this.expire();
      return Response.json({});
    }
    if (kind === "rating") {
      this.ratings.push(body);
      return Response.json({});
    }
    return this.#take(body);
  };

  sendFile: SendFile = async (url, { headers, body, onProgress, signal }) => {
    onProgress(0.5);
    await Promise.resolve();
    if (signal.aborted) throw signal.reason;
    const trouble = this.uploads.shift();
    if (trouble) return this.#problem(trouble);
    const name = new URL(url, "http://service.test").searchParams.get("name") ?? "";
    this.files.push({ name, size: body.size, token: headers.Authorization ?? null });
    const id = `f${this.files.length}`;
    return Response.json({ id, url: `/v1/files/${id}?e=1&s=x`, mimeType: "image/png", name, size: body.size }, { status: 201 });
  };

  /** The bot says something. */
  say(text: string, more: Body = {}): void {
    this.#add({ from: "bot", type: "text", text, ...more });
  }

  /** An event that says nothing new about messages. */
  raw(text: string): void {
    for (const stream of this.#open) stream.enqueue(new TextEncoder().encode(text));
  }

  type(on: boolean): void {
    this.typing = on;
    this.raw(`event: typing\ndata: ${JSON.stringify({ on, ...(!on && this.ended && { ended: this.ended }) })}\n\n`);
  }

  /** Ends the open streams, as a service that stops does. */
  hangUp(): void {
    for (const stream of this.#open) stream.close();
    this.#open.clear();
  }

  /** Every session known so far is no longer valid. */
  expire(): void {
    this.#token += 1;
    this.#firstToken = this.#token;
    this.hangUp();
  }

  get open(): number {
    return this.#open.size;
  }

  #isValid(authorization: string): boolean {
    const token = Number(/^Bearer token-(\d+)$/.exec(authorization)?.[1]);
    return token <= this.#token && token >= (this.keepsTokens ? this.#firstToken : this.#token);
  }

  async #session(body: Body): Promise<Response> {
    this.sessions.push(body);
    this.#token += 1;
    const answer = Response.json({
      token: `token-${this.#token}`,
      resume: `secret-${this.#token}`,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      user: { id: this.user },
      bot: { id: "b", name: "Bot", avatarUrl: null, language: this.language, look: this.look },
      channel: this.channel,
      messages: this.messages.slice(-100),
      cursor: String(this.messages.at(-1)?.position ?? 0),
      typing: this.typing,
      ...(this.ended && { ended: this.ended }),
    });
    if (body.clear && this.welcomesEarly) {
      this.say("Welcome back");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return answer;
  }

  #take(body: Body): Response {
    if (!this.sent.some((one) => one.id === body.id)) {
      this.sent.push(body);
      const files = (body.files as string[] | undefined)?.map((id) => ({ url: `/v1/files/${id}?e=1&s=x`, mimeType: "image/png", name: id }));
      const more = body.option && this.isWordless ? { type: "option", text: "" } : body.location ? { type: "location", location: body.location } : files ? { type: "file", files } : { text: this.isSecret ? "***" : (body.text ?? "chosen") };
      this.#add({ from: "user", type: "text", clientId: body.id, ...more });
    }
    return Response.json({ id: body.id }, { status: 202 });
  }

  #poll(after: number): Response {
    return Response.json({ messages: this.messages.filter((one) => Number(one.position) > after), typing: this.typing });
  }

  #stream(after: number, signal: AbortSignal | null): Response {
    if (this.streams === "fail") return this.#problem(502);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (this.streams === "held") return;
        this.#open.add(controller);
        signal?.addEventListener("abort", () => {
          if (this.#open.delete(controller)) controller.error(signal.reason);
        });
        const missed = this.messages.filter((one) => Number(one.position) > after).map(event);
        controller.enqueue(new TextEncoder().encode(`retry: 1000\n\n${missed.join("")}`));
      },
      cancel: () => undefined,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #add(message: Body): void {
    const position = Number(this.messages.at(-1)?.position ?? 0) + 1;
    const whole = { id: `m${position}`, position, createdAt: new Date().toISOString(), ...message };
    this.messages.push(whole);
    this.raw(event(whole));
  }

  #problem(status: number): Response {
    const headers = { "content-type": "application/problem+json", ...(this.retryAfter && { "retry-after": this.retryAfter }) };
    return new Response(JSON.stringify({ status, code: "trouble", detail: "Out of order." }), { status, headers });
  }
}

function event(message: Body): string {
  return `event: message\nid: ${message.position}\ndata: ${JSON.stringify(message)}\n\n`;
}

export class FakeStorage implements Storage {
  #map = new Map<string, string>();
  [name: string]: unknown;

  get length(): number {
    return this.#map.size;
  }
  clear(): void {
    this.#map.clear();
  }
  key(index: number): string | null {
    return [...this.#map.keys()][index] ?? null;
  }
  getItem(name: string): string | null {
    return this.#map.get(name) ?? null;
  }
  setItem(name: string, value: string): void {
    this.#map.set(name, value);
  }
  removeItem(name: string): void {
    this.#map.delete(name);
  }
}

export interface Around extends Surroundings {
  isConnected: boolean;
}

/** `local` is what the tabs of one browser share, `tab` what one tab keeps over a reload. */
export function around(service: FakeService, local: Storage = new FakeStorage(), tab: Storage = new FakeStorage()): Around {
  const here: Around = {
    isConnected: true,
    fetch: service.fetch,
    sendFile: service.sendFile,
    local: () => local,
    tab: () => tab,
    isOnline: () => here.isConnected,
    tabLock: () => (work) => work(),
    tabs: () => null,
  };
  return here;
}

/** Lets everything happen that needs no time to pass, then that much time. */
export async function pass(milliseconds = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await vi.advanceTimersByTimeAsync(0);
}
