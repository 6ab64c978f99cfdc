import { expect, test, vi } from "vitest";
import { Api, Refused } from "../src/studio/api";
import { GoEvent } from "../src/studio/events";
import { Workspace } from "../src/studio/workspace";
import { addressOf, routeAt, takeToken } from "../src/studio/route";
import { FIRST_ROOM, PRESENT, roomsFor } from "../src/studio/rooms";
import { words as frameWords } from "../src/studio/words";
import { match } from "../src/studio/palette/fuzzy";
import { all, type Answer, answers, asked, calls, find, open, press, refused, settle, studio, TABS, TOKENS, words } from "./studio-page";

// -- the way in

test("a link's token goes by POST and is gone from the address before anything is asked", async () => {
  answers["POST /sign-in"] = () => {
    expect(location.href).not.toContain("dll_abc");
    return Response.json({ expiresAt: "" });
  };
  await open("/studio#sign-in=dll_abc");
  expect(asked[0]).toEqual({ call: "POST /sign-in", body: { token: "dll_abc" } });
  expect(calls().slice(0, 2)).toEqual(["POST /sign-in", "GET /session"]);
  expect(location.pathname + location.hash).toBe("/studio");
  expect(all(".card").map((one) => one.getAttribute("href"))).toEqual(["a", "b"].map((id) => `/studio/${id}/${FIRST_ROOM}`));
});

test("with a session no link is needed", async () => {
  await open();
  expect(calls()).toEqual(["GET /session", "GET /bots/a", "GET /bots/a/draft/state"]);
  expect(find("h1")?.textContent).toBe("A");
});

test("without one the page says how to get a link", async () => {
  answers["GET /session"] = () => refused(401, "studio-session");
  await open();
  expect(find("h1")?.textContent).toBe("Sign in to the studio");
  expect(words()).toContain("dialoom studio link");
});

test("a link that was used says what to do", async () => {
  answers["POST /sign-in"] = () => refused(401, "link-over");
  await open("/studio#sign-in=dll_abc");
  expect(find("h1")?.textContent).toBe("This link does not work any more");
  expect(words()).toContain("dialoom studio link");
  expect(calls()).toEqual(["POST /sign-in", "GET /sign-in/ways"]);
});

test("where people sign in at a provider, a link leads there and back to the page that was asked for", async () => {
  answers["GET /session"] = () => refused(401, "studio-session");
  answers["GET /sign-in/ways"] = () => Response.json({ provider: "id.example" });
  await open("/studio/a/operate?tab=tokens");
  const link = all("a").find((one) => one.textContent === "Sign in with id.example");
  expect(link?.getAttribute("href")).toBe("/v1/studio/sign-in/openid?to=%2Fstudio%2Fa%2Foperate%3Ftab%3Dtokens");
  expect(words()).toContain("dialoom studio link");
});

test("without a provider, or where it is not known, links alone are offered", async () => {
  answers["GET /session"] = () => refused(401, "studio-session");
  answers["GET /sign-in/ways"] = () => Response.json({ provider: null });
  await open();
  expect(words()).toContain("dialoom studio link");
  expect(all("a")).toEqual([]);
  studio.remove();
  answers["GET /sign-in/ways"] = () => refused(503, "store-away");
  await open();
  expect(find("h1")?.textContent).toBe("Sign in to the studio");
  expect(all("a")).toEqual([]);
});

test("a link that could not be tried is tried again, and not lost", async () => {
  const works = answers["POST /sign-in"] as Answer;
  answers["POST /sign-in"] = () => refused(503, "store-away", "The store is away.");
  await open("/studio#sign-in=dll_abc");
  expect(find("[role=alert]")?.textContent).toBe("The store is away.");
  answers["POST /sign-in"] = works;
  await press("Try again");
  expect(asked.filter(({ call }) => call === "POST /sign-in").map(({ body }) => body)).toEqual([{ token: "dll_abc" }, { token: "dll_abc" }]);
  expect(find("h1")?.textContent).toBe("Bots");
});

test("a link pasted over the open page signs in as well", async () => {
  answers["GET /session"] = () => refused(401, "studio-session");
  await open();
  answers["GET /session"] = () => Response.json({ role: "", expiresAt: "", release: "", bots: [{ id: "a", name: "A" }] });
  location.hash = "#sign-in=dll_abc";
  dispatchEvent(new Event("hashchange"));
  await settle();
  expect(location.hash).toBe("");
  expect(find("h1")?.textContent).toBe("A");
});

