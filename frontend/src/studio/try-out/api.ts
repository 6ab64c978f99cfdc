// The try-outs of the service: what it tells of one, and the calls that play it.

import type { Message } from "../../protocol/wire";
import { type Api, placeOf } from "../api";
import type { Said } from "../events";
import type { Changes } from "../workspace";

export type Calls = "real" | "mocked" | "recorded";
/** Answers of services as conversation tests have them: address to method to body. */
export type Mocks = Readonly<Record<string, unknown>>;

/** A value that a part of the message may mean. What is left out is as if empty. */
export interface Reading {
  readonly type: string;
  readonly value: unknown;
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly takenBy?: string;
  readonly entity?: string | null;
  readonly lost?: readonly Reading[];
}

export interface Understood {
  readonly kind: "understood";
  readonly meant: string;
  readonly text?: string | null;
  readonly question?: string;
  readonly entity?: string | null;
  readonly taken?: readonly Reading[];
  readonly unused?: readonly Reading[];
  readonly reopened?: readonly string[];
}

export interface Visited {
  readonly kind: "visited";
  /** Conversation and index, "book/2". */
  readonly step: string;
  readonly outcome: string;
  readonly condition?: number | null;
  readonly conditionText?: string;
  readonly reason?: string;
  /** Where it stands in flow.json. */
  readonly path: string;
}

export interface Changed {
  readonly kind: "changed";
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly step?: string;
}

export interface Called {
  readonly kind: "called";
  readonly step: string;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number | null;
  readonly failure?: string;
  readonly milliseconds?: number | null;
}

export interface Sent {
  readonly kind: "sent";
  readonly text: string;
  readonly step: string;
  readonly path: string;
}

export type Entry = Understood | Visited | Changed | Called | Sent;

export interface Turn {
  readonly index: number;
  readonly at: string;
  readonly user: Said | null;
  readonly messages: readonly Message[];
  readonly trace: readonly Entry[];
}

export interface TryOut {
  readonly id: string;
  readonly bot: string;
  readonly on: string;
  readonly revision: string;
  readonly channel: string;
  readonly calls: Calls;
  readonly mocks: Mocks;
  /** The moment by its clock, set or not. */
  readonly now: string;
  readonly timezone: string;
  readonly language: string;
  readonly expiresAt: string;
  readonly turns: readonly Turn[];
  readonly memory: { readonly context: Readonly<Record<string, unknown>>; readonly entities: Readonly<Record<string, unknown>> };
  /** The index of the first turn whose answer a replay has changed, and what the bot said there before. */
  readonly differsAt: number | null;
  readonly before: readonly Message[] | null;
}

export interface Start {
  readonly on: string;
  readonly files?: Changes;
  readonly channel?: string;
  readonly now?: string;
  readonly timezone?: string;
  readonly calls: Calls;
  readonly mocks?: Mocks;
}

export interface Settings {
  readonly now?: string | null;
  readonly timezone?: string | null;
  readonly calls?: Calls;
  readonly mocks?: Mocks;
}

export interface TestFile {
  readonly file: string;
  readonly text: string;
  /** Why the test does not assert all that was seen. */
  readonly obstacles: readonly string[];
}

export class TryOutApi {
  constructor(
    private readonly api: Api,
    readonly bot: string,
  ) {}

  start(start: Start): Promise<TryOut> {
    return this.#call("POST", "", start);
  }

  read(id: string): Promise<TryOut> {
    return this.#call("GET", `/${id}`);
  }

  say(id: string, said: Said): Promise<TryOut> {
    return this.#call("POST", `/${id}/turns`, said);
  }

  /** Keeps the first turns. */
  rewind(id: string, to: number): Promise<TryOut> {
    return this.#call("POST", `/${id}/rewind`, { to });
  }

  replay(id: string, on: string | undefined, files: Changes): Promise<TryOut> {
    return this.#call("POST", `/${id}/replay`, { ...(on && { on }), files });
  }

  settings(id: string, settings: Settings): Promise<TryOut> {
    return this.#call("POST", `/${id}/settings`, settings);
  }

  test(id: string, title: string): Promise<TestFile> {
    return this.#call("POST", `/${id}/test`, { title });
  }

  #call<T>(method: string, path: string, body?: object): Promise<T> {
    return this.api.call(method, `${placeOf(this.bot)}/try-outs${path}`, body) as Promise<T>;
  }
}
