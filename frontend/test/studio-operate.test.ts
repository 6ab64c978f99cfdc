import { render } from "lit";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Api } from "../src/studio/api";
import { BuildPublish } from "../src/studio/build/publish";
import { contrast } from "../src/studio/operate/contrast";
import { define } from "../src/studio/operate/index";
import { lookOf, withLook } from "../src/studio/operate/look-file";
import { tabsFor } from "../src/studio/operate/operate";
import { testLines } from "../src/studio/test-lines";

type Answers = Record<string, unknown>;

let asked: { call: string; body: unknown }[];

beforeAll(define);
beforeEach(() => {
  asked = [];
});
afterEach(() => document.body.replaceChildren());

/** An element of a tab with a service that gives these answers. */
async function tab(name: string, answers: Answers): Promise<HTMLElement & { updateComplete: Promise<unknown> }> {
  const api = new Api(async (url, init) => {
    const call = `${init.method} ${url.replace("/v1/studio/bots/a", "")}`;
    asked.push({ call, body: init.body ? JSON.parse(String(init.body)) : undefined });
    return Response.json(answers[call] ?? { status: 404, code: "not-found", detail: `No ${call}.` }, { status: call in answers ? 200 : 404 });
  });
  const element = document.createElement(name) as HTMLElement & { updateComplete: Promise<unknown> };
  Object.assign(element, { api, bot: "a" });
  document.body.append(element);
  await settle();
  return element;
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 10));
/** What a selector finds in an element, and in those inside. */
function all(root: Element, selector: string): HTMLElement[] {
  const inside = [...root.shadowRoot!.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? all(one, selector) : []));
  return [...root.shadowRoot!.querySelectorAll<HTMLElement>(selector), ...inside];
}

const texts = (root: Element, selector: string) => all(root, selector).map((one) => one.textContent?.replace(/\s+/g, " ").trim());

async function press(root: Element, label: string): Promise<void> {
  const found = all(root, "button").filter((one) => (one.getAttribute("aria-label") ?? one.textContent?.trim()) === label);
  expect(found.length, `button ${label}`).toBe(1);
  found[0]?.click();
  await settle();
}

const version = (id: string, more: object = {}) => ({ version: id, activatedAt: "2026-11-20T10:00:00Z", isActive: false, withdrawnAt: null, runningTalks: 0, note: "", author: null, ...more });
const VERSIONS = [version("new", { isActive: true, runningTalks: 14, note: "The new name", author: "Ada" }), version("wrong", { withdrawnAt: "2026-11-20T11:00:00Z" }), version("old")];
const DIFFERENCE = {
  from: "old",
  to: "new",
  changes: [{ file: "bot.json", path: "name", kind: "changed", before: "Tea", after: "Tea room", title: "name" }],
  access: [],
  lines: ["--- old/bot.json", "-  \"name\": \"Tea\"", "+  \"name\": \"Tea room\""],
};

test("what the last publish changed is shown first, as parts and as lines", async () => {
  const shown = await tab("operate-versions", { "GET /versions": VERSIONS, "GET /versions/old/difference/new": DIFFERENCE });
  expect(texts(shown, "tbody tr")[0]).toMatch(/new Active .* Ada The new name 14 talks/);
  expect(texts(shown, "tbody tr")[1]).toContain("Rolled back");
  expect(texts(shown, "li")).toEqual(["changedname TeaTea room"]);
  expect(texts(shown, "pre .added")).toEqual(["+ \"name\": \"Tea room\""]);
});

test("of a change that the service does not tell only its place is shown; where nothing differs it says so", async () => {
  const secret = { file: "bot.json", path: "settings/token", kind: "changed", title: "token" };
  const shown = document.createElement("studio-difference");
  Object.assign(shown, { found: { ...DIFFERENCE, changes: [secret], lines: [] } });
  document.body.append(shown);
  await settle();
  expect(texts(shown, "li")).toEqual(["changedtoken"]);
  expect(texts(shown, "details")).toEqual([]);
  Object.assign(shown, { found: { ...DIFFERENCE, changes: [], lines: [] } });
  await settle();
  expect(texts(shown, "p")).toEqual(["Nothing differs."]);
});

test("of a list of texts what went and what came is shown, and the whole where only the order differs", async () => {
  const list = (before: readonly string[], after: readonly string[]) => ({ file: "training.json", path: "p", kind: "changed", title: "cancel", before, after });
  const shown = document.createElement("studio-difference");
  Object.assign(shown, { found: { ...DIFFERENCE, changes: [list(["stop", "end"], ["end", "no more"]), list(["a", "b"], ["b", "a"]), list(["a"], ["a", "b"])], lines: [] } });
  document.body.append(shown);
  await settle();
  expect([...(shown.shadowRoot?.querySelectorAll("del, ins") ?? [])].map((one) => `${one.localName} ${one.textContent}`)).toEqual(["del stop", "ins no more", "del a\nb", "ins b\na", "ins b"]);
});

