// What the studio does where the service answers late: after the next press, after more was typed, after another bot was opened.

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Api } from "../src/studio/api";
import { type Question, StudioAsk } from "../src/studio/ask";
import type { BuildRoom } from "../src/studio/build/build-room";
import type { StudioFilter } from "../src/studio/conversations/filter-bar";
import { ALL } from "../src/studio/conversations/filter";
import type { StudioNewToken } from "../src/studio/operate/new-token";
import { load } from "../src/studio/rooms";
import { saveOrMerge } from "../src/studio/save-or-merge";
import { Talk } from "../src/studio/try-out/talk";
import type { StudioTryOut } from "../src/studio/try-out/try-out";
import { StudioUnsaved } from "../src/studio/unsaved";
import { Workspace } from "../src/studio/workspace";

type Held = { call: string; body: any; answer: (body: unknown, status?: number) => Promise<void> };

let held: Held[];
let calls: string[];
/** Answers at once; a call that is not here waits until the test answers it. */
let answers: Record<string, unknown>;
let api: Api;
let workspace: Workspace;

const settle = (milliseconds = 10) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const draft = (revision: string, files: object) => ({ source: "folder", revision, base: "v", files, canWriteFolder: true, folder: "/b", findings: [], author: null });
const waiting = (call: string) => held.filter((one) => one.call === call);

beforeAll(async () => {
  if (!customElements.get("studio-ask")) customElements.define("studio-ask", StudioAsk);
  if (!customElements.get("studio-unsaved")) customElements.define("studio-unsaved", StudioUnsaved);
  await Promise.all(["build", "test", "conversations", "hand-off", "people", "try-out", "operate", "understand"].map(load)).then((names) => names);
});

beforeEach(() => {
  held = [];
  calls = [];
  answers = { "GET a/draft": draft("1", { "flow.json": "[]" }), "GET b/draft": draft("1", { "flow.json": "{}" }), "POST a/draft/check": { findings: [] }, "POST b/draft/check": { findings: [] } };
  api = new Api((url, init) => {
    const call = `${init.method} ${url.replace(/^\/v1\/studio\/(bots\/)?/, "")}`;
    calls.push(call);
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    if (call in answers) return Promise.resolve(Response.json(answers[call]));
    return new Promise((resolve) => {
      const answer = async (given: unknown, status = 200) => {
        resolve(given === null ? new Response(null, { status: 204 }) : Response.json(given, { status }));
        await settle();
      };
      held.push({ call, body, answer });
    });
  });
  workspace = new Workspace(api);
});

afterEach(() => document.body.replaceChildren());

function put<Kind extends HTMLElement>(name: string, properties: object): Kind {
  const element = document.createElement(name) as Kind;
  Object.assign(element, properties);
  document.body.append(element);
  return element;
}

function all(root: Element, selector: string): HTMLElement[] {
  const inside = [...root.shadowRoot!.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? all(one, selector) : []));
  return [...root.shadowRoot!.querySelectorAll<HTMLElement>(selector), ...inside];
}

function button(root: Element, name: string | RegExp): HTMLElement {
  const named = all(root, "button").filter((one) => (typeof name === "string" ? one.textContent?.trim() === name : name.test(one.textContent ?? "")));
  expect(named.length, `button ${name}`).toBeGreaterThan(0);
  return named[0]!;
}

// -- the files

test("what is typed while the files are loaded again stays, over what came", async () => {
  await workspace.load("a");
  delete answers["GET a/draft"];
  const again = workspace.load("a", true);
  workspace.set("flow.json", "[1]");
  await waiting("GET a/draft")[0]!.answer(draft("2", { "flow.json": "[]", "bot.json": "{}" }));
  await again;
  expect(workspace.files).toEqual({ "flow.json": "[1]", "bot.json": "{}" });
  expect(workspace.changed()).toEqual({ "flow.json": "[1]" });
  expect(workspace.revision).toBe("2");
});

test("files that are out of date are not loaded over those of another bot that was opened meanwhile", async () => {
  await workspace.load("a");
  await workspace.load("b");
  workspace.set("flow.json", "[1]");
  await workspace.load("a", true);
  expect([workspace.bot, workspace.files["flow.json"]]).toEqual(["b", "[1]"]);
});

