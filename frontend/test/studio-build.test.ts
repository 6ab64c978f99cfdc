import { CompletionContext } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { render } from "lit";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { Api } from "../src/studio/api";
import * as actions from "../src/studio/build/flow-actions";
import { FlowDocument, marksOf } from "../src/studio/build/flow-document";
import { outlineOf } from "../src/studio/build/flow-outline";
import { fieldsOf, furtherKeys } from "../src/studio/build/form-fields";
import { changeBetween, FileHistory } from "../src/studio/build/history";
import { completeJson } from "../src/studio/build/json-completion";
import { layout } from "../src/studio/build/map-layout";
import { mergedFiles, mergedText } from "../src/studio/build/merge-texts";
import { markKey } from "../src/studio/build/outline";
import { RowText } from "../src/studio/build/row-text";
import { rowWindow } from "../src/studio/build/row-window";
import { askedIn, slotsOf, slotWordAt } from "../src/studio/build/slot-names";
import { BuildTemplate } from "../src/studio/build/template-field";
import { matching, NO_NAMES, namesOf, templateWordAt } from "../src/studio/build/template-names";
import { publishActs } from "../src/studio/build/publish-acts";
import { type TypeEditEvent, UnderstandTypes } from "../src/studio/understand/types";
import { type Files, Workspace } from "../src/studio/workspace";

const FLOW = readFileSync("../examples/clinic/flow.json", "utf8");
const TRAINING = readFileSync("../examples/clinic/training.json", "utf8");
const read = (text: string | null | undefined) => JSON.parse(text ?? "null") as Record<string, any>;

describe("the history", () => {
  let now: number;
  let files: Files;
  let workspace: Workspace;
  let history: FileHistory;

  beforeEach(async () => {
    now = 0;
    files = { "flow.json": "one two three", "bot.json": "{}" };
    const draft = () => Response.json({ source: "folder", revision: "1", base: "v", files, canWriteFolder: true, folder: null, findings: [], unpublished: 0, author: null });
    workspace = new Workspace(new Api(async () => draft()));
    history = new FileHistory(workspace, () => now);
    await workspace.load("a");
  });

  const put = (text: string, group = "") => history.apply({ "flow.json": text }, group);

  test("has nothing to undo of what was loaded", () => {
    expect([history.canUndo, history.undo()]).toEqual([false, null]);
  });

  test("undoes and redoes changes of all files, and says where", () => {
    put("one 2 three");
    history.apply({ "bot.json": "{ }", "tests/a.json": "[]" });
    history.undo();
    expect(workspace.files).toEqual({ "flow.json": "one 2 three", "bot.json": "{}" });
    expect(history.undo()).toEqual({ file: "flow.json", offset: 4 });
    expect(workspace.files).toEqual(files);
    history.redo();
    history.redo();
    expect(workspace.files).toEqual({ "flow.json": "one 2 three", "bot.json": "{ }", "tests/a.json": "[]" });
    expect(history.redo()).toBeNull();
  });

  test("undoes typing without a pause at once", () => {
    for (const text of ["o", "on", "one!"]) put(text, "wording");
    now += 2000;
    put("one!?", "wording");
    history.undo();
    expect(workspace.files["flow.json"]).toBe("one!");
    history.undo();
    expect(workspace.files["flow.json"]).toBe("one two three");
  });

  test("does not join what belongs to different fields", () => {
    put("a", "wording 1");
    put("b", "wording 2");
    history.undo();
    expect(workspace.files["flow.json"]).toBe("a");
  });

  test("holds what another room changed", () => {
    workspace.set("training.json", "{}");
    history.undo();
    expect(workspace.files).toEqual(files);
  });

  test("of another bot begins anew", async () => {
    put("x");
    await workspace.load("b");
    expect(history.canUndo).toBe(false);
  });

  test("a change after an undo leaves nothing to redo", () => {
    put("x");
    history.undo();
    put("y");
    expect(history.canRedo).toBe(false);
  });

  test("finds the one stretch in which texts differ", () => {
    expect(changeBetween("aXb", "aYYb")).toEqual({ from: 1, to: 2, insert: "YY" });
    expect(changeBetween("aa", "aaa")).toEqual({ from: 2, to: 2, insert: "a" });
    expect(changeBetween("same", "same")).toEqual({ from: 4, to: 4, insert: "" });
  });
});

