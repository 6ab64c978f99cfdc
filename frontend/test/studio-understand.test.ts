import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { differenceOf } from "../src/studio/test/difference";
import type { TestRun } from "../src/studio/test-run";
import { addScenario, merged, outcomeOf, removeScenario, testFiles } from "../src/studio/test/scenarios";
import { suggestions } from "../src/studio/understand/missed";
import { addExpressions, addType, addValue, placeOfExpression, removeValue, setAnswers, setExpressions, setName, setPattern, typesOf, usesOf } from "../src/studio/understand/training";

const TRAINING = `{
  "entity-definitions": [
    { "name": "Conversation", "lookup-strategy": "trait", "data": [
      { "value": "book",   "expressions": ["book it"] },
      { "value": "cancel" }
    ] },
    { "name": "Room", "lookup-strategy": "keywords", "data": [{ "value": "Blue", "synonyms": ["azure"] }], "dynamic-data": {} },
    { "name": "Code", "lookup-strategy": "regex", "data": { "pattern": "[A-Z]+" } }
  ]
}
`;
const types = () => typesOf(TRAINING) ?? [];
const read = (text: string) => JSON.parse(text)["entity-definitions"];

test("a missed sentence may be added to what it is near, and to what its users were offered", () => {
  const offered = [
    { type: "Conversation", value: "book" },
    { type: "Faq", value: "hours" },
  ];
  const sentence = { text: "room", lastAt: "", count: 1, conversations: [], nearest: { type: "Conversation", value: "book", confidence: 0.5 }, understood: null, offered };
  expect(suggestions(sentence, true).map(({ value }) => value)).toEqual(["book", "hours"]);
  expect(suggestions({ ...sentence, offered: [] }, false)).toEqual([]);
});

describe("the training", () => {
  test("is read as types with values, whatever their kind", () => {
    expect(types().map(({ name, kind, isDynamic, pattern }) => [name, kind, isDynamic, pattern])).toEqual([
      ["Conversation", "trait", false, ""],
      ["Room", "keywords", true, ""],
      ["Code", "regex", false, "[A-Z]+"],
    ]);
    expect(types()[1]?.values).toEqual([{ value: "Blue", expressions: ["azure"], answers: [] }]);
    expect(typesOf("{")).toBeNull();
    expect(typesOf(undefined)).toEqual([]);
  });

  test("takes sentences to a value once, and leaves all else as it was written", () => {
    const added = addExpressions(TRAINING, { type: "Conversation", value: "cancel" }, ["call it off", "Call it off"]);
    expect(read(added)[0].data[1].expressions).toEqual(["call it off"]);
    expect(added).toContain('{ "value": "book",   "expressions": ["book it"] }');
    expect(addExpressions(TRAINING, { type: "Conversation", value: "book" }, ["BOOK IT"])).toBe(TRAINING);
    expect(addExpressions(TRAINING, { type: "Conversation", value: "gone" }, ["x"])).toBe(TRAINING);
    expect(placeOfExpression(typesOf(added) ?? [], "Call it off")).toEqual({ type: "Conversation", value: "cancel" });
    expect(placeOfExpression(types(), "azure")).toBeNull();
  });

  test("edits values, of words their synonyms", () => {
    const [wish, room] = types();
    if (!wish || !room) throw new Error("types");
    expect(read(setExpressions(TRAINING, room, 0, ["sky", "azure"]))[1].data[0].synonyms).toEqual(["sky", "azure"]);
    expect(read(setExpressions(TRAINING, room, 0, []))[1].data[0]).toEqual({ value: "Blue" });
    expect(read(setName(TRAINING, wish, 1, "stop"))[0].data[1].value).toBe("stop");
    expect(read(addValue(TRAINING, wish, "move"))[0].data[2]).toEqual({ value: "move" });
    const code = types()[2];
    expect(code && read(setPattern(TRAINING, code, "\\d+"))[2].data).toEqual({ pattern: "\\d+" });
    expect(read(removeValue(TRAINING, wish, 0))[0].data).toEqual([{ value: "cancel" }]);
  });

  test("takes new types, and answers to questions", () => {
    const added = addType(TRAINING, 3, "Question", "QnA");
    expect(read(added)[3]).toEqual({ name: "Question", "lookup-strategy": "QnA", data: [] });
    expect(read(addType("{}", 0, "Code", "regex"))).toEqual([{ name: "Code", "lookup-strategy": "regex", data: { pattern: "" } }]);
    const question = typesOf(added)?.[3];
    const asked = question && addValue(added, question, "parking");
    expect(question && asked && read(setAnswers(asked, question, 0, ["Behind the house."]))[3].data[0].answers).toEqual(["Behind the house."]);
  });

  test("knows the steps that ask for a type", () => {
    const uses = usesOf(readFileSync("../examples/clinic/flow.json", "utf8"));
    expect(uses.get("Date")?.[0]).toMatch(/^conversations\/[\w-]+\/steps\/\d+$/);
    expect(usesOf("{").size).toBe(0);
  });
});