test("where somebody else changed the file that is typed in, the next save meets their change", async () => {
  await workspace.load("a");
  delete answers["GET a/draft"];
  const again = workspace.load("a", true);
  workspace.set("flow.json", "[1]");
  await waiting("GET a/draft")[0]!.answer(draft("2", { "flow.json": "[2]" }));
  await again;
  expect(workspace.files).toEqual({ "flow.json": "[1]" });
  expect(workspace.revision).toBe("1");
});

test("what was asked for before a save does not take its place", async () => {
  await workspace.load("a");
  delete answers["GET a/draft"];
  answers["PUT a/draft"] = { revision: "2", findings: [] };
  const again = workspace.load("a", true);
  workspace.set("flow.json", "[1]");
  await workspace.save();
  await waiting("GET a/draft")[0]!.answer(draft("1", { "flow.json": "[]" }));
  await again;
  expect([workspace.files["flow.json"], workspace.revision]).toEqual(["[1]", "2"]);
});

test("a save that is pressed twice saves once", async () => {
  await workspace.load("a");
  workspace.set("flow.json", "[1]");
  const unsaved = put<StudioUnsaved>("studio-unsaved", {});
  const answered = unsaved.ask("A", workspace);
  await settle();
  button(unsaved, "Save them").click();
  button(unsaved, "Save them").click();
  await settle();
  expect(waiting("PUT a/draft")).toHaveLength(1);
  await waiting("PUT a/draft")[0]!.answer({ revision: "2", findings: [] });
  expect(await answered).toBe(true);
});

test("a save beside one that goes on takes what was typed since, on the new revision", async () => {
  await workspace.load("a");
  workspace.set("flow.json", "[1]");
  const place = document.createElement("div");
  const first = saveOrMerge(workspace, place);
  workspace.set("flow.json", "[2]");
  const second = saveOrMerge(workspace, place);
  await settle();
  expect(waiting("PUT a/draft")).toHaveLength(1);
  await waiting("PUT a/draft")[0]!.answer({ revision: "2", findings: [] });
  expect(waiting("PUT a/draft")[1]?.body).toEqual({ revision: "2", files: { "flow.json": "[2]" } });
  await waiting("PUT a/draft")[1]!.answer({ revision: "3", findings: [] });
  expect(await Promise.all([first, second])).toEqual([true, true]);
});

async function building(): Promise<BuildRoom> {
  const finding = { file: "flow.json", path: "", rule: "r", message: "Wrong.", isFixable: true };
  answers["GET a/draft"] = { ...draft("1", { "flow.json": '{"conversations": {}}' }), findings: [finding] };
  Object.assign(answers, { "GET schema": {}, "GET words": { helpers: [], entityTypes: [] } });
  const room = put<BuildRoom>("studio-build", { api, workspace, bot: "a", route: { bot: "a", room: "build", query: "" } });
  await settle(30);
  void (room as unknown as { fix(number: number): Promise<void> }).fix(0);
  await settle();
  return room;
}

test("a fix that comes after another bot was opened changes nothing there", async () => {
  const room = await building();
  room.bot = "b";
  await settle();
  await waiting("POST a/draft/fix")[0]!.answer({ files: { "flow.json": '{"conversations": {"a": {}}}' } });
  expect(workspace.files).toEqual({ "flow.json": "{}" });
});

test("a fix does not take back what was typed while it was made", async () => {
  await building();
  workspace.set("flow.json", '{"conversations": {"typed": {}}}');
  await waiting("POST a/draft/fix")[0]!.answer({ files: { "flow.json": '{"conversations": {"fixed": {}}}' } });
  expect(workspace.files["flow.json"]).toContain("typed");
});

// -- tests

