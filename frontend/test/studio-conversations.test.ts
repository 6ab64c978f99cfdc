import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { Api } from "../src/studio/api";
import type { Message, Row } from "../src/studio/conversations/api";
import type { StudioConversations } from "../src/studio/conversations/conversations";
import { ALL, lineAt, offsetOf, placeOf, queryOf, read, readParameters, writeParameters, written } from "../src/studio/conversations/filter";
import { define } from "../src/studio/conversations";
import { finds, nameOf, offered } from "../src/studio/conversations/names";
import { pathOf, type StudioTranscript } from "../src/studio/conversations/transcript";
import { GoEvent } from "../src/studio/events";
import { asked, everyDay, SCOPE } from "../src/studio/insights/api";
import { StudioInsights } from "../src/studio/insights/insights";

const NOW = Date.parse("2026-11-20T08:15:30.250Z");

const row = (id: string, more: object = {}): Row => ({
  _id: id,
  User: `user-${id}`,
  Channel: "web",
  Status: "active",
  StartedAt: "2026-11-20T08:00:00.000Z",
  UpdatedAt: "2026-11-20T08:00:00.000Z",
  EndedAt: null,
  Goal: null,
  Errors: 0,
  Messages: { user: 1, bot: 1 },
  FlowVersion: "5d0f3a1c9be2",
  Data: {},
  ...more,
});
const message = (more: Partial<Message>): Message => ({
  _id: "m",
  From: "user",
  Type: "text",
  Text: "tea",
  Payload: null,
  Step: null,
  Understanding: null,
  Error: null,
  CreatedAt: "2026-11-20T08:00:00.000Z",
  Sequence: 1,
  ...more,
});

beforeAll(define);
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

test("controls make a query", () => {
  expect(queryOf(ALL, NOW)).toEqual({});
  const choice = { ...ALL, period: "7", state: "open", channel: "web", version: "5d", missed: true, failed: true };
  expect(queryOf(choice, NOW)).toEqual({
    StartedAt: { $gte: "2026-11-13T08:15:00.000Z" },
    EndedAt: null,
    Channel: "web",
    FlowVersion: "5d",
    "Data.notUnderstood": { $gt: 0 },
    Errors: { $gt: 0 },
  });
  const named = [{ User: "a.b" }, { "Data.user.FirstName": { $regex: "^a\\.b", $options: "i" } }, { "Data.user.LastName": { $regex: "^a\\.b", $options: "i" } }];
  expect(queryOf({ ...ALL, text: " a.b " }, NOW, ["1"])).toEqual({ $or: [{ _id: { $in: ["1"] } }, ...named] });
  expect(queryOf({ ...ALL, text: "a.b" }, NOW)).toEqual({ $or: named });
});

test("a query is written a line a condition and read back", () => {
  const query = { Status: "success", Errors: { $gt: 0 } };
  expect(written(query)).toBe('{\n  "Status": "success",\n  "Errors": {"$gt":0}\n}');
  expect(read(written(query))).toEqual(query);
  expect(read(" ")).toEqual({});
  expect(() => read("[1]")).toThrow(TypeError);
  expect(() => read("{")).toThrow(SyntaxError);
});

test("the part of a query that is wrong is found by its pointer", () => {
  const text = '{\n  "a/b": [1, {"x": "}"}],\n  "Errors": {"$size" : "x", "y": 2}\n}';
  const part = (pointer: string) => {
    const { start, end } = placeOf(text, pointer);
    return text.slice(start, end);
  };
  expect(part("/Errors/$size")).toBe('"$size" : "x"');
  expect(part("/a~1b/1/x")).toBe('"x": "}"');
  expect(part("/a~1b/0")).toBe("1");
  expect(part("")).toBe(text);
  expect(part("/nothing/there")).toBe(text);
  expect(lineAt(text, placeOf(text, "/Errors").start)).toBe(3);
});

test("where JSON stops making sense is read from what browsers say", () => {
  const text = '{\n "a" 1}';
  expect(offsetOf(new SyntaxError("Expected ':' after property name in JSON at position 6 (line 2 column 5)"), text)).toBe(6);
  expect(offsetOf(new SyntaxError("JSON.parse: expected ':' at line 2 column 5 of the JSON data"), text)).toBe(6);
  expect(offsetOf(new SyntaxError("Unexpected end of JSON input"), text)).toBe(text.length);
  expect(offsetOf(new SyntaxError("no idea"), text)).toBeNull();
});

