// What Understand asks of the service.

import { type Api, placeOf, Refused } from "../api";
import type { Changes } from "../workspace";

export type Standing = "understood" | "covered" | "unsure" | "too-close" | "behind";

export interface Candidate {
  readonly type: string;
  readonly value: unknown;
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly standing: Standing;
  readonly lostTo: readonly [type: string, value: unknown] | null;
  readonly isAsked: boolean;
}

export interface Readings {
  readonly candidates: readonly Candidate[];
  readonly threshold: number;
  readonly margin: number;
  /** The text as it is compared with expressions, with slots in place of values; empty where it has none. */
  readonly seenAs: string;
}

export interface Sense {
  readonly type: string;
  readonly value: string;
  readonly confidence: number;
}

export interface Sentence {
  readonly text: string;
  readonly lastAt: string;
  readonly count: number;
  readonly conversations: readonly string[];
  readonly nearest: Sense | null;
  readonly understood: Sense | null;
  /** What users were asked about: "Did you mean ...?". */
  readonly offered: readonly { readonly type: string; readonly value: string }[];
}

export interface Group {
  readonly type: string | null;
  readonly value: string | null;
  readonly count: number;
  readonly sentences: readonly Sentence[];
}

export interface Missed {
  readonly since: string;
  readonly messages: number;
  readonly isCut: boolean;
  readonly groups: readonly Group[];
}

export interface Turned {
  readonly file: string;
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Effect {
  readonly red: readonly Turned[];
  readonly green: readonly Turned[];
  readonly passed: number;
  readonly failed: number;
  readonly sentences: readonly { readonly text: string; readonly count: number; readonly before: Sense | null; readonly after: Sense | null }[];
}

export interface ValueReport {
  readonly type: string;
  readonly value: string;
  readonly expressions: number;
  readonly tried: number;
  readonly right: number;
  readonly understood: number;
  readonly confused: readonly { readonly type: string; readonly value: string; readonly sentences: readonly string[] }[];
}

export interface ReportGroup {
  readonly types: readonly string[];
  readonly understood: number | null;
  readonly isGood: boolean;
  readonly extend: readonly string[];
  readonly values: readonly ValueReport[];
}

export interface Advice {
  readonly problem: string;
  readonly message: string;
  readonly values: readonly string[];
  readonly sentences: readonly string[];
}

export interface Report {
  readonly good: number;
  readonly groups: readonly ReportGroup[];
  readonly advice: readonly Advice[];
}

/** A large bot is trained for minutes: the service then says so, and is asked again. */
const ASK_AGAIN_MS = 5000;

/** The calls of Understand. `signal` ends them, also in the service: what is asked for next makes the answer useless. */
export class Understanding {
  readonly #api: Api;
  readonly #place: string;
  readonly #signal: AbortSignal;

  constructor(api: Api, bot: string, signal: AbortSignal) {
    this.#api = api;
    this.#place = `${placeOf(bot)}/understanding`;
    this.#signal = signal;
  }

  tryText(text: string, files: Changes): Promise<Readings> {
    return this.#ask("POST", "try", { text, files }) as Promise<Readings>;
  }

  report(files: Changes): Promise<Report> {
    return this.#ask("POST", "report", { files }) as Promise<Report>;
  }

  effect(files: Changes, from: string): Promise<Effect> {
    return this.#ask("POST", "effect", { files, from }) as Promise<Effect>;
  }

  missed(from: string): Promise<Missed> {
    return this.#ask("GET", `missed?${new URLSearchParams({ from })}`) as Promise<Missed>;
  }

  async #ask(method: string, what: string, body?: unknown): Promise<unknown> {
    for (;;) {
      try {
        return await this.#api.call(method, `${this.#place}/${what}`, body, this.#signal);
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== "try-out-training" || this.#signal.aborted) throw error;
        await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
      }
    }
  }
}