test("a file that is no JSON is said to be so, and not shown as removed", async () => {
  const shown = document.createElement("studio-difference");
  Object.assign(shown, { found: { ...DIFFERENCE, changes: [{ file: "flow.json", path: "", kind: "unreadable", title: "flow.json" }], lines: [] } });
  document.body.append(shown);
  await settle();
  expect([...(shown.shadowRoot?.querySelectorAll("li span") ?? [])].map((one) => one.textContent)).toEqual(["unreadable", "flow.json cannot be read: it is no JSON"]);
});

test("a scenario that failed is told without JSON", () => {
  const place = document.createElement("div");
  render(testLines(["step 1, user: hi", '- {"text": "Hello."}', '+ {"text": "Bye.", "quickReplies": ["Yes"]}'], "greeting"), place);
  const rows = [...place.querySelectorAll("li")].map((row) => [...row.children].map((one) => one.textContent));
  expect(rows).toEqual([
    ["user says", "“hi” (step 1)"],
    ["expected", "Hello."],
    ["came", "Bye. Yes"],
  ]);
});

test("going back asks once and says what becomes of running talks", async () => {
  const shown = await tab("operate-versions", { "GET /versions": VERSIONS, "GET /versions/old/difference/new": DIFFERENCE, "GET /versions/new/difference/old": { ...DIFFERENCE, access: ["It opens the web."] }, "POST /rollback": { version: "old", withdrawn: "new" } });
  await press(shown, "Make active: old");
  expect(asked.some(({ call }) => call === "POST /rollback")).toBe(false);
  expect(texts(shown, "dialog p")[0]).toContain("14 running talks end on new");
  expect(texts(shown, "dialog li")).toEqual(["It opens the web."]);
  await press(shown, "Make active");
  expect(asked.find(({ call }) => call === "POST /rollback")?.body).toEqual({ version: "old" });
});

test("what is refused after the question is said in it, and asked for again there", async () => {
  const shown = await tab("operate-versions", { "GET /versions": VERSIONS, "GET /versions/old/difference/new": DIFFERENCE, "GET /versions/new/difference/old": DIFFERENCE });
  await press(shown, "Make active: old");
  await press(shown, "Make active");
  expect(texts(shown, "dialog [role=alert]")).toEqual(["No POST /rollback."]);
  await press(shown, "Make active");
  expect(asked.filter(({ call }) => call === "POST /rollback").length).toBe(2);
});

const ERASES = { status: 409, code: "erases-conversations", detail: "Nothing was done: 3 conversations are erased." };
/** A service that refuses to go back until the erasing is accepted. */
const erasing = () =>
  new Api(async (url, init) => {
    const call = `${init.method} ${url.replace("/v1/studio/bots/a", "")}`;
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    asked.push({ call, body });
    if (call === "GET /versions") return Response.json(VERSIONS);
    if (call === "POST /rollback") return body.acceptsErasing ? Response.json({}) : Response.json(ERASES, { status: 409 });
    return Response.json(DIFFERENCE);
  });
const rollbacks = () => asked.filter(({ call }) => call === "POST /rollback").map(({ body }) => body);

test("going back where that erases asks a second time with what is erased", async () => {
  const shown = await tab("operate-versions", {});
  Object.assign(shown, { api: erasing(), bot: "b" });
  Object.assign(shown, { bot: "a" });
  await settle();
  await press(shown, "Make active: old");
  await press(shown, "Make active");
  expect(texts(shown, "dialog p")[0]).toBe(ERASES.detail);
  expect(rollbacks()).toEqual([{ version: "old" }]);
  await press(shown, "Make active and erase");
  expect(rollbacks()[1]).toEqual({ version: "old", acceptsErasing: true });
});

test("a publish says what it gives away, and taking it back what that erases", async () => {
  if (!customElements.get("build-publish")) customElements.define("build-publish", BuildPublish);
  const shown = document.createElement("build-publish") as BuildPublish;
  const workspace = { isChanged: false, errors: 0, findings: [], load: async () => undefined };
  Object.assign(shown, { api: erasing(), bot: "a", workspace });
  document.body.append(shown);
  await settle();
  shown.found = { ...DIFFERENCE, runningTalks: 0, access: ["It sends \"BOT_SECRET\" to https://other.example/."] } as BuildPublish["found"];
  await settle();
  expect(texts(shown, ".access li")).toEqual(['It sends "BOT_SECRET" to https://other.example/.']);
  shown.published = { version: "new", previous: "old", runningTalks: 0 };
  await settle();
  await press(shown, "Take it back");
  expect(texts(shown, "[role=alert]")).toEqual([ERASES.detail]);
  await press(shown, "Take it back and erase");
  expect(rollbacks()).toEqual([{ version: "old" }, { version: "old", acceptsErasing: true }]);
});

const LETTER = { id: "d1", channel: "rest", receiver: "live-agent desk", createdAt: "2026-11-20T10:00:00Z", deadAt: "2026-11-20T11:00:00Z", attempts: 35, reason: "The receiver answered 500." };