test("a run of tests on files that were changed meanwhile is out of date, and puts no replies into them", async () => {
  const text = '{\n  "name": "T",\n  "scenarios": [{"it": "one", "steps": []}]\n}\n';
  answers["GET a/draft"] = draft("1", { "flow.json": '{"conversations": {}}', "tests/a.json": text });
  Object.assign(answers, { "GET schema": {}, "GET words": { helpers: [], entityTypes: [] } });
  const room = put("studio-test", { api, workspace, bot: "a", route: { bot: "a", room: "test", query: "" } });
  await settle(30);
  button(room, /Run all/).click();
  await settle();
  workspace.set("tests/a.json", text.replace('"T"', '"Typed"'));
  await settle();
  const one = { title: "one", isPassed: false, isSkipped: false, seconds: 1, lines: ["! no"], steps: 1 };
  await waiting("POST a/tests/run")[0]!.answer({ suites: [{ file: "tests/a.json", name: "T", scenarios: [one] }], passed: 0, failed: 1, updated: { "tests/a.json": text } });
  await settle(30);
  expect(all(room, "[role=status]")[0]?.textContent).toContain("changed since");
  expect(all(room, ".accept")).toHaveLength(0);
});

test("a test of a talk that comes after another bot was opened is no file of that bot", async () => {
  const talk = new Talk(api, workspace, "a", () => ({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined }) as unknown as Storage);
  answers["POST a/try-outs"] = { id: "t", bot: "a", on: "draft", channel: "web", calls: "real", mocks: {}, now: new Date().toISOString(), timezone: "UTC", language: "en", turns: [], waiting: [], asks: null, memory: {}, differsAt: null, before: null };
  await talk.open();
  const made = talk.test("one");
  await settle();
  await workspace.load("b");
  await waiting("POST a/try-outs/t/test")[0]!.answer({ file: "tests/one.json", text: "{}", obstacles: [] });
  await made;
  expect(workspace.changed()).toEqual({});
  talk.stop();
});

test("a talk that is opened twice is played once", async () => {
  const state = { id: "t", bot: "a", on: "draft", channel: "web", calls: "real", mocks: {}, now: new Date().toISOString(), timezone: "UTC", language: "en", turns: [], waiting: [], asks: null, memory: {}, differsAt: null, before: null };
  Object.assign(answers, { "POST a/try-outs": state, "GET a/versions": [], "POST a/try-outs/t/turns": state });
  const pane = put<StudioTryOut>("studio-try-out", { api, workspace, bot: "a", visit: { bots: [{ id: "a", name: "A" }] } });
  await settle(40);
  calls = [];
  const turns = [{ text: "one" }, { text: "two" }];
  await Promise.all([pane.open({ turns }), pane.open({ turns })]);
  const last = calls.lastIndexOf("POST a/try-outs");
  expect(calls.slice(last + 1).filter((call) => call.endsWith("/turns"))).toHaveLength(2);
});

// -- questions

const question = (run: () => Promise<unknown>): Question => ({ title: "Sure?", help: "", act: "Do it", stay: "Keep", isGrave: true, run });

test("the outcome of what was begun before is no answer to the next question", async () => {
  const ask = put<StudioAsk>("studio-ask", {});
  await ask.updateComplete;
  let finish: () => void = () => undefined;
  const first = ask.ask(question(() => new Promise<void>((done) => (finish = done))));
  await settle();
  button(ask, "Do it").click();
  await settle();
  button(ask, "Keep").click();
  await settle();
  const answered = vi.fn();
  const run = vi.fn(async () => undefined);
  void ask.ask(question(run)).then(answered);
  await settle();
  finish();
  await settle();
  expect(await first, "it was done after all").toBe(true);
  expect(answered).not.toHaveBeenCalled();
  expect(all(ask, "dialog")[0]?.hasAttribute("open")).toBe(true);
});

test("a failure of what goes on behind a closed question is told", async () => {
  const ask = put<StudioAsk>("studio-ask", {});
  await ask.updateComplete;
  const notice = vi.fn();
  ask.addEventListener("studio-notice", (event) => notice((event as unknown as { text: string }).text));
  let fail: (error: Error) => void = () => undefined;
  const first = ask.ask(question(() => new Promise((_, reject) => (fail = reject))));
  await settle();
  button(ask, "Do it").click();
  button(ask, "Keep").click();
  await settle();
  fail(new Error("No."));
  expect(await first).toBe(false);
  expect(notice).toHaveBeenCalledWith("No.");
});