test("signing out shuts the page and asks for a link", async () => {
  await open();
  await press("Sign out");
  expect(calls()).toContain("POST /sign-out");
  expect(find("h1")?.textContent).toBe("You are signed out");
  expect(find("studio-operate")).toBeUndefined();
  // What was asked before is answered after: the session is over then.
  answers["GET /bots/a"] = () => refused(401, "studio-session");
  await expect(studio.api.bot("a")).rejects.toBeInstanceOf(Refused);
  await settle();
  expect(find("h1")?.textContent).toBe("You are signed out");
});

test("a session that ends while one works shuts the page, with all that was shown", async () => {
  await open();
  await press("Show token report");
  expect(words()).toContain("dlm_report");
  answers["POST /bots/a/tokens/report/revoke"] = () => refused(401, "studio-session");
  await press("Revoke token report");
  await press("Revoke");
  expect(find("h1")?.textContent).toBe("Your session is over");
  expect(words()).not.toContain("dlm_report");
});

test("who comes back to a page whose session is over finds it shut", async () => {
  await open();
  answers["GET /session"] = () => refused(401, "studio-session");
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  expect(find("h1")?.textContent).toBe("Your session is over");
});

// -- the frame

test("the switch lists the bots, and the chosen one is marked", async () => {
  await open();
  expect(all("a.bot").map((one) => [one.textContent?.trim().slice(-1), one.getAttribute("aria-current")])).toEqual([["A", "true"], ["B", null]]);
  all("a.bot")[1]?.click();
  await settle();
  expect(location.pathname).toBe("/studio/b/operate");
  expect(find("h1")?.textContent).toBe("B");
  expect(document.title).toBe("B · Operate · Dialoom");
});

test("a token that is shown goes when another bot is chosen", async () => {
  await open();
  await press("Show token report");
  all("a.bot")[1]?.click();
  await settle();
  all("a.bot")[0]?.click();
  await settle();
  expect(words()).not.toContain("dlm_report");
});

test("an unknown bot in the address is said to be unknown", async () => {
  await open("/studio/nobody/operate");
  expect(find("h1")?.textContent).toBe("There is no bot “nobody” here");
  expect(all("a.bot").length).toBe(2);
});

test("a bot that cannot be loaded offers to try again", async () => {
  const works = answers["GET /bots/a"] as Answer;
  answers["GET /bots/a"] = () => refused(503, "store-away", "The store is away.");
  await open();
  expect(words()).toContain("The store is away.");
  answers["GET /bots/a"] = works;
  await press("Try again");
  expect(find("h1")?.textContent).toBe("A");
});

test("the way back to where no bot is named leads to Home", async () => {
  await open("/studio/b/operate?tab=tokens");
  history.replaceState(null, "", "/studio");
  dispatchEvent(new Event("popstate"));
  await settle();
  expect(find("h1")?.textContent).toBe("Bots");
  expect(find("studio-operate")).toBeUndefined();
});

test("a room may have the frame go elsewhere", async () => {
  await open("/studio/b/operate?tab=tokens");
  find("studio-operate")?.dispatchEvent(new GoEvent({ bot: "a", query: "at=x" }));
  await settle();
  expect(location.pathname + location.search).toBe("/studio/a/operate?at=x");
  expect(find("h1")?.textContent).toBe("A");
});

