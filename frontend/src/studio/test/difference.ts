// Reads the lines that `dialoom test` prints of a step that differs, for people: what was said, expected, and came instead.

import { words } from "./words";

export interface Line {
  readonly kind: "step" | "same" | "expected" | "came" | "problem" | "understood";
  readonly text: string;
  /** Of a message its quick replies; of what was understood each reading. */
  readonly parts: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const MARKS: Readonly<Record<string, Line["kind"]>> = { "  ": "same", "- ": "expected", "+ ": "came" };
const STEP = /^step (\d+), user: (.*)$/s;
const UNDERSTOOD = "understood: ";

export function differenceOf(lines: readonly string[]): readonly Line[] {
  return lines.map(lineOf);
}

function lineOf(line: string): Line {
  const [, step, said = ""] = STEP.exec(line) ?? [];
  if (step) return { kind: "step", text: words.step(Number(step), said.startsWith("{") ? plainOf(said) : words.quoted(said)), parts: [] };
  if (line.startsWith(UNDERSTOOD)) return { kind: "understood", text: "", parts: readingsOf(line.slice(UNDERSTOOD.length)) };
  const kind = MARKS[line.slice(0, 2)];
  return kind ? { kind, ...messageOf(line.slice(2)) } : { kind: "problem", text: line.replace(/^! /, ""), parts: [] };
}

function messageOf(json: string): Pick<Line, "text" | "parts"> {
  const message = read(json);
  if (message === null) return { text: json, parts: [] };
  const { text, textStartsWith, textIncludes, quickReplies, ...others } = message;
  const said = [
    typeof text === "string" ? text : Array.isArray(text) ? words.oneOf(text.map((one) => words.quoted(String(one)))) : "",
    textStartsWith === undefined ? "" : words.startsWith(String(textStartsWith)),
    textIncludes === undefined ? "" : words.includes(String(textIncludes)),
    ...Object.entries(others).map(([key, value]) => `${key}: ${plain(value)}`),
  ].filter(Boolean);
  return { text: said.join(" · ") || words.anyMessage, parts: list(quickReplies).map((one) => plain(fields(one)?.["title"] ?? one)) };
}

/** What was understood: by type its candidates. */
function readingsOf(json: string): readonly string[] {
  const understood = read(json);
  if (understood === null) return [json];
  const found = Object.entries(understood).flatMap(([type, candidates]) =>
    list(candidates).map((one) => {
      const { value, text } = fields(one) ?? {};
      const shown = plain(fields(value)?.["value"] ?? value ?? one);
      return `${type} · ${shown}${typeof text === "string" && text !== shown ? ` (${words.quoted(text)})` : ""}`;
    }),
  );
  return found.length ? found : [words.nothing];
}

function plainOf(json: string): string {
  const done = read(json);
  return done === null ? json : plain(done);
}

/** A value as a person would write it down. */
function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(plain).join(", ");
  const members = fields(value);
  if (!members) return String(value);
  return Object.entries(members)
    .map(([key, one]) => `${key} ${plain(one)}`)
    .join(", ");
}

function read(json: string): Fields | null {
  try {
    return fields(JSON.parse(json));
  } catch {
    return null; // a mask may stand in place of a part of it
  }
}

function fields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