test("an address holds the choice of the controls, or a query", () => {
  expect(readParameters(new URLSearchParams("state=failure&missed=1&text=tea")).choice).toEqual({ ...ALL, state: "failure", missed: true, text: "tea" });
  expect(readParameters(new URLSearchParams({ filter: '{"Errors":1}' }))).toEqual({ choice: ALL, own: { Errors: 1 } });
  expect(readParameters(new URLSearchParams({ filter: "broken" })).own).toBeNull();
  for (const filter of [{ choice: { ...ALL, state: "failure", missed: true, text: "a&b" }, own: null }, { choice: ALL, own: { Errors: 1 } }])
    expect(readParameters(writeParameters(filter.choice, filter.own))).toEqual(filter);
});

test("people and finds have names", () => {
  expect(nameOf(row("1"))).toBe("user-1");
  expect(nameOf(row("1", { Data: { user: { FirstName: "Ada", LastName: null } } }))).toBe("Ada");
  const Understanding = { Tea: [{ value: { value: "Green" }, confidence: 0.5 }], Conversation: [{ value: "tea", confidence: 0.934 }] };
  expect(finds(message({ Understanding })).map(({ type, value }) => [type, value])).toEqual([
    ["Conversation", "tea"],
    ["Tea", "Green"],
  ]);
  expect(finds(message({ Understanding: "***" }))).toEqual([]);
  expect(offered(message({ Payload: { replies: [{ title: "A" }], dialog: { options: [{ title: "B" }] } } }))).toEqual(["A", "B"]);
  expect(offered(message({ Payload: "***" }))).toEqual([]);
  expect(pathOf("a/b/2")).toBe("conversations/a/b/steps/2");
});

test("rows change where they stand, and new ones wait until they are asked for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let records = [row("b"), row("a")];
  const paths: string[] = [];
  const api = new Api(async (path) => {
    paths.push(path);
    return Response.json(path.includes("/conversations?") ? { records, next: null } : { channels: [], version: "" });
  });
  const room = document.createElement("studio-conversations") as StudioConversations;
  Object.assign(room, { api, bot: "tea", route: { bot: "tea", room: "conversations", query: "" } });
  document.body.append(room);
  const ids = () => [...(room.renderRoot.querySelectorAll("td a") as NodeListOf<HTMLElement>)].map((link) => link.dataset["id"]);
  await vi.waitFor(() => expect(ids()).toEqual(["b", "a"]));
  records = [row("c"), row("b"), row("a", { Status: "success" })];
  await vi.advanceTimersByTimeAsync(5000);
  await room.updateComplete;
  expect(ids()).toEqual(["b", "a"]);
  expect(room.renderRoot.querySelectorAll("tr")[2]?.textContent).toContain("Goal reached");
  const fresh = room.renderRoot.querySelector<HTMLElement>(".fresh button");
  expect(fresh?.textContent).toBe("1 new conversation");
  fresh?.click();
  await room.updateComplete;
  expect(ids()).toEqual(["c", "b", "a"]);
  const gone: string[] = [];
  room.addEventListener("studio-go", (event) => gone.push((event as GoEvent).goal.query ?? ""));
  (room.renderRoot.querySelector("td a") as HTMLElement).click();
  expect(gone).toEqual(["id=c"]);
});

