import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Api } from "../src/studio/api";
import { OpenPathEvent } from "../src/studio/events";
import { outlineOf } from "../src/studio/outline";
import { load } from "../src/studio/rooms";
import { connection, turnOf } from "../src/studio/try-out/connection";
import { botOf, channelsOf, mocksOf } from "../src/studio/try-out/bot-file";
import { Talk } from "../src/studio/try-out/talk";
import type { StudioTryOut } from "../src/studio/try-out/try-out";
import { visitsOf } from "../src/studio/try-out/why";
import { Workspace } from "../src/studio/workspace";

type Body = Record<string, unknown>;
interface Turn {
  index: number;
  user: Body | null;
  messages: object[];
  trace: object[];
}

const flow = { conversations: { cake: { type: "goal", steps: [{ type: "question", entity: "cake", messages: ["Which cake?"] }, { type: "message", messages: ["Done."] }] } } };
const files = { "bot.json": JSON.stringify({ id: "tea", name: "Tea", language: "en" }), "flow.json": JSON.stringify(flow), "tests/a.json": JSON.stringify({ parameters: { host: "https://x.test" }, mocks: { "{{host}}": { GET: "{{other}}" } } }) };

let asked: { call: string; body: Body }[];
let turns: Turn[];
let refuse: ((call: string) => Response | undefined) | null;
let answer: (said: string) => string;
let state: Body;
/** The text whose turn would write: the talk stops at it. */
let writes: string | null;
let pane: StudioTryOut | null;
const talks: Talk[] = [];
let workspace: Workspace;
let api: Api;

/** A service with one try-out of a bot that answers each message by `answer`. */
function serve(call: string, body: Body): Response {
  const at = (position: number, from: string, text: string) => ({ id: `m${position}`, position, from, type: "text", text, createdAt: "2026-11-21T10:00:00Z", replies: [] });
  const play = (said: Body[]) =>
    said.map((user, index) => {
      const text = String(user.text);
      const trace = [
        ...(text === "something sweet" ? [{ kind: "understood", meant: "offer", text, offered: [{ type: "Conversation", value: { value: "cake" }, confidence: 0.52, start: 0, end: 15, text }] }] : []),
        { kind: "understood", meant: "value", question: "cake/0", taken: [{ type: "Cake", value: text, confidence: 0.92, start: 0, end: 4, text, takenBy: "cake/0", lost: [{ type: "Name", value: text, confidence: 0.4, start: 0, end: 4, text }] }] },
        { kind: "changed", name: "cake", before: null, after: text },
        { kind: "visited", step: "cake/0", outcome: "has-value", path: "conversations/cake/steps/0" },
        { kind: "visited", step: "cake/1", outcome: "condition-false", condition: 0, conditionText: "{{$eq cake 'plum'}}", path: "conversations/cake/steps/1/conditions/0" },
        { kind: "called", step: "cake/1", method: "POST", url: "https://x.test/", ...(text === "stock" ? { status: null, failure: "no connection" } : { status: 503 }), milliseconds: 12 },
      ];
      return { index, user, trace, messages: [at(index * 2 + 1, "user", text), { ...at(index * 2 + 2, "bot", answer(text)), ...(text === "my bookings" && { dialog: { type: "login", title: "Log in", buttonText: "Log in", options: [] } }) }] };
    });
  const tell = (more: Body = {}) => {
    state = { ...state, revision: `${Number(state.revision) + (call.startsWith("GET") ? 0 : 1)}` };
    return Response.json({ ...state, turns, ...more });
  };
  if (state.id && body.revision !== undefined && body.revision !== state.revision) return Response.json({ code: "try-out-changed", detail: "Another tab was faster." }, { status: 409 });
  const refused = refuse?.(call);
  if (refused) return refused;
  const said = turns.map(({ user }) => user as Body);
  switch (call) {
    case "GET draft":
      return Response.json({ source: "folder", revision: "1", base: "v", files, findings: [] });
    case "POST draft/check":
      return Response.json({ findings: [] });
    case "GET versions":
      return Response.json([{ version: "0123456789ab", isActive: true }]);
    case "POST try-outs":
      turns = [];
      state = { id: "t1", bot: "tea", on: body.on, channel: body.channel ?? "web", calls: body.calls, mocks: {}, now: new Date().toISOString(), timezone: body.timezone ?? "Europe/Vienna", revision: "0", waiting: [], asks: null, language: "en", memory: { context: {}, entities: {} }, differsAt: null, before: null };
      return tell();
    case "GET try-outs/t1":
      return state.id ? tell() : Response.json({ code: "not-found", detail: "Gone." }, { status: 404 });
    case "POST try-outs/t1/turns":
      if (body.text === writes) state = { ...state, waiting: [{ user: { text: body.text } }], asks: { turn: turns.length, call: "c1", method: "POST", url: "https://x.test/orders", body: '{"count":null}', tried: "" } };
      else turns = play([...said, body]);
      return tell();
    case "POST try-outs/t1/rewind":
      if ((body.to as number) <= turns.length) state = { ...state, waiting: [], asks: null };
      turns = turns.slice(0, body.to as number);
      return tell();
    case "POST try-outs/t1/settings":
      state = { ...state, ...body, revision: state.revision };
      return tell();
    case "POST try-outs/t1/replay": {
      const before = turns;
      const waiting = state.waiting as { user: Body }[];
      turns = play(body.decision ? [...said, ...waiting.map(({ user }) => user)] : said);
      if (body.decision) state = { ...state, waiting: [], asks: null };
      const differsAt = turns.findIndex((turn, index) => JSON.stringify(turn.messages) !== JSON.stringify(before[index]?.messages));
      if (body.on) state = { ...state, on: body.on };
      return tell({ differsAt: differsAt < 0 ? null : differsAt, before: differsAt < 0 ? null : (before[differsAt]?.messages ?? null) });
    }
    case "POST try-outs/t1/test":
      return Response.json({ file: "tests/talk.json", text: "{}", obstacles: ["The second answer is random."] });
    default:
      throw new TypeError(`no answer for ${call}`);
  }
}