test("a room whose code does not come says so, and the others stay", async () => {
  await open();
  vi.spyOn(document, "createElement").mockImplementationOnce(() => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  await press("Dialoom");
  expect(find("[role=alert] h1")?.textContent).toBe("Home could not be loaded");
  expect(find(".switch")).toBeDefined();
});

test("a service without bots says how to make one", async () => {
  answers["GET /session"] = () => Response.json({ role: "", expiresAt: "", release: "", bots: [] });
  await open("/studio");
  expect(find("h1")?.textContent).toBe("There is no bot yet");
});

test("a service without bots offers what a first one starts from", async () => {
  answers["GET /session"] = () => Response.json({ role: "administrator", expiresAt: "", release: "", bots: [] });
  answers["POST /bots"] = () => Response.json({ id: "nachtdienst-fur-alle" }, { status: 201 });
  await open("/studio");
  expect(all("input[type=radio]").map((one) => (one as HTMLInputElement).value)).toEqual(["appointment", "shop", "questions", "blank"]);
  const name = find("input[name=name]") as HTMLInputElement;
  name.value = "Nachtdienst für alle";
  name.dispatchEvent(new Event("input"));
  await settle();
  expect((find("input[name=id]") as HTMLInputElement).value).toBe("nachtdienst-fur-alle");
  answers["GET /session"] = () => Response.json({ role: "administrator", expiresAt: "", release: "", bots: [{ id: "nachtdienst-fur-alle", name: "Nachtdienst für alle" }] });
  find("studio-new-bot form")?.dispatchEvent(new Event("submit", { cancelable: true }));
  all("form")[0]?.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(asked.find(({ call }) => call === "POST /bots")?.body).toEqual({ id: "nachtdienst-fur-alle", name: "Nachtdienst für alle", language: "en", start: "appointment" });
  expect(location.pathname).toBe(`/studio/nachtdienst-fur-alle/${FIRST_ROOM}`);
  expect(find("studio-home")).toBeUndefined();
});

test("each bot's card says how it stands, as far as the service tells", async () => {
  answers["GET /bots/a/versions"] = () =>
    Response.json([
      { version: "0123456789ab", isActive: true, activatedAt: "2026-11-20T10:00:00Z", runningTalks: 3 },
      { version: "fedcba987654", isActive: false, activatedAt: null, runningTalks: 2 },
    ]);
  answers["GET /bots/a/draft/state"] = () => Response.json({ unpublished: 3, findings: 2, hasTests: true, author: "Ada" });
  answers["POST /bots/a/tests/run"] = () => Response.json({ suites: [], passed: 4, failed: 1 });
  await open("/studio");
  const cards = () => all("li.bot").map((one) => one.textContent?.replace(/\s+/g, " ").trim());
  await vi.waitUntil(() => cards()[0] !== "A");
  expect(cards()[0]).toMatch(/^A Unpublished · 3 changes by Ada Version\s*01234567 · 20 Nov 2026/);
  expect(cards()[1]).toBe("B No, because.Try again");
  expect(cards()[0]).toMatch(/Running talks\s*5, 2 on older versions.*Findings\s*2/);
  await vi.waitUntil(() => cards()[0]?.includes("1 of 5 failed"));
  (all("a").find((one) => one.textContent === "1 of 5 failed") as HTMLElement).click();
  await settle();
  expect(location.pathname).toBe("/studio/a/test");
});

test("an analyst is shown what is theirs, and asks for nothing else", async () => {
  answers["GET /session"] = () => Response.json({ role: "analyst", expiresAt: "", release: "", bots: [{ id: "a", name: "A" }] });
  const asked: string[] = [];
  for (const what of ["versions", "draft/state"]) answers[`GET /bots/a/${what}`] = () => (asked.push(what), refused(403, "role"));
  await open("/studio");
  await settle();
  expect(asked).toEqual([]);
  expect(all("li.bot").map((one) => one.textContent?.trim())).toEqual(["A"]);
  expect(all("button").map((one) => one.textContent?.trim())).not.toContain("New bot");
  expect(roomsFor("analyst").every((room) => ["conversations", "insights"].includes(room))).toBe(true);
  expect(roomsFor("developer")).not.toContain("people");
  expect(roomsFor("administrator")).toContain("operate");
});

test("who has a role for named bots makes no bot and sees nothing of the whole service", async () => {
  answers["GET /session"] = () => Response.json({ role: "administrator", isForNamedBots: true, expiresAt: "", release: "", bots: [{ id: "a", name: "A" }] });
  await open("/studio");
  await settle();
  expect(all("button").map((one) => one.textContent?.trim())).not.toContain("New bot");
  expect(roomsFor("administrator", true)).not.toContain("people");
  expect(roomsFor("administrator", true)).toContain("operate");
});

// -- the palette

const field = () => find("input[role=combobox]") as HTMLInputElement;
const options = () => all("[role=option]").map((one) => one.textContent?.replace(/\s+/g, " ").trim());

async function search(text: string): Promise<void> {
  dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, cancelable: true }));
  await vi.waitUntil(() => field());
  await settle();
  field().value = text;
  field().dispatchEvent(new Event("input"));
  await settle();
}

