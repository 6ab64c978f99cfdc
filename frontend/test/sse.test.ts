import { expect, test } from "vitest";
import { EventReader } from "../src/protocol/sse";

const read = (...pieces: string[]) => {
  const reader = new EventReader();
  return pieces.flatMap((piece) => reader.push(piece));
};

test("an event is handed over when its blank line arrives", () => {
  expect(read("event: message\nid: 7\ndata: {}\n")).toEqual([]);
  expect(read("event: message\nid: 7\ndata: {}\n\n")).toEqual([{ type: "message", data: "{}", id: "7" }]);
});

test("a stream cut at any byte gives the same events", () => {
  const whole = "\uFEFF: hello\r\nevent: typing\r\ndata: a\r\ndata: b\r\n\r\nid: 3\rdata: c\r\rdata: d\n\n";
  const expected = read(whole);
  expect(expected).toEqual([
    { type: "typing", data: "a\nb", id: "" },
    { type: "message", data: "c", id: "3" },
    { type: "message", data: "d", id: "3" },
  ]);
  for (let cut = 1; cut < whole.length; cut += 1) expect(read(whole.slice(0, cut), whole.slice(cut))).toEqual(expected);
  expect(read(...whole)).toEqual(expected);
});

test("comments, fields without a name and events without data are passed over", () => {
  expect(read(": still here\n\nevent: typing\n\nnonsense\nunknown: x\n\n")).toEqual([]);
});

test("only one space after the colon belongs to the syntax", () => {
  expect(read("data:  two\n\ndata:none\n\ndata\n\n").map((event) => event.data)).toEqual([" two", "none", ""]);
});

test("an id with a NUL does not count, and retry takes digits alone", () => {
  const reader = new EventReader();
  const events = reader.push("id: 4\nid: 5\0\nretry: 2500\nretry: soon\ndata: x\n\n");
  expect(events).toEqual([{ type: "message", data: "x", id: "4" }]);
  expect(reader.retry).toBe(2500);
});
