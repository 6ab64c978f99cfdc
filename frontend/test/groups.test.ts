import { expect, test } from "vitest";
import type { Parcel } from "../src/chat/outbox";
import type { Message } from "../src/protocol/wire";
import { answerable, type Drawn, groups, inPlace, isPaging, newlyFailed, PagesInPlace } from "../src/view/groups";

const START = Date.parse("2030-05-12T10:00:00Z");

function message(position: number, from: "user" | "bot", more: Partial<Message> = {}): Drawn {
  const createdAt = new Date(START + position * 1000).toISOString();
  const key = more.clientId ?? `m${position}`;
  return { id: `m${position}`, key, position, from, type: "text", text: `${position}`, createdAt, replies: [], ...more };
}

const parcel = (id: string, state: Parcel["state"]): Parcel => ({ id, content: { text: id }, shown: id, state, at: START });

test("messages of one speaker stand together", () => {
  const found = groups([message(1, "bot"), message(2, "bot"), message(3, "user"), message(4, "bot")], []);
  expect(found.map((group) => [group.from, group.lines.length])).toEqual([["bot", 2], ["user", 1], ["bot", 1]]);
});

test("what is on its way comes last, also when its clock is behind", () => {
  const found = groups([message(5000, "bot")], [parcel("p", "sending")]);
  expect(found.map((group) => group.from)).toEqual(["bot", "user"]);
  expect(found[1]?.time).toBeNull();
});

test("the time stands above the first message and after a long silence", () => {
  const found = groups([message(1, "bot"), message(2, "bot"), message(3600, "bot")], []);
  expect(found.map((group) => group.time !== null)).toEqual([true, true]);
  expect(found.map((group) => group.lines.length)).toEqual([2, 1]);
});

test("a message keeps its key when the service's copy replaces the one on its way", () => {
  expect(groups([], [parcel("p", "sent")])[0]?.lines[0]?.key).toBe("p");
  expect(groups([message(1, "user", { clientId: "p" })], [])[0]?.lines[0]?.key).toBe("p");
});

test("opening events are not shown", () => {
  expect(groups([message(1, "user", { type: "event", text: "" })], [])).toEqual([]);
});

test("a choice without words is not shown, on its way or there, unless it did not get through", () => {
  const silent = (state: Parcel["state"]) => ({ ...parcel("p", state), shown: "" });
  expect(groups([message(1, "user", { type: "option", text: "" })], [silent("sending"), silent("sent")])).toEqual([]);
  expect(groups([], [silent("failed")])[0]?.lines[0]?.key).toBe("p");
  expect(groups([message(1, "user", { type: "option", text: "Green" })], [])).toHaveLength(1);
  const picture = { ...silent("sending"), files: [{ url: "/p", mimeType: "image/png", name: "" }] };
  expect(groups([], [picture])).toHaveLength(1);
});

test("only the bot's newest message can be answered", () => {
  const [first, second] = [message(1, "bot"), message(2, "bot")];
  expect(answerable([first, second], [])).toBe(second);
  expect(answerable([first, message(2, "user")], [])).toBeNull();
  expect(answerable([], [])).toBeNull();
});

test("an answer on its way takes the replies away and one that failed brings them back", () => {
  expect(answerable([message(1, "bot")], [parcel("p", "sending")])).toBeNull();
  expect(answerable([message(1, "bot")], [parcel("p", "sent")])).toBeNull();
  expect(answerable([message(1, "bot")], [parcel("p", "failed")])?.id).toBe("m1");
});

test("another page of replies takes the place of the one before, and the wish for it goes", () => {
  const pages = [
    message(1, "bot"),
    message(2, "user", { type: "option", text: "Next 5" }),
    message(3, "bot", { replaces: "m1" }),
    message(4, "user", { text: "next 5" }),
    message(5, "bot", { replaces: "m3" }),
  ];
  const [only, ...others] = inPlace(pages);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ id: "m5", key: "m1", position: 5, createdAt: pages[0]?.createdAt });
  expect(answerable(inPlace(pages), [])?.id).toBe("m5");
});

test("a page whose question stands further up, or is not here any more, stands for itself", () => {
  const talk = [message(1, "bot"), message(2, "user"), message(3, "bot"), message(4, "user"), message(5, "bot", { replaces: "m1" })];
  expect(inPlace(talk).map(({ id }) => id)).toEqual(["m1", "m2", "m3", "m4", "m5"]);
  expect(inPlace(talk.slice(4)).map(({ id }) => id)).toEqual(["m5"]);
});

test("the wish for another page is no message, and leaves the replies where they are", () => {
  const wish = (state: Parcel["state"]): Parcel => ({ ...parcel("p", state), content: { option: { key: "3.next" } } });
  expect(isPaging(parcel("p", "sending"))).toBe(false);
  expect(isPaging({ ...parcel("p", "sending"), content: { option: { key: "3.1" } } })).toBe(false);
  expect(groups([message(1, "bot")], [wish("sending")])).toHaveLength(1);
  expect(answerable([message(1, "bot")], [wish("sent")])?.id).toBe("m1");
  expect(groups([message(1, "bot")], [wish("failed")])).toHaveLength(2);
});

test("a wish for another page is not seen while the page for it is on its way", () => {
  const pages = new PagesInPlace();
  const wish: Parcel = { ...parcel("p", "sent"), content: { option: { key: "3.next" } } };
  const [question, said] = [message(1, "bot"), message(2, "user", { type: "option", text: "Next 5", clientId: "p" })];
  expect(pages.put([question], [wish]).map(({ id }) => id)).toEqual(["m1"]);
  expect(pages.put([question, said], []).map(({ id }) => id)).toEqual(["m1"]);
  expect(pages.put([question, said, message(3, "bot", { replaces: "m1" })], []).map(({ id }) => id)).toEqual(["m3"]);
});

test("a message that fails is the newest failure once", () => {
  const failed = [parcel("a", "failed"), parcel("b", "failed")];
  expect(newlyFailed([parcel("a", "failed"), parcel("b", "sending")], failed)?.id).toBe("b");
  expect(newlyFailed(failed, failed)).toBeUndefined();
  expect(newlyFailed([], [parcel("a", "sending")])).toBeUndefined();
});
