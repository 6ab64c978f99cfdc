import { expect, test } from "vitest";
import { readMessage, readMessages, readOpened } from "../src/protocol/wire";

test("what is no message is left out, the others are read", () => {
  const given = [null, 3, {}, { id: "a" }, { id: "a", position: 1.5 }, { id: "b", position: 2, from: "bot", text: "hi" }];
  expect(readMessages(given).map((message) => message.id)).toEqual(["b"]);
  expect(readMessages("nothing")).toEqual([]);
});

test("a message of a newer service is read as far as it is known", () => {
  const message = readMessage({ id: "a", position: 1, from: "bot", type: "hologram", text: "look", glow: true });
  expect(message).toMatchObject({ type: "hologram", text: "look", replies: [] });
});

test("options keep their key, value, image and kind", () => {
  const replies = [{ key: "1.0", title: "A", value: { a: 1 }, image: "https://x.test/a.png" }, { title: "Next 5", system: "next" }];
  expect(readMessage({ id: "a", position: 1, replies })?.replies).toEqual(replies);
});

test("an option without a title shows its value", () => {
  expect(readMessage({ id: "a", position: 1, replies: [{ value: 5 }] })?.replies[0]?.title).toBe("5");
});

test("a session's cursor is a number and its bot has a language", () => {
  const opened = readOpened({ token: "t", cursor: "17", user: { id: "u" }, bot: { id: "b", name: "Bot" } });
  expect(opened).toMatchObject({ cursor: 17, user: "u", bot: { language: "en", avatarUrl: null } });
});