describe("the scenarios", () => {
  const files = { "flow.json": "{}", "tests/b.json": "{", "tests/a.json": '{ "name": "A", "scenarios": [{ "it": "one" }, { "xit": "two" }] }' };
  const outcome = (title: string, isPassed: boolean, isSkipped = false) => ({ title, isPassed, isSkipped, seconds: 0, lines: [], steps: 1 });
  const run = (...scenarios: ReturnType<typeof outcome>[]): TestRun => ({
    suites: [{ file: "tests/a.json", name: "A", scenarios }],
    passed: scenarios.filter(({ isPassed }) => isPassed).length,
    failed: 0,
    updated: {},
  });

  test("are read from the files, also while one is broken", () => {
    const [a, b] = testFiles(files);
    expect(a?.scenarios.map(({ title, isLeftOut }) => [title, isLeftOut])).toEqual([["one", false], ["two", true]]);
    expect(files["tests/a.json"].slice(a?.scenarios[1]?.offset)).toMatch(/^\{ "xit"/);
    expect([b?.isBroken, b?.name]).toEqual([true, "tests/b.json"]);
  });

  test("are added with a title of their own, and removed, in the layout of their file", () => {
    const [a] = testFiles(files);
    if (!a) throw new Error("file");
    const { text, index } = addScenario(files["tests/a.json"], { ...a, scenarios: a.scenarios.map((one) => ({ ...one, title: "new" })) }, "new", "Hello");
    expect(index).toBe(2);
    expect(JSON.parse(text).scenarios[2]).toEqual({ it: "new 2", steps: [{ user: { text: "Hello" }, bot: [[{}]] }] });
    expect(JSON.parse(removeScenario(text, 2))).toEqual(JSON.parse(files["tests/a.json"]));
  });

  test("a run of one keeps what is known of the others", () => {
    const all = run(outcome("one", true), outcome("two", false));
    const again = merged(all, run(outcome("one", false, true), outcome("two", true)), "two");
    expect([again.passed, again.failed]).toEqual([2, 0]);
    const written = merged(again, run(outcome("one", false, true), outcome("new", false)), "new");
    expect([written.passed, written.failed, outcomeOf(written, "tests/a.json", "new")?.isPassed]).toEqual([1, 1, false]);
    expect(outcomeOf(again, "tests/a.json", "one")?.isPassed).toBe(true);
    expect(outcomeOf(run(outcome("one", false, true)), "tests/a.json", "one")).toBeUndefined();
  });
});

describe("a difference", () => {
  const shown = (...lines: string[]) => differenceOf(lines).map(({ kind, text, parts }) => [kind, text, ...parts]);

  test("is told in words, message by message", () => {
    expect(
      shown(
        "step 2, user: help",
        '  {"text": "Hello."}',
        '- {"textStartsWith": "We are", "quickReplies": ["Yes", "No"]}',
        '+ {"text": "Closed.", "image": {"url": "a.png"}}',
        'understood: {"Conversation":[{"value":{"value":"help"},"confidence":1.0,"start":0,"end":4,"text":"help"}]}',
      ),
    ).toEqual([
      ["step", "“help” (step 2)"],
      ["same", "Hello."],
      ["expected", "begins with “We are”", "Yes", "No"],
      ["came", "Closed. · image: url a.png"],
      ["understood", "", "Conversation · help"],
    ]);
  });

  test("tells what a message may be, and what happened beside messages", () => {
    expect(shown('- {"text": ["A", "B"]}', "- {}", "! no mock for GET http://x", "failed: book/2: 500", "understood: {}", "- (no alternative is given)")).toEqual([
      ["expected", "one of “A”, “B”"],
      ["expected", "any message"],
      ["problem", "no mock for GET http://x"],
      ["problem", "failed: book/2: 500"],
      ["understood", "", "nothing"],
      ["expected", "(no alternative is given)"],
    ]);
  });

  test("shows a line as it is that a mask made unreadable, and an action of a user in words", () => {
    expect(shown('- {"text": ***}', "understood: ***", 'step 1, user: {"option":"2.1"}')).toEqual([
      ["expected", '{"text": ***}'],
      ["understood", "", "***"],
      ["step", "option 2.1 (step 1)"],
    ]);
  });
});