describe("the outline", () => {
  test("has goals first, and one line of each step", () => {
    const { conversations, entities } = outlineOf(FLOW);
    const goals = conversations.map(({ isGoal }) => isGoal);
    expect(goals).toEqual([...goals].sort((one, other) => Number(other) - Number(one)));
    const [booking] = conversations;
    expect(booking).toMatchObject({ key: "book-appointment", title: "your appointment" });
    expect(booking?.steps[0]).toMatchObject({ type: "question", entity: "specialty", conditions: ["{{$not ($has doctor)}}"] });
    expect(entities).toContain("doctor");
  });

  test("says what a step does that says nothing", () => {
    const step = (value: object) => outlineOf(JSON.stringify({ conversations: { a: { type: "goal", steps: [value] } } })).conversations[0]?.steps[0];
    expect(step({ type: "webhook", "data-source": { endpoint: "https://x.test/a?secret=1", method: "POST" } })?.text).toBe("POST x.test/a");
    expect(step({ type: "command", command: "go-to  b" })).toMatchObject({ text: "go-to  b", jump: "b" });
    expect(step({ type: "message", messages: [["One", "Two"], "Three"] })).toMatchObject({ text: "One ↵ Two", more: 1 });
  });

  test("stays at the last text that could be read", () => {
    const flow = new FlowDocument();
    flow.read(FLOW);
    const { outline } = flow;
    flow.read(FLOW.replace('"settings": {', '"settings": {,'));
    expect(flow.outline).toBe(outline);
    expect(flow.mistake?.line).toBe(2);
  });

  test("places findings on rows", () => {
    const flow = new FlowDocument();
    flow.read(FLOW);
    const finding = (path: string, level = "error") => ({ file: "flow.json", path, rule: "r", message: "m", level });
    const placed = flow.place([finding("conversations/welcome/steps/1/display/x"), finding("conversations/welcome/steps/1", "warning"), finding("settings/x")], {});
    expect(placed.map(({ row }) => row)).toEqual([{ conversation: "welcome", index: 1 }, { conversation: "welcome", index: 1 }, null]);
    expect(marksOf(placed, markKey).get(markKey({ conversation: "welcome", index: 1 }))).toMatchObject({ count: 2, isError: true });
  });

  test("draws the rows that are seen and few beside", () => {
    const { from, to } = rowWindow(5000, 34, 34 * 1000, 680);
    expect([from <= 1000, to >= 1020, to - from < 60]).toEqual([true, true, true]);
    expect(rowWindow(3, 34, 0, 680)).toEqual({ from: 0, to: 3 });
  });
});

describe("a change of the outline", () => {
  test("moves a step to a conversation that has none", () => {
    const text = '{"conversations": {"a": {"type": "goal", "steps": [{"type": "message"}]}, "b": {"type": "goal"}}}';
    const moved = read(actions.moveStep(text, { conversation: "a", index: 0 }, "b", 0));
    expect(moved["conversations"]).toEqual({ a: { type: "goal", steps: [] }, b: { type: "goal", steps: [{ type: "message" }] } });
  });

  test("renames a conversation with all that names it", () => {
    const files = { "flow.json": FLOW, "training.json": TRAINING };
    const changed = actions.renameConversation(files, "help", "aid");
    const flow = read(changed["flow.json"]);
    expect(flow["settings"].misunderstood.conversation).toBe("aid");
    expect(Object.keys(flow["conversations"])).toContain("aid");
    const renamed = actions.renameConversation(files, "cancel-appointment", "storno");
    expect(renamed["training.json"]).toBe(TRAINING.replace('"value": "cancel-appointment"', '"value": "storno"'));
    expect(renamed["flow.json"]).toContain('"go-to storno"');
    expect(actions.referencesTo({ ...files, ...(renamed as Files) }, "cancel-appointment")).toEqual([]);
  });

  test("gives a new question a name that is free", () => {
    expect(actions.newStep("question", ["answer"], "What?")).toMatchObject({ entity: "answer2" });
  });

  test("makes a key of a name", () => {
    expect([actions.keyOf("  Book a Visit! "), actions.keyOf("Größe ändern"), actions.keyOf("!")]).toEqual(["book-a-visit", "größe-ändern", ""]);
  });
});