test("a token that was made behind a closed form is not shown in the next one, and does not stay", async () => {
  const form = put<StudioNewToken>("studio-new-token", { api, bot: "a" });
  await form.updateComplete;
  const made = vi.fn();
  form.addEventListener("studio-made", made);
  form.open();
  await settle();
  const field = all(form, "input")[0] as HTMLInputElement;
  field.value = "reports";
  field.dispatchEvent(new Event("input"));
  await settle();
  all(form, "form")[0]!.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  button(form, "Cancel").click();
  await settle();
  form.open();
  await waiting("POST a/tokens")[0]!.answer({ token: "dlm_secret" });
  expect(form.shadowRoot!.textContent).not.toContain("dlm_secret");
  expect(made).toHaveBeenCalledTimes(1);
});

test("who is erased behind a closed question is gone from the list, and the next question is of another user", async () => {
  const dialog = put<HTMLElement & { open(row: object): void; updateComplete: Promise<unknown> }>("studio-erase-user", { api, bot: "a" });
  await dialog.updateComplete;
  const erased = vi.fn();
  dialog.addEventListener("studio-erased", (event) => erased((event as unknown as { user: string }).user));
  dialog.open({ User: "ann", Channel: "web", Data: {} });
  await settle();
  button(dialog, /^Erase/).click();
  await settle();
  button(dialog, "Keep").click();
  await settle();
  dialog.open({ User: "bob", Channel: "web", Data: {} });
  await waiting("POST a/users/ann/erase")[0]!.answer({ user: "ann", channel: "web", erasedAt: "2026-11-20T08:00:00Z", log: "off", conversations: 1, messages: 1, files: 0, deliveries: 0, memory: true, tryOuts: 0, copies: [] });
  expect(erased.mock.calls).toEqual([["ann"]]);
  expect(dialog.shadowRoot!.textContent).toContain("bob");
});

test("a link is for all bots, or for those that are chosen", async () => {
  const bots = [{ id: "a", name: "A" }, { id: "b", name: "B" }];
  const room = put("studio-people", { api, visit: { role: "administrator", bots } });
  await settle();
  await waiting("GET people")[0]!.answer({ sessions: [] });
  await waiting("GET audit")[0]!.answer({ deeds: [], before: null });
  const field = all(room, "input[type=text]")[0] as HTMLInputElement;
  field.value = "Grace";
  field.dispatchEvent(new InputEvent("input"));
  await settle();
  const make = () => all(room, "button.main")[0] as HTMLButtonElement;
  (all(room, "input[type=radio]")[1] as HTMLInputElement).click();
  await settle();
  expect(make().disabled).toBe(true);
  (all(room, "input[type=checkbox]")[1] as HTMLInputElement).click();
  await settle();
  make().click();
  await settle();
  expect(waiting("POST people/links")[0]!.body).toEqual({ name: "Grace", role: "developer", bots: ["b"] });
  await waiting("POST people/links")[0]!.answer({ link: "https://x.example/studio#sign-in=a" }, 201);
  expect((all(room, "input[type=radio]")[0] as HTMLInputElement).checked).toBe(true);
});

// -- lists

test("older deeds that are asked for twice stand in the log once", async () => {
  const deed = (what: string) => ({ at: "2026-11-20T08:00:00Z", who: "Ada", what, about: "", bot: "a", access: [] });
  const room = put("studio-people", { api });
  await settle();
  await waiting("GET people")[0]!.answer({ sessions: [] });
  await waiting("GET audit")[0]!.answer({ deeds: [deed("one")], before: "1" });
  held = [];
  const more = all(room, "button.more")[0]!;
  more.click();
  more.click();
  await settle();
  for (const one of held) await one.answer({ deeds: [deed("two")], before: null });
  expect(room.shadowRoot!.textContent!.match(/two/g)).toHaveLength(1);
});

