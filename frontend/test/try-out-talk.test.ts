// The talk of a try-out, without the pane that shows it.

import { expect, test, vi } from "vitest";
import { asked, calls, service, settle, talking, texts, workspace } from "./try-out-page";

const UNREACHABLE = () => {
  throw new TypeError("fetch failed");
};

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
  service.state = {};
  await talking();
  expect(calls()).toEqual(["POST try-outs", "GET try-outs/t1", "POST try-outs"]);
});

test("a change of the files that stops for 400 ms is played up to the present turn, and told where it goes another way", async () => {
  const talk = await talking("plum", "pear");
  vi.useFakeTimers();
  try {
    service.answer = (said) => (said === "pear" ? "No pears." : `You said ${said}.`);
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
  service.refuse = (call) => (call.endsWith("/replay") ? Response.json({ code: "findings", detail: "No.", findings: [{ message: "flow.json:1: no JSON" }] }, { status: 422 }) : undefined);
  workspace.set("flow.json", "{");
  await talk.replay();
  expect(talk.problem).toBe("");
  expect(talk.findings.map(({ message }) => message)).toEqual(["flow.json:1: no JSON"]);
  expect(texts(talk)).toEqual(["plum", "You said plum."]);
  service.refuse = null;
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

test("after an answer that was lost the talk is loaded again, and a turn that broke off asks what is to become of it", async () => {
  const talk = await talking();
  let isAway = true;
  service.refuse = (call) => {
    if (call.endsWith("/turns")) service.state = { ...service.state, revision: "9", waiting: [{ user: {} }], asks: null };
    else if (call.endsWith("/replay")) service.state = { ...service.state, waiting: [{ user: { text: "4" } }], asks: { turn: 0, call: "c1", method: "POST", url: "https://x.test/", body: "", tried: "It was sent once." } };
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
  service.refuse = (call) => (call.endsWith("/turns") ? UNREACHABLE() : undefined);
  await talk.say({ text: "pear" });
  expect(talk.problem).toContain("cannot be reached");
  expect(talk.isBusy).toBe(false);
  expect(texts(talk)).toEqual(["plum", "You said plum."]);
});

test("a replay that did not arrive is played when the service is back", async () => {
  const talk = await talking("plum");
  let failures = 1;
  service.refuse = (call) => (call.endsWith("/replay") && failures-- > 0 ? UNREACHABLE() : undefined);
  service.answer = () => "Other.";
  await talk.replay();
  expect(talk.problem).toBe("");
  expect(texts(talk)).toEqual(["plum", "Other."]);
});
