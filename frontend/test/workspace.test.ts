import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Api } from "../src/studio/api";
import { Workspace } from "../src/studio/workspace";

let asked: { call: string; body: { revision?: string; files?: object } | undefined }[];
let answer: (call: string) => Response;
let workspace: Workspace;

const draft = { source: "folder", revision: "1", base: "v", files: { "bot.json": "{}", "flow.json": "[]" }, canWriteFolder: true, folder: "/b", findings: [], unpublished: 1, author: null };

beforeEach(async () => {
  vi.useFakeTimers();
  asked = [];
  answer = (call) => Response.json(call.startsWith("GET") ? draft : { revision: "2", findings: [{ rule: "r", level: "error" }], unpublished: 2 });
  const api = new Api(async (url, init) => {
    const call = `${init.method} ${url.replace("/v1/studio/bots/", "")}`;
    asked.push({ call, body: init.body ? JSON.parse(String(init.body)) : undefined });
    return answer(call);
  });
  workspace = new Workspace(api);
});

afterEach(() => vi.useRealTimers());

test("the draft is loaded once for all who ask", async () => {
  await Promise.all([workspace.load("tea"), workspace.load("tea")]);
  await workspace.load("tea");
  expect(asked.map(({ call }) => call)).toEqual(["GET tea/draft"]);
  expect(workspace.files).toEqual(draft.files);
});

test("a draft that did not come is asked for again", async () => {
  answer = () => Response.json({ code: "store", detail: "The store is away." }, { status: 503 });
  await workspace.load("tea");
  expect(workspace.problem?.message).toBe("The store is away.");
  answer = () => Response.json(draft);
  await workspace.load("tea");
  expect(workspace.problem).toBeNull();
  expect(workspace.revision).toBe("1");
});

test("changes are checked together once they stop for a while, and only they are sent", async () => {
  await workspace.load("tea");
  workspace.set("flow.json", "[1]");
  await vi.advanceTimersByTimeAsync(299);
  workspace.set("bot.json", null);
  workspace.set("tests/a.json", "{}");
  await vi.advanceTimersByTimeAsync(299);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.slice(1)).toEqual([{ call: "POST tea/draft/check", body: { files: { "flow.json": "[1]", "bot.json": null, "tests/a.json": "{}" } } }]);
  expect(workspace.findings).toEqual([{ rule: "r", level: "error" }]);
});

test("saving sends what is changed with the revision it was made on", async () => {
  await workspace.load("tea");
  workspace.set("flow.json", "[1]");
  await workspace.save();
  expect(asked.at(-1)).toEqual({ call: "PUT tea/draft", body: { revision: "1", files: { "flow.json": "[1]" } } });
  expect(workspace.isChanged).toBe(false);
  expect(workspace.revision).toBe("2");
});

test("a save that meets the changes of somebody else keeps both until one is taken", async () => {
  await workspace.load("tea");
  workspace.set("flow.json", "[1]");
  answer = () => Response.json({ code: "draft-changed", detail: "Changed.", revision: "7", files: { "bot.json": "{}", "flow.json": "[2]" } }, { status: 409 });
  await expect(workspace.save()).rejects.toMatchObject({ code: "draft-changed" });
  expect(workspace.files["flow.json"]).toBe("[1]");
  expect(workspace.conflict?.files["flow.json"]).toBe("[2]");
  workspace.take({ "bot.json": "{}", "flow.json": "[1, 2]" });
  expect(workspace.changed()).toEqual({ "flow.json": "[1, 2]" });
  expect(workspace.revision).toBe("7");
});

test("whoever subscribed is told of each change", async () => {
  const hear = vi.fn();
  const stop = workspace.subscribe(hear);
  await workspace.load("tea");
  hear.mockClear();
  workspace.set("flow.json", "[1]");
  expect(hear).toHaveBeenCalledTimes(1);
  stop();
  workspace.set("flow.json", "[2]");
  expect(hear).toHaveBeenCalledTimes(1);
});

test("how much is not published is known once it is loaded, checked and saved, and gone with another bot", async () => {
  await workspace.load("tea");
  expect([workspace.unpublished, workspace.errors]).toEqual([1, 0]);
  workspace.set("flow.json", "[1]");
  await vi.advanceTimersByTimeAsync(300);
  expect([workspace.unpublished, workspace.errors]).toEqual([2, 1]);
  await workspace.save();
  expect(workspace.unpublished).toBe(2);
  void workspace.load("cake");
  expect(workspace.unpublished).toBe(0);
});
