// What a try-out reads out of the bot's files, of what the user does and of the trace.

import { expect, test } from "vitest";
import { outlineOf } from "../src/studio/outline";
import { botOf, channelsOf, mocksOf } from "../src/studio/try-out/bot-file";
import { connection, turnOf } from "../src/studio/try-out/connection";
import { visitsOf } from "../src/studio/try-out/why";
import { files } from "./try-out-page";

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