async function key(name: string): Promise<void> {
  field().dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
  await settle();
}

test("the palette finds rooms, bots and what the flow holds, and Enter goes there", async () => {
  const flow = { conversations: { book: { type: "goal", steps: [{ type: "question", entity: "day", messages: ["For which day?"] }] } } };
  answers["GET /bots/a/draft"] = () => Response.json({ source: "folder", revision: "1", files: { "flow.json": JSON.stringify(flow) }, findings: [] });
  await open();
  await search("");
  expect(options()).toEqual([...TABS.map((tab) => `Operate: ${tab} Command`), "Try out Command", "Sign out Command", ...PRESENT.map((room) => `${frameWords.room[room]} Room`), "Home Room", "A a Bot", "B b Bot", "book goal Conversation", "book 1 · day For which day? Step", "day Entity"]);
  await search("boday");
  expect(options()[0]).toBe("book 1 · day For which day? Step");
  await search("zzz");
  expect(field().getAttribute("aria-expanded")).toBe("false");
  expect(words()).toContain("Nothing is called so.");
  await search("b");
  await key("ArrowDown");
  await key("ArrowUp");
  await key("ArrowUp");
  expect(field().getAttribute("aria-activedescendant")).toBe(`found-${options().length - 1}`);
  await search("home");
  await key("Enter");
  expect(location.pathname).toBe("/studio");
});

test.each([
  ["boday", "book 1 · day", "abode in a way"],
  ["set", "Settings", "Reset it"],
  ["ub", "Übergabe", "Hub"],
])("%s is rather %s than %s", (sought, better, worse) => {
  expect(match(sought, better)?.score ?? -1).toBeGreaterThan(match(sought, worse)?.score ?? -1);
});

test("letters that are not there in their order are not found", () => {
  expect(match("tse", "Set")).toBeNull();
});

test("from nine bots on they can be searched", async () => {
  const bots = Array.from({ length: 9 }, (_, at) => ({ id: `bot-${at}`, name: `Bot ${at}` }));
  answers["GET /session"] = () => Response.json({ role: "", expiresAt: "", release: "", bots });
  await open("/studio");
  const field = find("input.search") as HTMLInputElement;
  field.value = "bot-7";
  field.dispatchEvent(new Event("input"));
  await settle();
  expect(all("a.bot").map((one) => one.textContent?.trim())).toEqual([expect.stringContaining("Bot 7")]);
});

test("a wait of more than 300 ms shows that something goes on", async () => {
  vi.useFakeTimers();
  try {
    let give: (response: Response) => void = () => undefined;
    const waits: boolean[] = [];
    const api = new Api(() => new Promise((resolve) => (give = resolve)));
    api.onwait = (isWaiting) => waits.push(isWaiting);
    const visit = api.visit();
    await vi.advanceTimersByTimeAsync(299);
    expect(waits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(waits).toEqual([true]);
    give(Response.json({}));
    await visit;
    expect(waits).toEqual([true, false]);
  } finally {
    vi.useRealTimers();
  }
});

// -- addresses

test.each([
  ["/studio", null, null],
  ["/studio/", null, null],
  ["/studio/a/operate", "a", "operate"],
  ["/studio/a%20b/operate/", "a b", "operate"],
  ["/studio/%E0%A4/operate", "%E0%A4", "operate"],
  ["/studio/a/nothing", "a", FIRST_ROOM],
])("the place at %s", (path, id, room) => expect(routeAt(path)).toEqual({ bot: id, room, query: "" }));

test("a place has one address", () => {
  expect(addressOf({ bot: null })).toBe("/studio");
  expect(addressOf({ bot: "a b", room: "hand-off", query: "at=c" })).toBe("/studio/a%20b/hand-off?at=c");
  expect(routeAt("/studio/a/operate", "?at=c").query).toBe("at=c");
});

test("the old address of tokens and channels leads to Operate", () => {
  expect(routeAt("/studio/a%20b/settings")).toEqual({ bot: "a b", room: "operate", query: "tab=tokens" });
});

test.each([
  ["#sign-in=dll_a-b_c", "dll_a-b_c"],
  ["#sign-in=", "-"],
  ["#sign-in=<script>", "-"],
  [`#sign-in=${"x".repeat(101)}`, "-"],
  ["#tokens", null],
  ["", null],
])("the token of %s", (hash, found) => {
  history.replaceState(null, "", `/studio${hash}`);
  expect(takeToken()).toBe(found);
  expect(location.hash).toBe(found === null ? hash : "");
});

test("a service that cannot be reached is an error that says so", async () => {
  const api = new Api(() => Promise.reject(new TypeError("failed")));
  await expect(api.visit()).rejects.toMatchObject({ status: 0, code: "unreachable" });
  await expect(new Api(async () => new Response("<h1>Bad gateway</h1>", { status: 502 })).visit()).rejects.toBeInstanceOf(Refused);
});

test("a service that does not answer is given up, and what it sends no more", async () => {
  vi.useFakeTimers();
  const hangs = (_: string, { signal }: RequestInit) => new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))));
  const asked = new Api(hangs).visit();
  const refused = expect(asked).rejects.toMatchObject({ status: 0, code: "unreachable" });
  await vi.advanceTimersByTimeAsync(180_000);
  await refused;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await expect(new Api(async () => new Response('{"role": "admin')).visit()).rejects.toMatchObject({ code: "unreachable" });
});

