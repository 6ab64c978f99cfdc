// The scenarios of test files, read from their texts, and what a run says of each.

import { insertAt, removeAt } from "../build/json-edit";
import { JsonMistake, nodeAt, readTree } from "../build/json-tree";
import type { Outcome, TestRun } from "../test-run";
import type { Files } from "../workspace";

export interface Scenario {
  readonly title: string;
  /** In the list of its file. */
  readonly index: number;
  /** Left out of a run of all. */
  readonly isLeftOut: boolean;
  /** Where it begins in the text of its file. */
  readonly offset: number;
}

export interface TestFile {
  readonly file: string;
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  /** The text is no JSON at the moment. */
  readonly isBroken: boolean;
}

const FOLDER = "tests/";

/** Returns the test files in the order of their names. */
export function testFiles(files: Files): readonly TestFile[] {
  const names = Object.keys(files).filter((name) => name.startsWith(FOLDER)).sort();
  return names.map((file) => readFile(file, files[file] ?? ""));
}

function readFile(file: string, text: string): TestFile {
  try {
    const root = readTree(text);
    const { name, scenarios } = fields(JSON.parse(text));
    const titled = (Array.isArray(scenarios) ? scenarios : []).map((written: unknown, index) => {
      const { it, fit, xit } = fields(written);
      return { title: String(it ?? fit ?? xit ?? ""), index, isLeftOut: xit !== undefined, offset: nodeAt(root, ["scenarios", index])?.start ?? 0 };
    });
    return { file, name: typeof name === "string" && name ? name : file, scenarios: titled, isBroken: false };
  } catch (error) {
    if (!(error instanceof JsonMistake || error instanceof SyntaxError)) throw error;
    return { file, name: file, scenarios: [], isBroken: true };
  }
}

/** Adds a scenario at the end of a file, with a title that no other there has. Returns the text and the scenario's place. */
export function addScenario(text: string, { scenarios }: TestFile, title: string, said: string): { readonly text: string; readonly index: number } {
  let free = title;
  for (let number = 2; scenarios.some((one) => one.title === free); number += 1) free = `${title} ${number}`;
  const index = scenarios.length;
  return { text: insertAt(text, ["scenarios"], index, { it: free, steps: [{ user: { text: said }, bot: [[{}]] }] }), index };
}

export function removeScenario(text: string, index: number): string {
  return removeAt(text, ["scenarios", index]);
}

/** Returns the results of a run, with those of one scenario put into those that were there. */
export function merged(before: TestRun | null, run: TestRun, scenario: string | undefined): TestRun {
  if (scenario === undefined || before === null) return run;
  const suites = run.suites.map((suite) => {
    const known = before.suites.find(({ file }) => file === suite.file)?.scenarios ?? [];
    const scenarios = suite.scenarios.map((one) => (one.isSkipped ? (known.find(({ title }) => title === one.title) ?? one) : one));
    return { ...suite, scenarios };
  });
  const outcomes = suites.flatMap(({ scenarios }) => scenarios).filter(({ isSkipped }) => !isSkipped);
  const passed = outcomes.filter(({ isPassed }) => isPassed).length;
  return { suites, passed, failed: outcomes.length - passed, updated: run.updated };
}

export function outcomeOf(run: TestRun | null, file: string, title: string): Outcome | undefined {
  const found = run?.suites.find((suite) => suite.file === file)?.scenarios.find((one) => one.title === title);
  return found?.isSkipped ? undefined : found;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
