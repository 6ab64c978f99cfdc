// Calls of a try-out: recorded, mocked or real, and the question before one that writes.

import { expect, test } from "vitest";
import { all, asked, bubbles, calls, open, pane, say, service, settle, talking } from "./try-out-page";

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
  service.state = { ...service.state, mocks: {} };
  await say("stock");
  press()!.click();
  await settle(60);
  expect(service.state.mocks).toEqual({ "https://x.test": { GET: "{{other}}" } });
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
  expect(service.state.calls).toBe("recorded");
  expect(all(".acting", pane!.renderRoot)).toEqual([]);
  await talk.set({ calls: "real" }).then(() => talk.set({ calls: "real" }));
  await talk.start();
  expect(asked.filter(({ call }) => call === "POST try-outs").at(-1)?.body.calls).toBe("recorded");
});

test("a talk that stops at a write asks whether it is sent, and plays on when it is", async () => {
  await open();
  service.writes = "plum";
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
  service.writes = "plum";
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
  service.writes = "plum";
  await say("plum");
  const inside = all("studio-try-asks", pane!.renderRoot)[0]!.shadowRoot!;
  all("button", inside).find((one) => one.textContent === "Use the answers of the tests")!.click();
  await settle(60);
  expect(service.state.calls).toBe("mocked");
  expect(asked.at(-1)).toMatchObject({ call: "POST try-outs/t1/replay" });
  expect(asked.at(-1)?.body.decision).toBeUndefined();
});

test("a message at which the talk stopped is taken back", async () => {
  await open();
  service.writes = "plum";
  await say("plum");
  all(".plain", pane!.renderRoot).find((one) => one.getAttribute("aria-label") === "Take back your last message")!.click();
  await settle(60);
  expect(asked.at(-1)).toMatchObject({ call: "POST try-outs/t1/rewind", body: { to: 0 } });
  expect(bubbles()).toEqual([]);
});

test("where real calls need an administrator, a developer goes on with mocked ones", async () => {
  service.refuse = (call) => (call === "POST try-outs" && asked.at(-1)?.body.calls !== "mocked" ? Response.json({ code: "administrator-needed", detail: "This needs an administrator." }, { status: 403 }) : undefined);
  await open();
  expect(all("[role=alert] p", pane!.renderRoot)[0]?.textContent).toBe("This needs an administrator.");
  all("[role=alert] button", pane!.renderRoot).find((one) => one.textContent === "Go on with mocked calls")!.click();
  await settle(60);
  expect(asked.filter(({ call }) => call === "POST try-outs").at(-1)?.body).toMatchObject({ calls: "mocked", mocks: { "https://x.test": { GET: "{{other}}" } } });
  expect(all("dialoom-chat", pane!.renderRoot).length).toBe(1);
});

test("while it asks nothing else is sent: the text stays, why is said, and the focus goes where nothing is sent", async () => {
  await open();
  service.writes = "plum";
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