beforeAll(() => load("try-out"));

beforeEach(() => {
  sessionStorage.clear();
  asked = [];
  turns = [];
  state = {};
  refuse = writes = null;
  answer = (said) => `You said ${said}.`;
  api = new Api(async (url, init) => {
    const call = `${init.method} ${url.replace("/v1/studio/bots/tea/", "")}`;
    const body = init.body ? (JSON.parse(String(init.body)) as Body) : {};
    asked.push({ call, body });
    return serve(call, body);
  });
  workspace = new Workspace(api);
});

afterEach(() => {
  // A talk that goes on would play itself again in the next test.
  for (const talk of talks.splice(0)) talk.stop();
  pane?.remove();
  pane = null;
});

const calls = () => asked.map(({ call }) => call).filter((call) => call.includes("try-outs"));
const texts = (talk: Talk) => talk.messages.map(({ text }) => text);
const settle = (milliseconds = 30) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function talking(...said: string[]): Promise<Talk> {
  const talk = new Talk(api, workspace, "tea");
  talks.push(talk);
  await talk.open();
  for (const text of said) await talk.say({ text });
  return talk;
}

test("a try-out begins on the draft, and a page that is loaded again goes on with it", async () => {
  const talk = await talking("plum");
  expect(asked.find(({ call }) => call === "POST try-outs")?.body).toMatchObject({ on: "draft", files: {}, calls: "recorded" });
  talk.stop();
  const later = await talking();
  expect(calls()).toEqual(["POST try-outs", "POST try-outs/t1/turns", "GET try-outs/t1"]);
  expect(texts(later)).toEqual(["plum", "You said plum."]);
});

