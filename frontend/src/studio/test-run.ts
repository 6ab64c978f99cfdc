// The run of a bot's tests as the service tells it.

import type { Api } from "./api";
import { type Files, placeOf } from "./workspace";

export interface TestRun {
  readonly suites: readonly { readonly file: string; readonly name: string; readonly scenarios: readonly Outcome[] }[];
  readonly passed: number;
  readonly failed: number;
  /** The test files that failed, with what came in place of what was expected. */
  readonly updated: Files;
}

interface Outcome {
  readonly title: string;
  readonly isPassed: boolean;
  readonly isSkipped: boolean;
  readonly lines: readonly string[];
}

/** Runs the tests of the draft as it is stored. */
export async function runTests(api: Api, bot: string): Promise<TestRun> {
  return (await api.call("POST", `${placeOf(bot)}/tests/run`, {})) as TestRun;
}