test("a query that is being written stays when the answer of the last filter comes", async () => {
  const bar = put<StudioFilter>("studio-filter", { choice: ALL, query: {} });
  await bar.updateComplete;
  button(bar, /Query|query/).click();
  await bar.updateComplete;
  const area = () => all(bar, "textarea")[0] as HTMLTextAreaElement;
  area().value = '{"Errors": 1}';
  area().dispatchEvent(new Event("input"));
  await bar.updateComplete;
  bar.query = { Channel: "web" };
  await bar.updateComplete;
  expect(area().value).toBe('{"Errors": 1}');
  button(bar, "Apply").click();
  bar.query = { Errors: 1 };
  await bar.updateComplete;
  expect(area().value).toContain('"Errors": 1');
  expect((button(bar, "Apply") as HTMLButtonElement).disabled).toBe(true);
});

// -- hand-off

const handOff = (id: string, more: object = {}) => ({ id, queue: "q", channel: "web", provider: "", user: id, userName: id, conversation: "c", since: "2026-11-20T08:00:00Z", until: "2026-11-20T09:00:00Z", person: { id: "me", name: "Me" }, lastText: "", lastAt: "2026-11-20T08:00:00Z", isLastOfUser: true, heard: 1, ...more });
const chatOf = (id: string, more: object = {}) => ({ handOff: handOff(id, more), notes: [], messages: [], next: 1, memory: {} });

async function handingOff(): Promise<HTMLElement> {
  const list = { now: "2026-11-20T08:00:10Z", queues: ["q"], handOffs: [handOff("x"), handOff("y")] };
  Object.assign(answers, { "GET session": { role: "agent", name: "Me", person: "me", bots: [] }, "GET a/hand-offs": list });
  for (const id of ["x", "y"]) for (const after of [0, 1]) answers[`GET a/hand-offs/${id}?after=${after}`] = chatOf(id);
  const room = put("studio-hand-off", { api, bot: "a" });
  await settle(20);
  await choose(room, "x");
  return room;
}

async function choose(room: HTMLElement, id: string): Promise<void> {
  all(room, `.row[data-id=${id}]`)[0]!.click();
  await settle(20);
}

function type(field: HTMLElement | undefined, text: string): void {
  (field as HTMLTextAreaElement).value = text;
  field!.dispatchEvent(new Event("input", { bubbles: true }));
}

test("giving a chat back closes that chat alone", async () => {
  const room = await handingOff();
  button(room, /Give back/).click();
  await settle();
  await choose(room, "y");
  await waiting("POST a/hand-offs/x")[0]!.answer({});
  expect(all(room, ".bar .name")[0]?.textContent).toBe("y");
});

test("what is typed into a note while another is sent stays, and a note that is not sent waits in its chat", async () => {
  const room = await handingOff();
  const note = () => all(room, "textarea[name=note]")[0] as HTMLTextAreaElement;
  type(note(), "one");
  all(room, ".about form")[0]!.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  type(note(), "one and more");
  await waiting("POST a/hand-offs/x")[0]!.answer({});
  expect(note().value).toBe("one and more");
  await choose(room, "y");
  expect(note().value).toBe("");
  await choose(room, "x");
  expect(note().value).toBe("one and more");
});

test("an answer that is not sent waits while the person looks into another room", async () => {
  const room = await handingOff();
  type(all(room, ".write textarea")[0], "Dear x");
  room.remove();
  const again = await handingOff();
  expect((all(again, ".write textarea")[0] as HTMLTextAreaElement).value).toBe("Dear x");
});

test("what was asked for first does not take the place of what was asked for later", async () => {
  const room = await handingOff();
  delete answers["GET a/hand-offs/x?after=1"];
  await choose(room, "x");
  await choose(room, "x");
  const [early, late] = waiting("GET a/hand-offs/x?after=1");
  await late!.answer(chatOf("x"));
  await early!.answer(chatOf("x", { person: null }));
  expect(all(room, ".write textarea")).toHaveLength(1);
});

// -- understand

test("a sentence that is tried is forgotten with its bot", async () => {
  await workspace.load("a");
  const field = put<HTMLElement & { bot: string; found: unknown }>("understand-try", { api, workspace, bot: "a", files: workspace.files });
  await settle();
  type(all(field, "input")[0], "hello");
  await settle(700);
  field.bot = "b";
  await settle();
  await waiting("POST a/understanding/try")[0]!.answer({ candidates: [], threshold: 0.5, margin: 0.1, seenAs: "" });
  expect(field.found).toBeNull();
});
