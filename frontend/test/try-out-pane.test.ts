// What the pane of a try-out shows, and what is done in it.

import { expect, test } from "vitest";
import type { OpenPathEvent } from "../src/studio/events";
import { all, asked, bubbles, open, pane, say, service, settle, workspace } from "./try-out-page";

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
  service.answer = (said) => (said === "pear" ? "No pears." : `You said ${said}.`);
  workspace.set("flow.json", "{}");
  await settle(520);
  expect(all(".differs summary", pane!.renderRoot)[0]?.textContent).toBe("Answers otherwise from message 2");
  expect(all(".before", pane!.renderRoot).map((one) => one.textContent)).toEqual(["You said pear."]);
  expect(bubbles()).toEqual(["plum", "You said plum.", "pear", "No pears."]);
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

test("a try-out that cannot begin says why and tries again", async () => {
  service.refuse = (call) => (call === "POST try-outs" ? Response.json({ code: "findings", detail: "flow.json has errors.", findings: [] }, { status: 422 }) : undefined);
  await open();
  expect(all("[role=alert] p", pane!.renderRoot)[0]?.textContent).toBe("flow.json has errors.");
  service.refuse = null;
  all("[role=alert] button", pane!.renderRoot)[0]!.click();
  await settle(60);
  expect(all("dialoom-chat", pane!.renderRoot).length).toBe(1);
});