// -- checks of what is typed

test("one check is on its way at a time, and after it the newest text is checked", async () => {
  vi.useFakeTimers();
  const checked: string[] = [];
  let answer = (): void => undefined;
  const api = new Api(async (url, init) => {
    if (!url.endsWith("/check")) return Response.json({ source: "folder", revision: "1", files: { "flow.json": "[]" }, findings: [] });
    checked.push((JSON.parse(String(init.body)) as { files: Record<string, string> }).files["flow.json"] ?? "");
    await new Promise<void>((resolve) => (answer = resolve));
    return Response.json({ findings: [] });
  });
  const workspace = new Workspace(api);
  await workspace.load("a");
  for (const text of ["[1]", "[2]", "[3]"]) {
    workspace.set("flow.json", text);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(checked).toEqual(["[1]"]);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(checked).toEqual(["[1]", "[3]"]);
  answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(checked).toHaveLength(2);
  vi.useRealTimers();
});

// -- changes that are not saved

async function change(): Promise<void> {
  answers["GET /bots/a/draft"] = () => Response.json({ source: "folder", revision: "1", files: { "flow.json": "[]" }, findings: [] });
  answers["PUT /bots/a/draft"] = () => Response.json({ revision: "2", findings: [] });
  answers["POST /bots/a/draft/check"] = () => Response.json({ findings: [] });
  await open();
  await studio.workspace.load("a");
  studio.workspace.set("flow.json", "[1]");
}

test("another bot is opened once the author has dropped what is not saved", async () => {
  await change();
  await press("BB");
  expect(location.pathname).toBe("/studio/a/operate");
  await press("Stay here");
  expect(studio.workspace.isChanged).toBe(true);
  await press("BB");
  await press("Drop them");
  expect(location.pathname).toBe("/studio/b/operate");
  expect(studio.workspace.isChanged).toBe(false);
});

test("what is not saved is saved before another bot is opened, also by the browser's own Back", async () => {
  await change();
  history.pushState(null, "", "/studio/b/operate");
  dispatchEvent(new PopStateEvent("popstate"));
  await settle();
  expect(location.pathname).toBe("/studio/a/operate");
  await press("Save them");
  expect(calls()).toContain("PUT /bots/a/draft");
  expect(location.pathname).toBe("/studio/b/operate");
});

test("the palette does not wait for files that do not come, and finds them when they do", async () => {
  let come: (answer: Response) => void = () => undefined;
  answers["GET /bots/a/draft"] = () => new Promise<Response>((resolve) => (come = resolve)) as unknown as Response;
  await open(TOKENS);
  dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
  await settle();
  expect(options()?.join()).toContain("Operate");
  come(Response.json({ source: "folder", revision: "1", files: { "flow.json": '{"conversations": {"book-a-table": {"steps": []}}}' }, findings: [] }));
  await settle();
  await search("book-a");
  expect(options()?.join()).toContain("book-a-table");
});
