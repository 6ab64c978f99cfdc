import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { insertAt, insertKey, moveItem, moveMember, removeAt, renameKey, setAt } from "../src/studio/build/json-edit";
import { JsonMistake, nodeAt, type Path, pathAt, readTree, resolved, valueOf } from "../src/studio/build/json-tree";

const FLOW = readFileSync("../examples/clinic/flow.json", "utf8");

const SMALL = `{
    "a": [1, 2,   3],
    "steps": [
        { "type": "message",   "messages": ["Hi"] },
        {
            "type": "question"
        }
    ],
    "last": {}
}
`;

/** A generator of numbers below `limit`, the same ones for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const KEYS = ["type", "a", "b/c", 'q"uote', "ключ", "__proto__", "note", "steps"];

function randomValue(next: (limit: number) => number, depth = 3): unknown {
  const kind = next(depth > 0 ? 8 : 5);
  if (kind === 0) return null;
  if (kind === 1) return next(2) === 1;
  if (kind === 2) return next(2000) / 8 - 100;
  if (kind < 5) return ["", "Hallo", 'with "quotes" and \\', "line\nbreak", "x".repeat(90), "{{name}}", "😀"][next(7)];
  if (kind < 7) return Array.from({ length: next(4) }, () => randomValue(next, depth - 1));
  const made: [string, unknown][] = KEYS.filter(() => next(3) === 0).map((key) => [key, randomValue(next, depth - 1)]);
  return Object.fromEntries(made);
}

/** Writes a value with odd spaces and line breaks, as an author might. */
function untidy(value: unknown, next: (limit: number) => number, indent = ""): string {
  const gap = () => ["", " ", "  ", `\n${indent}  `, "\t"][next(5)] ?? "";
  if (Array.isArray(value)) return `[${gap()}${value.map((one) => untidy(one, next, `${indent}  `)).join(`${gap()},${gap()}`)}${gap()}]`;
  if (typeof value === "object" && value !== null)
    return `{${gap()}${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}${gap()}:${gap()}${untidy(one, next, `${indent}  `)}`)
      .join(`${gap()},${gap()}`)}${gap()}}`;
  return JSON.stringify(value);
}

/** All paths of a value, the top first. */
function paths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const parts: [string | number, unknown][] = Array.isArray(value) ? value.map((one, index) => [index, one]) : Object.entries(value);
  return [at, ...parts.flatMap(([key, one]) => paths(one, [...at, key]))];
}

const get = (value: unknown, path: Path): unknown => path.reduce<unknown>((one, part) => (one as Record<string | number, unknown>)[part], value);

function changed(value: unknown, path: Path, change: (owner: unknown, key: string | number) => void): unknown {
  const copy = { top: structuredClone(value) };
  const whole: Path = ["top", ...path];
  change(get(copy, whole.slice(0, -1)), whole.at(-1) as string | number);
  return copy.top;
}

const put = (owner: unknown, key: string | number, value: unknown) =>
  Object.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true });

/** The text of every value whose path is not inside of the given one, nor on the way to it. */
function untouched(text: string, path: Path): string[] {
  const root = readTree(text);
  return paths(JSON.parse(text))
    .filter((one) => !path.every((part, depth) => depth >= one.length || one[depth] === part) && typeof get(JSON.parse(text), one) !== "object")
    .map((one) => `${JSON.stringify(one)}=${text.slice(nodeAt(root, one)?.start, nodeAt(root, one)?.end)}`);
}

describe("the tree", () => {
  test("knows the place of each value", () => {
    const root = readTree(FLOW);
    for (const path of paths(JSON.parse(FLOW))) expect(valueOf(FLOW, nodeAt(root, path)!)).toEqual(get(JSON.parse(FLOW), path));
  });

  test.each(["{", '{"a" 1}', "[1,]", '{"a": 1,}', "nul", '"\\x"', "1 2", '"open', "", '"a\nb"', `${"[".repeat(65)}${"]".repeat(65)}`])(
    "refuses %j, which is no JSON",
    (text) => {
      expect(() => readTree(text)).toThrow(JsonMistake);
    },
  );

  test("reads every JSON as JSON.parse does", () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const next = numbers(seed);
      const text = untidy(randomValue(next), next);
      expect(valueOf(text, readTree(text))).toEqual(JSON.parse(text));
    }
  });

  test("finds what a finding's path means, as far as it exists", () => {
    const root = readTree('{"conversations": {"a/b": {"steps": [{"type": "message"}]}}}');
    expect(resolved(root, "conversations/a/b/steps/0/display/type")).toEqual(["conversations", "a/b", "steps", 0]);
    expect(resolved(root, "")).toEqual([]);
  });

  test("finds the path of a place in the text", () => {
    expect(pathAt(readTree(SMALL), SMALL.indexOf("Hi"))).toEqual(["steps", 0, "messages", 0]);
  });
});

describe("an edit", () => {
  test("of a wording changes its characters alone", () => {
    const path = ["conversations", "welcome", "steps", 0, "messages", 0];
    expect(setAt(FLOW, path, "Good day!")).toBe(FLOW.replace('"Hello, this is the Lindenhof Clinic."', '"Good day!"'));
  });

  test("adds a step with the indentation of its neighbours", () => {
    const text = insertAt(SMALL, ["steps"], 2, { type: "message", messages: ["Bye"] });
    expect(text).toBe(
      SMALL.replace(
        '"type": "question"\n        }',
        '"type": "question"\n        },\n        {\n            "type": "message",\n            "messages": ["Bye"]\n        }',
      ),
    );
  });

  test("keeps a list on its line, and its spaces", () => {
    expect(insertAt(SMALL, ["a"], 1, 9)).toContain("[1, 9, 2,   3]");
    expect(removeAt(SMALL, ["a", 1])).toContain("[1, 3]");
    expect(setAt(SMALL, ["a"], [1, 2, 4])).toContain("[1, 2,   4]");
  });

  test("fills an empty object and empties it again", () => {
    const filled = setAt(SMALL, ["last", "deep", "er"], "x");
    expect(filled).toContain('"last": {\n        "deep": { "er": "x" }\n    }');
    expect(removeAt(filled, ["last", "deep"])).toBe(SMALL);
  });

  test("moves a step as its author wrote it", () => {
    const moved = moveItem(SMALL, ["steps", 0], ["steps"], 2);
    expect(moved).toContain('"question"\n        },\n        { "type": "message",   "messages": ["Hi"] }\n    ]');
    expect(moveItem(moved, ["steps", 1], ["steps"], 0)).toBe(SMALL);
  });

  test("keeps line ends of Windows", () => {
    const text = SMALL.replaceAll("\n", "\r\n");
    const added = insertAt(text, ["steps"], 0, { type: "message", messages: ["Bye"] });
    expect(added.replaceAll("\r\n", "").includes("\n")).toBe(false);
  });

  test("keeps a byte order mark", () => {
    expect(setAt(`\uFEFF{"a": 1}`, ["a"], 2)).toBe(`\uFEFF{"a": 2}`);
  });

  test("renames a key where it stands", () => {
    expect(renameKey(SMALL, ["last"], 'new "one"')).toContain('"new \\"one\\"": {}');
  });

  test("sets what it means, and nothing else", () => {
    for (let seed = 0; seed < 600; seed += 1) {
      const next = numbers(seed);
      const text = untidy({ top: randomValue(next), steps: [randomValue(next), randomValue(next)] }, next);
      const value: unknown = JSON.parse(text);
      const all = paths(value).slice(1);
      const path = all[next(all.length)]!;
      const wanted = next(2) ? randomValue(next) : changedALittle(get(value, path), next);
      const edited = setAt(text, path, wanted);
      expect(JSON.parse(edited)).toEqual(changed(value, path, (owner, key) => put(owner, key, wanted)));
      expect(untouched(edited, path)).toEqual(untouched(text, path));
    }
  });

  test("inserts and removes what it means, and one undoes the other", () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const next = numbers(seed);
      const text = untidy({ x: [randomValue(next), [randomValue(next)]], steps: Array.from({ length: next(4) }, () => randomValue(next)) }, next);
      const value = JSON.parse(text) as { steps: unknown[] };
      const index = next(value.steps.length + 1);
      const added = randomValue(next);
      const edited = insertAt(text, ["steps"], index, added);
      expect(JSON.parse(edited)).toEqual({ ...value, steps: value.steps.toSpliced(index, 0, added) });
      expect(JSON.parse(removeAt(edited, ["steps", index]))).toEqual(value);
      if (value.steps.length) {
        expect(JSON.parse(removeAt(text, ["steps", index % value.steps.length]))).toEqual({
          ...value,
          steps: value.steps.toSpliced(index % value.steps.length, 1),
        });
      }
    }
  });

  test("moves items within a list and between lists", () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const next = numbers(seed);
      const list = () => Array.from({ length: 1 + next(3) }, () => randomValue(next));
      const text = untidy({ one: { steps: list() }, two: { steps: next(3) ? list() : [] } }, next);
      const value = JSON.parse(text) as Record<string, { steps: unknown[] }>;
      const [from, to] = [["one", "two"][next(2)]!, ["one", "two"][next(2)]!];
      if (!value[from]!.steps.length) continue;
      const old = next(value[from]!.steps.length);
      const index = next(value[to]!.steps.length + 1);
      const edited = moveItem(text, [from, "steps", old], [to, "steps"], index);
      const expected = structuredClone(value);
      const [item] = expected[from]!.steps.splice(old, 1);
      expected[to]!.steps.splice(from === to && index > old ? index - 1 : index, 0, item);
      expect(JSON.parse(edited)).toEqual(expected);
    }
  });

  test("moves and inserts members in their order", () => {
    const text = '{ "a": 1, "b": 2,\n  "c": 3 }';
    expect(Object.keys(JSON.parse(moveMember(text, [], "c", 0)) as object)).toEqual(["c", "a", "b"]);
    expect(Object.keys(JSON.parse(moveMember(text, [], "a", 3)) as object)).toEqual(["b", "c", "a"]);
    expect(Object.keys(JSON.parse(insertKey(text, [], "n", {}, 1)) as object)).toEqual(["a", "n", "b", "c"]);
  });

});

/** A value of the same shape with one part of it other. */
function changedALittle(value: unknown, next: (limit: number) => number): unknown {
  const all = paths(value);
  return changed(value, all[next(all.length)]!, (owner, key) => put(owner, key, randomValue(next, 1)));
}
