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
  /** What the user is asked about: "Did you mean ...?". */
  readonly offered?: readonly Reading[];
  readonly unused?: readonly Reading[];
  readonly reopened?: readonly string[];
  /** The row of the decision table that took the message. */
  readonly row?: string;
  readonly refused?: readonly { readonly kind: string; readonly what: string; readonly by: string }[];
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

/** A turn that is not played yet. `user`: empty where nobody knows what of it is a secret. */
export interface Waiting {
  readonly user: Said;
}

/** The call that would write, at which the talk has stopped; masked. */
export interface Asks {
  /** The first turn that waits. */
  readonly turn: number;
  /** Names the call in a decision about it. */
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly body: string;
  /** Why nobody knows what came of it, where it was made before. */
  readonly tried: string;
}

/** The call is sent, once; with an answer it is not sent, and has that one. */
export interface Decision {
  readonly call: string;
  readonly answer?: unknown;
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
  readonly waiting: readonly Waiting[];
  /** Why those wait; null where they broke off. */
  readonly asks: Asks | null;
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
  /** The conversation whose turns are played: the try-out goes when its user is erased. */
  readonly conversation?: string;
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

  read(id: string, signal?: AbortSignal): Promise<TryOut> {
    return this.#call("GET", `/${id}`, undefined, signal);
  }

  say(shown: TryOut, said: Said): Promise<TryOut> {
    return this.#act(shown, "turns", said);
  }

  /** Keeps the first turns. */
  rewind(shown: TryOut, to: number): Promise<TryOut> {
    return this.#act(shown, "rewind", { to });
  }

  replay(shown: TryOut, on: string | undefined, files: Changes, decision?: Decision): Promise<TryOut> {
    return this.#act(shown, "replay", { ...(on && { on }), files, ...(decision && { decision }) });
  }

  settings(shown: TryOut, settings: Settings): Promise<TryOut> {
    return this.#act(shown, "settings", settings);
  }

  test(id: string, title: string): Promise<TestFile> {
    return this.#call("POST", `/${id}/test`, { title });
  }

  /** Does something to the try-out as it is shown: another tab that was faster is not overruled. */
  #act({ id, revision }: TryOut, what: string, wish: object): Promise<TryOut> {
    return this.#call("POST", `/${id}/${what}`, { ...wish, revision });
  }

  #call<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
    return this.api.call(method, `${placeOf(this.bot)}/try-outs${path}`, body, signal) as Promise<T>;
  }
}