test("a dead letter is sent again at once and dropped after a question", async () => {
  const shown = await tab("operate-dead-letters", { "GET /dead-letters": [LETTER], "POST /dead-letters/resend": { count: 1 }, "POST /dead-letters/drop": { count: 1 } });
  expect(texts(shown, "tbody tr")[0]).toContain("The receiver answered 500. (35 attempts)");
  await press(shown, "Send again: d1");
  await press(shown, "Drop d1");
  const changes = () => asked.filter(({ call }) => call.startsWith("POST"));
  expect(changes()).toEqual([{ call: "POST /dead-letters/resend", body: { ids: ["d1"] } }]);
  await press(shown, "Drop");
  expect(changes()[1]).toEqual({ call: "POST /dead-letters/drop", body: { ids: ["d1"] } });
});

test("what the doctor finds wrong stands first", async () => {
  const findings = ["ok", "warn", "fail"].map((level) => ({ level, check: level, text: "." }));
  const shown = await tab("operate-doctor", { "POST /doctor": { findings } });
  expect(texts(shown, "strong")).toEqual(["fail", "warn", "ok"]);
  expect(texts(shown, "[role=status]")).toEqual(["1 fails · 1 warning · 1 ok"]);
});

test("a key that the process does not have yet waits for a restart", async () => {
  const keys = [{ name: "0102", seals: true, isLoaded: false }, { name: "0304", seals: false, isLoaded: true }];
  const shown = await tab("operate-keys", { "GET /keys": { place: "data/vault.keys", isFile: true, data: "data", changedAt: "2026-11-20T10:00:00Z", isRestartDue: true, keys } });
  expect(texts(shown, "tbody tr")[0]).toContain("waits for a restart");
  expect(texts(shown, "[role=status]")[0]).toContain("restart the service");
});

test("what is refused can be asked for again", async () => {
  const shown = await tab("operate-keys", {});
  expect(texts(shown, "[role=alert]")).toEqual(["No GET /keys."]);
  await press(shown, "Try again");
  expect(asked.length).toBe(2);
});

test("tokens and keys are for administrators", () => {
  expect(tabsFor("administrator")).toContain("keys");
  expect(tabsFor("developer")).toEqual(["versions", "channels", "look", "dead-letters", "doctor"]);
});

test("the doctor, the keys and backups are of the whole service", () => {
  expect(tabsFor("administrator", true)).toEqual(["versions", "channels", "look", "tokens", "dead-letters"]);
});

test.each([
  ["#000", "white", 21],
  ["#ffffff", "black", 21],
  ["#757575", "white", 4.6],
  ["#888", "black", 5.9],
])("on %s stands %s with %d:1", (colour, text, ratio) => expect(contrast(colour)).toEqual({ text, ratio }));

test("what is no colour has no contrast", () => expect(contrast("red")).toBeNull());

test("a look is written into bot.json and leaves the rest of its text alone", () => {
  const text = '{\n  "id":  "a",\n  "name": "A"\n}\n';
  const coloured = withLook(text, "brand", "#123456");
  expect(coloured.startsWith('{\n  "id":  "a",')).toBe(true);
  expect(lookOf(coloured)).toEqual({ brand: "#123456" });
  const round = withLook(coloured, "radius", 4);
  expect(lookOf(round)).toEqual({ brand: "#123456", radius: 4 });
  expect(lookOf(withLook(round, "brand", ""))).toEqual({ radius: 4 });
  expect(JSON.parse(withLook(coloured, "brand", ""))).toEqual({ id: "a", name: "A" });
});

test("a bot.json that is no JSON has no look", () => {
  expect(lookOf("{")).toBeNull();
  expect(withLook("{", "brand", "#123456")).toBe("{");
});

test("a backup is made, told and given once", async () => {
  const made = { id: "k1", size: 1_500_000, bots: 1, conversations: 12, messages: 40 };
  const shown = await tab("operate-backup", { "POST /v1/studio/backup": made });
  await press(shown, "Back up now");
  expect(asked.map(({ call }) => call)).toEqual(["POST /v1/studio/backup"]);
  expect(texts(shown, "[role=status] p")[0]).toContain("1.5 MB, 12 conversations, 40 messages");
  const link = all(shown, "a.button")[0] as HTMLAnchorElement;
  expect(link.getAttribute("href")).toBe("/v1/studio/backup/k1");
  link.addEventListener("click", (event) => event.preventDefault());
  link.click();
  await settle();
  expect(all(shown, "a.button")).toEqual([]);
});

test("where the database is PostgreSQL the command of a backup is shown, and a refusal is a sentence", async () => {
  const shown = await tab("operate-backup", { "POST /v1/studio/backup": { command: "pg_dump --format=custom" } });
  await press(shown, "Back up now");
  expect(texts(shown, "pre")).toEqual(["pg_dump --format=custom"]);
  const refused = await tab("operate-backup", {});
  await press(refused, "Back up now");
  expect(texts(refused, "[role=alert]")).toEqual(["No POST /v1/studio/backup."]);
});