describe("the form", () => {
  test("shows the fields of the type, rare ones where they are used", () => {
    const keys = (step: object) => fieldsOf(step as never).map(({ key }) => key);
    expect(keys({ type: "command", command: "set-entity" })).toContain("data");
    expect(keys({ type: "command", command: "logout" })).not.toContain("data");
    expect(furtherKeys({ type: "question", entity: "a", reactions: {}, "x-own": 1 })).toEqual(["reactions", "x-own"]);
  });

  test("puts the JSON of a row back as it stands in the file", () => {
    const row = new RowText();
    const path = ["conversations", "welcome", "steps", 1];
    const own = row.read(FLOW, path);
    expect(own.split("\n")[1]).toBe('  "type": "message",');
    expect(row.write(FLOW, path, own)).toBe(FLOW);
    expect(row.write(FLOW, path, own.slice(0, -1))).toBeNull();
    expect(row.read(FLOW, path)).toBe(own.slice(0, -1));
    row.forget();
    expect(row.read(FLOW, path)).toBe(own);
  });
});

describe("completion", () => {
  const helpers = [{ name: "$has", signature: "$has name", line: "" }];
  const names = namesOf(outlineOf(FLOW), TRAINING, '{"live-agents": {"desk": "x"}}', helpers, ["Text"]);

  test("in a template begins after its braces and ends with them", () => {
    expect(templateWordAt("Hi {{do", 7)).toEqual({ from: 5, word: "do" });
    expect(templateWordAt("Hi {{a}} do", 11)).toBeNull();
    expect(matching(names.templates, "doc").map(({ name }) => name)).toContain("doctor");
    expect(matching(names.templates, "$h").map(({ name }) => name)).toEqual(["$has"]);
  });

  test("in a slot begins after its brace, and knows what is found among other words", () => {
    expect(slotWordAt("with {do", 8)).toEqual({ from: 6, word: "do" });
    expect(slotWordAt("with { do", 9)).toEqual({ from: 7, word: "do" });
    for (const text of ["with {{do", "with {doctor} on", "no slot"]) expect(slotWordAt(text, text.length)).toBeNull();
    const training = '{"entity-definitions": [{"name": "City", "lookup-strategy": "keywords"}, {"name": "Mood", "lookup-strategy": "trait"}]}';
    const flow = JSON.stringify({ conversations: { a: { steps: [
      { type: "question", entity: "start", "entity-type": "City" },
      { type: "question", entity: "name", "entity-type": "Text" },
      { type: "question", entity: "mood", "entity-type": "Mood" },
      { type: "question", entity: "start", "entity-type": "Text" },
      { type: "webhook", entity: "price" },
    ] } } });
    const slots = slotsOf(askedIn(flow), training);
    expect(slots.slice(0, 3).map(({ name, detail }) => [name, detail])).toEqual([["start", "City"], ["City", ""], ["Number", ""]]);
    for (const name of ["name", "mood", "Mood", "price", "Text"]) expect(slots.map((one) => one.name)).not.toContain(name);
    expect(askedIn("{")).toEqual([]);
  });

  test("knows trained types and hand-offs", () => {
    expect(names.types).toContain("Doctor");
    expect(names.liveAgents).toEqual(["desk"]);
  });

  const schema = {
    type: "object",
    properties: { steps: { type: "array", items: { allOf: [
      { type: "object", properties: { type: { enum: ["question", "command"] } } },
      { if: { properties: { type: { const: "question" } }, required: ["type"] }, then: { $ref: "#/$defs/Question" } },
      { if: { properties: { type: { const: "command" } }, required: ["type"] }, then: { $ref: "#/$defs/Command" } },
    ] } } },
    $defs: {
      Question: { properties: { entity: { type: "string", description: "The name." }, optional: { type: "boolean" }, messages: { type: "array" } }, required: ["entity"] },
      Command: { properties: { command: { type: "string" } } },
    },
  };

  function labels(text: string, within: readonly (string | number)[] = []): string[] {
    const pos = text.indexOf("|");
    const state = EditorState.create({ doc: text.replace("|", ""), extensions: json() });
    ensureSyntaxTree(state, state.doc.length, 5000);
    const result = completeJson(new CompletionContext(state, pos, true), { schema, within, names });
    return result?.options.map(({ label }) => label) ?? [];
  }

  test("offers the keys of the step's type that it does not have", () => {
    expect(labels('{"steps": [{"type": "question", "entity": "a", |}]}')).toEqual(['"type"', '"optional"', '"messages"'].filter((key) => key !== '"type"'));
    expect(labels('{"type": "command", "|": 1}', ["steps", 0])).toEqual(['"command"']);
  });

  test("offers listed values and names of the bot", () => {
    expect(labels('{"type": "|"}', ["steps", 0])).toEqual(['"question"', '"command"']);
    expect(labels('{"type": "question", "optional": |}', ["steps", 0])).toEqual(["true", "false"]);
    expect(labels('{"type": "command", "command": "|"}', ["steps", 0])).toContain('"go-to cancel-appointment"');
    expect(labels('{"type": "question", "messages": ["Hi {{doct|"]}', ["steps", 0])).toContain("doctor");
  });

  test("offers in an expression what a slot can be for, and ends it", () => {
    expect(labels('{"data": [{"expressions": ["with {doc|"]}]}')).toEqual(["doctor", "Doctor"]);
    expect(labels('{"data": [{"expressions": ["on {Da|}"]}]}')).toEqual(["date", "Date", "Datetime"]);
    expect(labels('{"data": [{"expressions": ["on {{do|"]}]}')).not.toContain("Date");
    expect(labels('{"data": [{"synonyms": ["with {do|"]}]}')).toEqual([]);
  });

  test("of expressions ends a slot, not a template", async () => {
    if (!customElements.get("build-template")) customElements.define("build-template", BuildTemplate);
    const field = new BuildTemplate();
    field.value = "with ";
    field.slots = names.slots;
    document.body.append(field);
    await field.updateComplete;
    const area = field.renderRoot.querySelector("textarea")!;
    area.value = "with {doc";
    area.setSelectionRange(9, 9);
    area.dispatchEvent(new Event("input"));
    await field.updateComplete;
    expect([...field.renderRoot.querySelectorAll("li code")].map((one) => one.textContent)).toEqual(["doctor", "Doctor"]);
    area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    expect(field.value).toBe("with {doctor}");
    field.remove();
  });

  test("stands in Understand where expressions are written, one a line", async () => {
    for (const [name, one] of [["build-template", BuildTemplate], ["understand-types", UnderstandTypes]] as const) if (!customElements.get(name)) customElements.define(name, one);
    const types = new UnderstandTypes();
    types.type = { index: 0, name: "Conversation", kind: "trait", values: [{ value: "book", expressions: ["book it"], answers: [] }], pattern: "", isDynamic: false };
    types.slots = names.slots;
    document.body.append(types);
    await types.show("book");
    const edits: unknown[] = [];
    types.addEventListener("understand-edit", (event) => edits.push((event as TypeEditEvent).edit));
    const area = types.renderRoot.querySelector("build-template")!.shadowRoot!.querySelector("textarea")!;
    expect([area.value, area.getAttribute("aria-label")]).toEqual(["book it", "Expressions of book, one a line"]);
    area.value = "book it\nwith {doc";
    area.setSelectionRange(17, 17);
    area.dispatchEvent(new Event("input"));
    area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    expect(edits.at(-1)).toMatchObject({ kind: "expressions", index: 0, lines: ["book it", "with {doctor}"] });
    types.remove();
  });

  test("offers nothing where it knows nothing", () => {
    const state = EditorState.create({ doc: "{}", extensions: json() });
    expect(completeJson(new CompletionContext(state, 1, true), { schema: null, within: [], names: NO_NAMES })).toBeNull();
  });
});

