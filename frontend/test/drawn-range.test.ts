import { expect, test } from "vitest";
import type { Message } from "../src/protocol/wire";
import { DrawnRange } from "../src/view/drawn-range";

const talk = (from: number, to: number): Message[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    id: `m${from + at}`,
    position: from + at,
    from: (from + at) % 2 ? "user" : "bot",
    type: "text",
    text: "",
    createdAt: "2030-01-01T00:00:00Z",
    replies: [],
  }));

test("the newest hundred are drawn, those that come beside them, and no more than twice as many", () => {
  const range = new DrawnRange();
  expect(range.cut(talk(1, 40), true)).toHaveLength(40);
  expect(range.cut(talk(1, 200), true)).toHaveLength(200);
  expect(range.cut(talk(1, 201), true)).toHaveLength(100);
  expect(range.cut(talk(1, 250), true)).toHaveLength(149);
});

test("nothing is cut off while the reader is further up", () => {
  const range = new DrawnRange();
  range.cut(talk(1, 100), true);
  expect(range.cut(talk(1, 1000), false)).toHaveLength(1000);
});

test("older messages come a hundred at a time until there are none", () => {
  const range = new DrawnRange();
  const all = talk(1, 350);
  range.cut(all, true);
  expect(range.extend(all).map(({ position }) => position)).toEqual(talk(151, 250).map(({ position }) => position));
  expect(range.extend(all)).toHaveLength(100);
  expect(range.extend(all)).toHaveLength(50);
  expect(range.extend(all)).toEqual([]);
  expect(range.cut(all, false)).toHaveLength(350);
});

test("what is drawn begins where a speaker does", () => {
  const range = new DrawnRange();
  const all = talk(1, 300).map((message) => ({ ...message, from: message.position < 190 ? ("user" as const) : ("bot" as const) }));
  expect(range.cut(all, true)[0]?.position).toBe(190);
});

test("a talk that was erased is drawn from its first message", () => {
  const range = new DrawnRange();
  range.cut(talk(1, 300), true);
  expect(range.cut([], true)).toEqual([]);
  expect(range.cut(talk(1, 3), true)).toHaveLength(3);
});