test("a clock that was set is told, and the real time is left alone", async () => {
  const talk = await talking();
  expect(talk.clock).toBeNull();
  await talk.set({ now: "2027-03-01T09:00:00Z" });
  expect(talk.clock).toBe("2027-03-01T09:00:00Z");
});

test("a try-out that is over is started anew", async () => {
  (await talking()).stop();
  state = {};
  await talking();
  expect(calls()).toEqual(["POST try-outs", "GET try-outs/t1", "POST try-outs"]);
});

test("a change of the files that stops for 400 ms is played up to the present turn, and told where it goes another way", async () => {
  const talk = await talking("plum", "pear");
  vi.useFakeTimers();
  try {
    answer = (said) => (said === "pear" ? "No pears." : `You said ${said}.`);
    workspace.set("flow.json", "{}");
    await vi.advanceTimersByTimeAsync(399);
    workspace.set("flow.json", JSON.stringify({ conversations: {} }));
    await vi.advanceTimersByTimeAsync(399);
    expect(calls()).not.toContain("POST try-outs/t1/replay");
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.at(-1)).toEqual({ call: "POST try-outs/t1/replay", body: { files: { "flow.json": '{"conversations":{}}' }, revision: "3" } });
    expect(texts(talk)).toEqual(["plum", "You said plum.", "pear", "No pears."]);
    expect(talk.differsAt).toBe(1);
    expect(talk.state?.before?.map(({ text }) => text)).toEqual(["pear", "You said pear."]);
    workspace.set("tests/b.json", "{}");
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls().filter((call) => call.endsWith("/replay")).length).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("files that cannot be loaded leave the talk as it was, and say why", async () => {
  const talk = await talking("plum");
  refuse = (call) => (call.endsWith("/replay") ? Response.json({ code: "findings", detail: "No.", findings: [{ message: "flow.json:1: no JSON" }] }, { status: 422 }) : undefined);
  workspace.set("flow.json", "{");
  await talk.replay();
  expect(talk.problem).toBe("");
  expect(talk.findings.map(({ message }) => message)).toEqual(["flow.json:1: no JSON"]);
  expect(texts(talk)).toEqual(["plum", "You said plum."]);
  refuse = null;
  await talk.replay();
  expect(talk.findings).toEqual([]);
});

test("whoever shows the talk begins again only when it became another one", async () => {
  const talk = await talking("plum", "pear");
  const { generation } = talk;
  await talk.replay();
  expect(talk.generation).toBe(generation);
  await talk.rewind(1);
  expect(talk.generation).toBe(generation + 1);
  expect(texts(talk)).toEqual(["plum", "You said plum."]);
});

test("what the user does goes in the words of conversation tests", () => {
  expect(turnOf({ text: "a" })).toEqual({ text: "a" });
  expect(turnOf({ option: { key: "k" } })).toEqual({ option: { key: "k" } });
  expect(turnOf({ option: { value: "2026-11-21" }, ask: "q" })).toEqual({ option: "2026-11-21" });
  expect(turnOf({ location: { latitude: 1, longitude: 2 } })).toEqual({ location: { latitude: 1, longitude: 2 } });
  const sent = turnOf({ files: ["f"] }, new Map([["f", new File(["x"], "a b.png", { type: "image/png" })]]));
  expect(sent.attachments).toEqual([{ payload: { url: expect.stringMatching(/\/a%20b\.png$/) }, mimeType: "image/png", name: "a b.png" }]);
});

test("the bot's files tell its channels and the mocks of its tests", () => {
  expect(channelsOf(files)).toEqual(["web", "rest"]);
  expect(channelsOf({ "bot.json": '{"channels": [{"type": "web"}, {"id": "shop", "type": "rest"}]}' })).toEqual(["web", "shop"]);
  expect(mocksOf(files)).toEqual({ "https://x.test": { GET: "{{other}}" } });
});

test("the chat wears the bot's look as it is typed", () => {
  const look = { brand: "#7a3e9d", avatar: "https://x.test/a.png", header: "Ada" };
  const bot = botOf({ "bot.json": JSON.stringify({ name: "Tea", avatar: "https://x.test/b.png", look }) }, "tea", "Old", "");
  expect(bot).toMatchObject({ id: "tea", name: "Tea", avatarUrl: "https://x.test/a.png", language: "en", look: { brand: "#7a3e9d", header: "Ada" } });
  expect(botOf({ "bot.json": "{" }, "tea", "Tea", "de")).toMatchObject({ name: "Tea", language: "de" });
});

test("an outline outlives a flow that is half typed", () => {
  const outline = outlineOf(files);
  expect(outline.conversations[0]?.steps[0]).toEqual({ path: "conversations/cake/steps/0", type: "question", entity: "cake", text: "Which cake?" });
  expect(outlineOf({ "flow.json": "{" }, outline)).toBe(outline);
});

test("what a step did is told with the step", () => {
  const [message, step] = visitsOf([
    { kind: "changed", name: "cake", before: null, after: "plum" },
    { kind: "visited", step: "cake/1", outcome: "ran", path: "p" },
    { kind: "sent", text: "Done.", step: "cake/1", path: "p" },
  ]);
  expect([message?.visited, message?.did.length]).toEqual([null, 1]);
  expect([step?.visited?.step, step?.did.map(({ kind }) => kind)]).toEqual(["cake/1", ["sent"]]);
});

// -- the pane

function all(selector: string, root: ParentNode): HTMLElement[] {
  const inside = [...root.querySelectorAll<HTMLElement>("*")].flatMap((one) => (one.shadowRoot ? all(selector, one.shadowRoot) : []));
  return [...root.querySelectorAll<HTMLElement>(selector), ...inside];
}

async function open(): Promise<StudioTryOut> {
  pane = document.createElement("studio-try-out") as StudioTryOut;
  Object.assign(pane, { api, workspace, bot: "tea", visit: { bots: [{ id: "tea", name: "Tea" }] } });
  document.body.append(pane);
  await settle(60);
  return pane;
}

const bubbles = () => all(".bubble", pane!.renderRoot).map((one) => one.textContent?.trim());

async function say(text: string): Promise<void> {
  const field = all("textarea", all("dialoom-field", pane!.renderRoot)[0]!.shadowRoot!)[0] as HTMLTextAreaElement;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  await settle(60);
}

test("the chat's own element shows the talk, each message once", async () => {
  await open();
  await say("plum");
  expect(bubbles()).toEqual(["plum", "You said plum."]);
  await say("pear");
  expect(bubbles()).toEqual(["plum", "You said plum.", "pear", "You said pear."]);
});

test("going back to a turn takes away what came after it", async () => {
  await open();
  await say("plum");
  await say("pear");
  all(".back", pane!.renderRoot)[0]!.click();
  await settle(60);
  expect(bubbles()).toEqual(["plum", "You said plum."]);
  expect(pane!.view).toBe("chat");
  all(".plain", pane!.renderRoot).find((one) => one.getAttribute("aria-label") === "Take back your last message")!.click();
  await settle(60);
  expect(bubbles()).toEqual([]);
});

test("a replay that goes another way says from which message on, and what was said before", async () => {
  await open();
  await say("plum");
  await say("pear");
  answer = (said) => (said === "pear" ? "No pears." : `You said ${said}.`);
  workspace.set("flow.json", "{}");
  await settle(520);
  expect(all(".differs summary", pane!.renderRoot)[0]?.textContent).toBe("Answers otherwise from message 2");
  expect(all(".before", pane!.renderRoot).map((one) => one.textContent)).toEqual(["You said pear."]);
  expect(bubbles()).toEqual(["plum", "You said plum.", "pear", "No pears."]);
});

test("where a service does not answer, the answers of the tests take its place on a press", async () => {
  await open();
  await say("plum");
  const press = () => all(".note .button", pane!.renderRoot).find((one) => one.textContent === "Use the answers of the tests");
  expect(press()).toBeUndefined();
  await say("stock");
  expect(all(".note", pane!.renderRoot)[0]?.textContent).toContain("A service did not answer: POST https://x.test/.");
  press()!.click();
  await settle(60);
  expect(asked.find(({ call }) => call === "POST try-outs/t1/settings")?.body).toMatchObject({ calls: "mocked", mocks: { "https://x.test": { GET: "{{other}}" } } });
  expect(calls().at(-1)).toBe("POST try-outs/t1/replay");
  expect(press()).toBeUndefined();
  // A conversation that is opened in a try-out is mocked, and has no answers yet.
  state = { ...state, mocks: {} };
  await say("stock");
  press()!.click();
  await settle(60);
  expect(state.mocks).toEqual({ "https://x.test": { GET: "{{other}}" } });
});

test("why tells what was understood and what came of each step, which leads to its row", async () => {
  await open();
  await say("plum");
  const why = all("studio-why", pane!.renderRoot)[0]!.shadowRoot!;
  const words = why.textContent?.replace(/\s+/g, " ");
  expect(words).toContain("Cake plum 92% sure, from “plum”, taken by cake 1 · cake");
  expect(words).toContain("lost against it Name plum".replace("it ", "it"));
  expect(words).toContain("passed over: has a value");
  expect(words).toContain("{{$eq cake 'plum'}} false");
  expect(words).toContain("POST https://x.test/ 503 12 ms");
  const opened: OpenPathEvent[] = [];
  pane!.addEventListener("studio-open-path", (event) => opened.push(event as OpenPathEvent));
  all(".step a", why)[1]!.click();
  expect(opened.map(({ path, file }) => [path, file])).toEqual([["conversations/cake/steps/1/conditions/0", "flow.json"]]);
});

test("why tells what the user was asked about where nothing was understood for sure", async () => {
  await open();
  await say("something sweet");
  const why = all("studio-why", pane!.renderRoot)[0]!.shadowRoot!;
  const words = why.textContent?.replace(/\s+/g, " ");
  expect(words).toContain("nothing for sure, so the user is asked what was meant");
  expect(words).toContain("offeredConversation cake 52% sure, from “something sweet”");
});

test("a talk becomes a test among the bot's files, with what it cannot assert", async () => {
  await open();
  await say("plum");
  const press = async (name: string) => {
    all("button", pane!.renderRoot).find((one) => one.textContent?.trim() === name)?.click();
    await settle();
  };
  await press("Save as test");
  const field = all("dialog input", pane!.renderRoot)[0] as HTMLInputElement;
  field.value = "A plum cake";
  field.dispatchEvent(new Event("input"));
  await settle();
  all("dialog form", pane!.renderRoot)[0]!.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(asked.find(({ call }) => call === "POST try-outs/t1/test")?.body).toEqual({ title: "A plum cake" });
  expect(workspace.changed()).toEqual({ "tests/talk.json": "{}" });
  expect(all("dialog li", pane!.renderRoot).map((one) => one.textContent)).toEqual(["The second answer is random."]);
  workspace.set("tests/talk.json", '{"mine": 1}');
  await press("Save as test");
  Object.assign(all("dialog input", pane!.renderRoot)[0]!, { value: "A plum cake" }).dispatchEvent(new Event("input"));
  await settle();
  all("dialog form", pane!.renderRoot)[0]!.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(workspace.changed()).toEqual({ "tests/talk.json": '{"mine": 1}', "tests/talk-2.json": "{}" });
  expect(all("dialog [role=status]", pane!.renderRoot)[0]!.textContent).toContain("tests/talk-2.json");
});

test("a login is played by what it would hold", async () => {
  await open();
  await say("my bookings");
  const form = all("form.note", pane!.renderRoot)[0]!;
  const field = all("input", form)[0] as HTMLInputElement;
  const send = async (text: string) => {
    field.value = text;
    form.dispatchEvent(new Event("submit", { cancelable: true }));
    await settle();
  };
  await send("Ada");
  expect(all("[role=alert]", form)[0]?.textContent).toBe("This is no JSON object.");
  await send('{"id": "ada"}');
  expect(asked.filter(({ call }) => call.endsWith("/turns")).at(-1)?.body).toMatchObject({ login: { id: "ada" } });
  expect(all("form.note", pane!.renderRoot).length).toBe(0);
});

test("another version is chosen with the turns played on it", async () => {
  await open();
  await say("plum");
  const form = all("form", all("studio-try-setup", pane!.renderRoot)[0]!.shadowRoot!)[0] as HTMLFormElement;
  (form.querySelector('[name="on"]') as HTMLSelectElement).value = "0123456789ab";
  (form.querySelector('[name="calls"]') as HTMLSelectElement).value = "real";
  form.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(asked.filter(({ call }) => call.includes("try-outs")).slice(-2)).toEqual([
    { call: "POST try-outs/t1/settings", body: { calls: "real", revision: "2" } },
    { call: "POST try-outs/t1/replay", body: { on: "0123456789ab", files: {}, revision: "3" } },
  ]);
});

test("real calls show as long as they hold, and the next talk has none", async () => {
  const talk = await talking();
  await talk.set({ calls: "real" });
  await open();
  expect(all(".acting", pane!.renderRoot)[0]?.textContent).toContain("Real calls: what you say here acts.");
  all(".acting button", pane!.renderRoot)[0]!.click();
  await settle();
  expect(state.calls).toBe("recorded");
  expect(all(".acting", pane!.renderRoot)).toEqual([]);
  await talk.set({ calls: "real" }).then(() => talk.set({ calls: "real" }));
  await talk.start();
  expect(asked.filter(({ call }) => call === "POST try-outs").at(-1)?.body.calls).toBe("recorded");
});

test("a talk that stops at a write asks whether it is sent, and plays on when it is", async () => {
  await open();
  writes = "plum";
  await say("plum");
  const asks = () => all("studio-try-asks", pane!.renderRoot)[0];
  const inside = () => asks()!.shadowRoot!;
  expect(all("#title", inside())[0]?.textContent).toBe("This would send POST https://x.test/orders. Send it, or answer it yourself?");
  expect(inside().textContent).toContain('{"count":null}');
  expect(inside().textContent).toContain("Not played yet: “plum”");
  all("button", inside()).find((one) => one.textContent === "Send it")!.click();
  await settle(60);
  expect(asked.at(-1)).toMatchObject({ call: "POST try-outs/t1/replay", body: { decision: { call: "c1" }, revision: "2" } });
  expect(asks()).toBeUndefined();
  expect(bubbles()).toEqual(["plum", "You said plum."]);
});

test("an answer of the author takes the place of the call, and what is no JSON is told", async () => {
  await open();
  writes = "plum";
  await say("plum");
  const inside = all("studio-try-asks", pane!.renderRoot)[0]!.shadowRoot!;
  all("button", inside).find((one) => one.textContent === "Answer it yourself")!.click();
  await settle();
  const body = all("textarea", inside)[0] as HTMLTextAreaElement;
  (all("input", inside)[0] as HTMLInputElement).value = "201";
  for (const text of ["Thanks", '{"number": 3}']) {
    body.value = text;
    all("form", inside)[0]!.dispatchEvent(new Event("submit", { cancelable: true }));
    await settle(60);
    if (text === "Thanks") expect(all("[role=alert].wrong", inside)[0]?.textContent).toContain("This is no JSON.");
  }
  expect(asked.at(-1)?.body.decision).toEqual({ call: "c1", answer: { $status: 201, $body: { number: 3 } } });
});

test("at a write, too, the answers of the tests take the place of all calls on a press", async () => {
  await open();
  writes = "plum";
  await say("plum");
  const inside = all("studio-try-asks", pane!.renderRoot)[0]!.shadowRoot!;
  all("button", inside).find((one) => one.textContent === "Use the answers of the tests")!.click();
  await settle(60);
  expect(state.calls).toBe("mocked");
  expect(asked.at(-1)).toMatchObject({ call: "POST try-outs/t1/replay" });
  expect(asked.at(-1)?.body.decision).toBeUndefined();
});

test("a message at which the talk stopped is taken back", async () => {
  await open();
  writes = "plum";
  await say("plum");
  all(".plain", pane!.renderRoot).find((one) => one.getAttribute("aria-label") === "Take back your last message")!.click();
  await settle(60);
  expect(asked.at(-1)).toMatchObject({ call: "POST try-outs/t1/rewind", body: { to: 0 } });
  expect(bubbles()).toEqual([]);
});

test("where another tab was faster, the talk shows how it stands and goes on from there", async () => {
  const talk = await talking("plum");
  const other = await talking();
  await other.say({ text: "pear" });
  await talk.say({ text: "fig" });
  expect(talk.problem).toBe("Another tab was faster.");
  expect(texts(talk)).toEqual(["plum", "You said plum.", "pear", "You said pear."]);
  await talk.say({ text: "fig" });
  expect(texts(talk).at(-1)).toBe("You said fig.");
});

test("where real calls need an administrator, a developer goes on with mocked ones", async () => {
  refuse = (call) => (call === "POST try-outs" && asked.at(-1)?.body.calls !== "mocked" ? Response.json({ code: "administrator-needed", detail: "This needs an administrator." }, { status: 403 }) : undefined);
  await open();
  expect(all("[role=alert] p", pane!.renderRoot)[0]?.textContent).toBe("This needs an administrator.");
  all("[role=alert] button", pane!.renderRoot).find((one) => one.textContent === "Go on with mocked calls")!.click();
  await settle(60);
  expect(asked.filter(({ call }) => call === "POST try-outs").at(-1)?.body).toMatchObject({ calls: "mocked", mocks: { "https://x.test": { GET: "{{other}}" } } });
  expect(all("dialoom-chat", pane!.renderRoot).length).toBe(1);
});

test("a try-out that cannot begin says why and tries again", async () => {
  refuse = (call) => (call === "POST try-outs" ? Response.json({ code: "findings", detail: "flow.json has errors.", findings: [] }, { status: 422 }) : undefined);
  await open();
  expect(all("[role=alert] p", pane!.renderRoot)[0]?.textContent).toBe("flow.json has errors.");
  refuse = null;
  all("[role=alert] button", pane!.renderRoot)[0]!.click();
  await settle(60);
  expect(all("dialoom-chat", pane!.renderRoot).length).toBe(1);
});

// -- what is not known, and what is open

const UNREACHABLE = () => {
  throw new TypeError("fetch failed");
};

test("after an answer that was lost the talk is loaded again, and a turn that broke off asks what is to become of it", async () => {
  const talk = await talking();
  let isAway = true;
  refuse = (call) => {
    if (call.endsWith("/turns")) state = { ...state, revision: "9", waiting: [{ user: {} }], asks: null };
    else if (call.endsWith("/replay")) state = { ...state, waiting: [{ user: { text: "4" } }], asks: { turn: 0, call: "c1", method: "POST", url: "https://x.test/", body: "", tried: "It was sent once." } };
    return isAway ? UNREACHABLE() : undefined;
  };
  const said: string[] = [];
  talk.subscribe(() => said.push(talk.problem));
  const done = talk.say({ text: "4" }, "id-4");
  await settle();
  expect(said.at(-1)).toContain("Whether this was sent is not known");
  isAway = false;
  talk.subscribe(() => undefined);
  await done;
  expect(talk.problem).toBe("");
  expect(talk.state?.asks?.tried).toBe("It was sent once.");
  expect(texts(talk)).toEqual(["4"]);
  expect(calls().filter((call) => call.endsWith("/turns")).length).toBe(1);
}, 10_000);

test("a message that did not arrive is told as not sent", async () => {
  const talk = await talking("plum");
  refuse = (call) => (call.endsWith("/turns") ? UNREACHABLE() : undefined);
  await talk.say({ text: "pear" });
  expect(talk.problem).toContain("cannot be reached");
  expect(talk.isBusy).toBe(false);
  expect(texts(talk)).toEqual(["plum", "You said plum."]);
});

test("a replay that did not arrive is played when the service is back", async () => {
  const talk = await talking("plum");
  let failures = 1;
  refuse = (call) => (call.endsWith("/replay") && failures-- > 0 ? UNREACHABLE() : undefined);
  answer = () => "Other.";
  await talk.replay();
  expect(talk.problem).toBe("");
  expect(texts(talk)).toEqual(["plum", "Other."]);
});

test("work that ends between the session's answer and the stream is told as ended", async () => {
  const talk = { messages: [], isBusy: true, isLost: false, generation: 0, problem: "", start: async () => undefined, say: async () => undefined, subscribe: () => () => true };
  const around = connection(talk, () => ({ id: "tea", name: "Tea", avatarUrl: null, language: "en", look: {} }));
  const opened = (await (await around.fetch("/v1/bots/tea/channels/web/web/sessions", { body: "{}" })).json()) as { typing: boolean };
  expect(opened.typing).toBe(true);
  talk.isBusy = false;
  const stream = await around.fetch("/v1/bots/tea/channels/web/web/events", {});
  const reader = stream.body!.getReader();
  let told = "";
  while (!told.includes("typing")) told += new TextDecoder().decode((await reader.read()).value);
  expect(told).toContain('{"on":false}');
  await reader.cancel();
});

test("while it asks nothing else is sent: the text stays, why is said, and the focus goes where nothing is sent", async () => {
  await open();
  writes = "plum";
  const field = () => all("textarea", all("dialoom-field", pane!.renderRoot)[0]!.shadowRoot!)[0] as HTMLTextAreaElement;
  field().focus();
  await say("plum");
  const asks = all("studio-try-asks", pane!.renderRoot)[0]!;
  expect(asks.shadowRoot!.activeElement?.textContent).toBe("Answer it yourself");
  expect(field().placeholder).toBe("Answer the question above first");
  expect(bubbles()).toEqual(["plum"]);
  await say("hm");
  expect(calls().filter((call) => call.endsWith("/turns")).length).toBe(1);
  expect(field().value).toBe("hm");
  expect(all(".held", pane!.renderRoot)[0]?.textContent).toBe("Answer the question above first");
  expect(all(".retry", pane!.renderRoot)).toEqual([]);
  all("button", asks.shadowRoot!).find((one) => one.textContent === "Send it")!.click();
  await settle(60);
  expect(bubbles()).toEqual(["plum", "You said plum."]);
  expect(field().placeholder).not.toBe("Answer the question above first");
  expect(all(".held", pane!.renderRoot)[0]?.textContent).toBe("");
});

test("calls that are chosen and not applied say what is in force", async () => {
  await open();
  const setup = () => all("studio-try-setup", pane!.renderRoot)[0]!.shadowRoot!;
  const select = setup().querySelector<HTMLSelectElement>('[name="calls"]')!;
  const note = () => setup().querySelector("[role=status]")!.textContent;
  select.value = "real";
  select.dispatchEvent(new Event("change"));
  await settle();
  expect(note()).toBe("Not applied yet. In force: recorded calls");
  setup().querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(note()).toBe("");
  all(".acting button", pane!.renderRoot)[0]!.click();
  await settle();
  expect(select.value).toBe("recorded");
});
