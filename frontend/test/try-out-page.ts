// The try-out of the studio in a page, with a service behind it that holds one try-out: for the tests of what is said, of the
// pane that shows it, and of the calls.

import { afterEach, beforeAll, beforeEach } from "vitest";
import { Api } from "../src/studio/api";
import { load } from "../src/studio/rooms";
import { Talk } from "../src/studio/try-out/talk";
import type { StudioTryOut } from "../src/studio/try-out/try-out";
import { Workspace } from "../src/studio/workspace";

type Body = Record<string, unknown>;
interface Turn {
  index: number;
  user: Body | null;
  messages: object[];
  trace: object[];
}

const flow = { conversations: { cake: { type: "goal", steps: [{ type: "question", entity: "cake", messages: ["Which cake?"] }, { type: "message", messages: ["Done."] }] } } };
export const files = { "bot.json": JSON.stringify({ id: "tea", name: "Tea", language: "en" }), "flow.json": JSON.stringify(flow), "tests/a.json": JSON.stringify({ parameters: { host: "https://x.test" }, mocks: { "{{host}}": { GET: "{{other}}" } } }) };

export let asked: { call: string; body: Body }[];
export let workspace: Workspace;
export let pane: StudioTryOut | null;
let api: Api;
let turns: Turn[];
const talks: Talk[] = [];

/** The service, and what a test changes of it. */
export const service = {
  refuse: null as ((call: string) => Response | undefined) | null,
  answer: (said: string) => `You said ${said}.`,
  state: {} as Body,
  /** The text whose turn would write: the talk stops at it. */
  writes: null as string | null,
};

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
      return { index, user, trace, messages: [at(index * 2 + 1, "user", text), { ...at(index * 2 + 2, "bot", service.answer(text)), ...(text === "my bookings" && { dialog: { type: "login", title: "Log in", buttonText: "Log in", options: [] } }) }] };
    });
  const tell = (more: Body = {}) => {
    service.state = { ...service.state, revision: `${Number(service.state.revision) + (call.startsWith("GET") ? 0 : 1)}` };
    return Response.json({ ...service.state, turns, ...more });
  };
  if (service.state.id && body.revision !== undefined && body.revision !== service.state.revision) return Response.json({ code: "try-out-changed", detail: "Another tab was faster." }, { status: 409 });
  const refused = service.refuse?.(call);
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
      service.state = { id: "t1", bot: "tea", on: body.on, channel: body.channel ?? "web", calls: body.calls, mocks: {}, now: new Date().toISOString(), timezone: body.timezone ?? "Europe/Vienna", revision: "0", waiting: [], asks: null, language: "en", memory: { context: {}, entities: {} }, differsAt: null, before: null };
      return tell();
    case "GET try-outs/t1":
      return service.state.id ? tell() : Response.json({ code: "not-found", detail: "Gone." }, { status: 404 });
    case "POST try-outs/t1/turns":
      if (body.text === service.writes) service.state = { ...service.state, waiting: [{ user: { text: body.text } }], asks: { turn: turns.length, call: "c1", method: "POST", url: "https://x.test/orders", body: '{"count":null}', tried: "" } };
      else turns = play([...said, body]);
      return tell();
    case "POST try-outs/t1/rewind":
      if ((body.to as number) <= turns.length) service.state = { ...service.state, waiting: [], asks: null };
      turns = turns.slice(0, body.to as number);
      return tell();
    case "POST try-outs/t1/settings":
      service.state = { ...service.state, ...body, revision: service.state.revision };
      return tell();
    case "POST try-outs/t1/replay": {
      const before = turns;
      const waiting = service.state.waiting as { user: Body }[];
      turns = play(body.decision ? [...said, ...waiting.map(({ user }) => user)] : said);
      if (body.decision) service.state = { ...service.state, waiting: [], asks: null };
      const differsAt = turns.findIndex((turn, index) => JSON.stringify(turn.messages) !== JSON.stringify(before[index]?.messages));
      if (body.on) service.state = { ...service.state, on: body.on };
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
  Object.assign(service, { state: {}, refuse: null, writes: null, answer: (said: string) => `You said ${said}.` });
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

export const calls = () => asked.map(({ call }) => call).filter((call) => call.includes("try-outs"));
export const texts = (talk: Talk) => talk.messages.map(({ text }) => text);
export const settle = (milliseconds = 30) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function talking(...said: string[]): Promise<Talk> {
  const talk = new Talk(api, workspace, "tea");
  talks.push(talk);
  await talk.open();
  for (const text of said) await talk.say({ text });
  return talk;
}

export function all(selector: string, root: ParentNode): HTMLElement[] {
  const inside = [...root.querySelectorAll<HTMLElement>("*")].flatMap((one) => (one.shadowRoot ? all(selector, one.shadowRoot) : []));
  return [...root.querySelectorAll<HTMLElement>(selector), ...inside];
}

export async function open(): Promise<StudioTryOut> {
  pane = document.createElement("studio-try-out") as StudioTryOut;
  Object.assign(pane, { api, workspace, bot: "tea", visit: { bots: [{ id: "tea", name: "Tea" }] } });
  document.body.append(pane);
  await settle(60);
  return pane;
}

export const bubbles = () => all(".bubble", pane!.renderRoot).map((one) => one.textContent?.trim());

export async function say(text: string): Promise<void> {
  const field = all("textarea", all("dialoom-field", pane!.renderRoot)[0]!.shadowRoot!)[0] as HTMLTextAreaElement;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  await settle(60);
}