describe("merging", () => {
  const base = "a\nb\nc\nd\ne\nf\ng\n";

  test("takes what only one side changed", () => {
    expect(mergedText(base, base.replace("b", "mine"), base.replace("f\n", "theirs\nmore\n"))).toBe("a\nmine\nc\nd\ne\ntheirs\nmore\ng\n");
    expect(mergedText(base, `top\n${base}`, base.replace("d\n", ""))).toBe("top\na\nb\nc\ne\nf\ng\n");
  });

  test("keeps mine where both changed", () => {
    expect(mergedText(base, base.replace("c", "mine"), base.replace("c", "theirs"))).toBe(base.replace("c", "mine"));
  });

  test("follows files that one side made or took away", () => {
    expect(mergedFiles({ a: "1", b: "1" }, { a: "2", b: "1", mine: "x" }, { a: "1", theirs: "y" })).toEqual({ a: "2", mine: "x", theirs: "y" });
  });

  test("at the ends of the text", () => {
    expect(mergedText("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nd\ne")).toBe("A\nb\nc\nd\ne");
  });
});

describe("the map", () => {
  const row = (jump: string | null = null, condition = "") => ({ kind: "say", text: "x", jump, isProtected: false, condition });
  const box = (key: string, isGoal: boolean, rows = [row()]) => ({ key, title: key, isGoal, rows });

  test("has goals above support, boxes apart, and arrows for jumps alone", () => {
    const drawn = layout([box("a", true, [row("s"), row("gone"), row(null, "x")]), box("b", true), box("s", false)]);
    const [a, b, s] = drawn.boxes;
    expect(a!.x).not.toBe(b!.x);
    expect(s!.y).toBeGreaterThan(a!.y + a!.height);
    expect(drawn.arrows.map(({ from, to }) => [from, to])).toEqual([["a", "s"]]);
    expect(drawn.height).toBeGreaterThan(s!.y + s!.height);
  });

  test("of no conversation is empty", () => {
    expect(layout([])).toMatchObject({ boxes: [], arrows: [] });
  });
});

describe("the button that publishes", () => {
  const shown = (unpublished: number, isChanged: boolean, errors: number): string => {
    const place = document.createElement("div");
    render(publishActs({ unpublished, isChanged, errors } as Workspace, () => undefined), place);
    const button = place.querySelector("button")!;
    return [place.querySelector("span")?.textContent ?? "", button.className.trim(), button.disabled ? "off" : "on", button.title].join(" | ");
  };

  test("is quiet where nothing differs, off while there are errors, and says how much waits", () => {
    const rule = "Changes made in the studio go live only when somebody publishes them.";
    expect(shown(0, false, 0)).toBe(" | button | on | Nothing differs from the active version.");
    expect(shown(0, true, 0)).toBe(` | button main | on | ${rule}`);
    expect(shown(1, false, 0)).toBe(`Unpublished · 1 change | button main | on | ${rule}`);
    expect(shown(3, true, 2)).toBe("Unpublished · 3 changes | button | off | Not while there are 2 errors: mend them first.");
  });
});
