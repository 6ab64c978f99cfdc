import { expect, test } from "vitest";
import { Transcript } from "../src/chat/transcript";
import type { Message } from "../src/protocol/wire";

const message = (position: number): Message => ({
  id: `m${position}`,
  position,
  from: "bot",
  type: "text",
  text: `${position}`,
  createdAt: "2030-01-01T00:00:00Z",
  replies: [],
});

const positions = (transcript: Transcript) => transcript.messages.map((one) => one.position);

test("messages stand in the order of their positions, however they arrive", () => {
  const transcript = new Transcript();
  transcript.add([message(3), message(1)]);
  transcript.add([message(2)]);
  expect(positions(transcript)).toEqual([1, 2, 3]);
  expect(transcript.last).toBe(3);
});

test("a message that comes twice is kept once and told as new once", () => {
  const transcript = new Transcript();
  expect(transcript.add([message(1), message(1)])).toHaveLength(1);
  expect(transcript.add([message(1), message(2)]).map((one) => one.position)).toEqual([2]);
  expect(positions(transcript)).toEqual([1, 2]);
});

test("the list stays the same object when nothing new came", () => {
  const transcript = new Transcript();
  transcript.add([message(1)]);
  const before = transcript.messages;
  transcript.add([message(1)]);
  expect(transcript.messages).toBe(before);
});
