// The run of a bot's tests as the service tells it.

import { type Api, placeOf } from "./api";
import type { Changes, Files } from "./workspace";

export interface TestRun {
  readonly suites: readonly { readonly file: string; readonly name: string; readonly scenarios: readonly Outcome[] }[];
  readonly passed: number;
  readonly failed: number;
  /** The test files that failed, with what came in place of what was expected. */
  readonly updated: Files;
}

export interface Outcome {
  readonly title: string;
  readonly isPassed: boolean;
  readonly isSkipped: boolean;
  readonly seconds: number;
  readonly lines: readonly string[];
  /** Steps that were played. */
  readonly steps: number;
}

/** Runs the tests of the draft, with `files` as they are typed: all scenarios, or those of one title. */
export async function runTests(api: Api, bot: string, files?: Changes, scenario?: string): Promise<TestRun> {
  return (await api.call("POST", `${placeOf(bot)}/tests/run`, { files, scenario })) as TestRun;
}