test("the receipt of an erasure stays while the list looks again, until it is closed", async () => {
  let isErased = false;
  const asked: string[] = [];
  const counts = { conversations: 1, messages: 1, files: 0, deliveries: 0, tryOuts: 0 };
  const api = new Api(async (path, { method }) => {
    asked.push(`${method} ${path}`);
    if (method === "POST") {
      isErased = true;
      return Response.json({ ...counts, user: "user-a", channel: "web", memory: true, copies: [], erasedAt: "2026-11-20T08:00:00.000Z", log: "truncated" });
    }
    if (isErased) return Response.json({ status: 404, code: "not-found", detail: "There is none." }, { status: 404 });
    return Response.json({ conversation: row("a"), messages: [], next: null });
  });
  const shown = Object.assign(document.createElement("studio-transcript") as StudioTranscript, { api, bot: "tea", conversation: "a", mayErase: true });
  document.body.append(shown);
  const buttons = (root: ParentNode | null) => [...(root?.querySelectorAll("button") ?? [])];
  const eraser = () => shown.renderRoot.querySelector("studio-erase-user")?.shadowRoot ?? null;
  await vi.waitFor(() => expect(eraser()).not.toBeNull());
  buttons(shown.renderRoot as ShadowRoot).find((one) => one.textContent === "Erase user")?.click();
  await vi.waitFor(() => expect(eraser()?.textContent).toContain("Keep"));
  buttons(eraser()).find((one) => one.textContent?.trim() === "Erase")?.click();
  await vi.waitFor(() => expect(eraser()?.textContent).toContain("The user is erased"));
  const before = asked.length;
  shown.beat += 1;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(eraser()?.textContent).toContain("The user is erased");
  expect(asked.length).toBe(before);
  shown.remove();
});

test("a period is of days until now or of days of the calendar, and each of its days has a place", () => {
  expect(asked(SCOPE, NOW).toString()).toBe("from=2026-10-21T08%3A15%3A30.250Z");
  expect(Object.fromEntries(asked({ ...SCOPE, from: "2026-11-01", to: "2026-11-02", channel: "web" }, NOW))).toEqual({
    from: "2026-11-01",
    to: "2026-11-03T00:00:00.000Z",
    channel: "web",
  });
  const figure = { count: 1, filter: {} };
  const counted = { name: "2026-11-02", conversations: figure, completed: figure, notUnderstood: figure, failed: figure };
  const days = everyDay({ since: "2026-11-01T10:00:00.000Z", until: "2026-11-04T00:00:00.000Z", days: [counted] });
  expect(days.map(({ day, row: found }) => [day, found?.conversations.count ?? 0])).toEqual([
    ["2026-11-01", 0],
    ["2026-11-02", 1],
    ["2026-11-03", 0],
  ]);
});

test("how often users were asked what they meant leads to the conversations, as does what came of it", async () => {
  customElements.define("studio-insights", StudioInsights);
  const figure = (count: number, name: string) => ({ count, share: 0.5, filter: { [name]: { $gt: 0 } } });
  const names = ["conversations", "withGoal", "completed", "stopped", "handedOver", "running", "notUnderstood", "failed"];
  const times = { count: 0, median: null, most: null };
  const found = {
    ...Object.fromEntries(names.map((name) => [name, figure(9, name)])),
    ...{ offered: figure(4, "Data.offered"), offersTaken: figure(3, "Data.offersTaken"), offersRefused: figure(1, "Data.offersRefused"), offers: 5 },
    ...{ since: "2026-11-01T00:00:00.000Z", until: "2026-11-02T00:00:00.000Z", isCut: false, notUnderstoodMessages: 5, userMessages: 50, errors: 0 },
    ...{ firstAnswer: times, answer: times, timedMessages: 0, dropOff: {}, dropOffs: [], goals: [], channels: [], versions: [], days: [], allChannels: [], allVersions: [] },
  };
  const page = document.createElement("studio-insights") as StudioInsights;
  Object.assign(page, { api: new Api(async () => Response.json(found)), bot: "tea", route: { bot: "tea", room: "insights", query: "" } });
  document.body.append(page);
  await vi.waitFor(() => expect(page.renderRoot.querySelector(".figures")).toBeTruthy());
  const shown = [...page.renderRoot.querySelectorAll<HTMLElement>(".figures > div")].map((one) => one.textContent?.replace(/\s+/g, " "));
  expect(shown.slice(4, 7)).toEqual(["Asked what was meant45 times “Did you mean …?”", "Chose what was offered350% of those asked", "Answered “Neither”150% of those asked"]);
  const links = [...page.renderRoot.querySelectorAll<HTMLAnchorElement>(".figures a")].map((link) => decodeURIComponent(link.href));
  for (const name of ["Data.offered", "Data.offersTaken", "Data.offersRefused"]) expect(links.some((link) => link.includes(`"${name}"`))).toBe(true);
});
