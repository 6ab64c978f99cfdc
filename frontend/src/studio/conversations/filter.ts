// The filter of the list: what the controls say, the query that they make, and the other way round.

export type Query = Readonly<Record<string, unknown>>;

export interface Choice {
  /** Days until now; "" for any time. */
  readonly period: string;
  readonly state: string;
  readonly channel: string;
  readonly version: string;
  readonly missed: boolean;
  readonly failed: boolean;
  readonly text: string;
}

/** The conversations in which the text of a choice was said. */
export type Said = readonly string[];

export const ALL: Choice = { period: "", state: "", channel: "", version: "", missed: false, failed: false, text: "" };

const STATES: Readonly<Record<string, Query>> = {
  open: { EndedAt: null },
  ended: { EndedAt: { $ne: null } },
  success: { Status: "success" },
  abandoned: { Status: "abandoned" },
  failure: { Status: "failure" },
  "handed-over": { Status: "handed-over" },
};
const DAY = 86_400_000;
/** A period ends now, and now is a whole minute: the same choice makes the same query for a while. */
const STEP = 60_000;

export function queryOf(choice: Choice, now: number, said: Said = []): Query {
  const { period, state, channel, version, text } = choice;
  const since = Math.floor(now / STEP) * STEP - Number(period) * DAY;
  return {
    ...(period && { StartedAt: { $gte: new Date(since).toISOString() } }),
    ...STATES[state],
    ...(channel && { Channel: channel }),
    ...(version && { FlowVersion: version }),
    ...(choice.missed && { "Data.notUnderstood": { $gt: 0 } }),
    ...(choice.failed && { Errors: { $gt: 0 } }),
    ...(text.trim() && { $or: named(text.trim(), said) }),
  };
}

/** Who is meant by a text, or in which conversations it was said. */
function named(text: string, said: Said): Query[] {
  const like = { $regex: `^${text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}`, $options: "i" };
  return [...(said.length ? [{ _id: { $in: said } }] : []), { User: text }, { "Data.user.FirstName": like }, { "Data.user.LastName": like }];
}

/** Reads the filter out of an address: a query, or what the controls say. A query that cannot be read leaves nothing out. */
export function readParameters(parameters: URLSearchParams): { choice: Choice; own: Query | null } {
  const filter = parameters.get("filter");
  if (!filter) {
    const values = Object.entries(ALL).map(([name, all]) => [name, all === false ? parameters.get(name) === "1" : (parameters.get(name) ?? "")]);
    return { choice: Object.fromEntries(values) as Choice, own: null };
  }
  try {
    return { choice: ALL, own: read(filter) };
  } catch {
    return { choice: ALL, own: null };
  }
}

/** Writes the filter into an address, as `readParameters` reads it. */
export function writeParameters(choice: Choice, own: Query | null): URLSearchParams {
  if (own) return new URLSearchParams({ filter: JSON.stringify(own) });
  const set = Object.entries(choice).filter(([, value]) => value);
  return new URLSearchParams(set.map(([name, value]) => [name, value === true ? "1" : value]));
}

/** Writes a query as it is shown: a line a condition. */
export function written(query: Query): string {
  const lines = Object.entries(query).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return lines.length ? `{\n${lines.join(",\n")}\n}` : "{}";
}

/** Reads a written query. Throws `SyntaxError`, or `TypeError` for JSON that is no object. */
export function read(text: string): Query {
  const value: unknown = text.trim() ? JSON.parse(text) : {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("no object");
  return value as Query;
}

/** Returns where the value that a JSON pointer names stands in a text of JSON, its name included; the whole without one. */
export function placeOf(text: string, pointer: string): { start: number; end: number } {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const whole = { start: text.search(/\S|$/), end: text.trimEnd().length };
  return find(text, whole.start, parts)?.place ?? whole;
}

/** Returns the offset behind a value, and the place that was looked for inside of it. */
function find(text: string, from: number, parts: readonly string[] | null): { end: number; place?: { start: number; end: number } } | null {
  const at = skip(text, from);
  const opening = text[at];
  if (opening !== "{" && opening !== "[") {
    const scalar = /^(?:"(?:[^"\\]|\\.)*"|[^\s,\]}]+)/.exec(text.slice(at));
    return scalar ? { end: at + scalar[0].length } : null;
  }
  let place: { start: number; end: number } | undefined;
  let next = skip(text, at + 1);
  for (let index = 0; text[next] !== "}" && text[next] !== "]"; index += 1) {
    const start = next;
    let name = String(index);
    if (opening === "{") {
      const key = find(text, next, null);
      if (!key) return null;
      name = JSON.parse(text.slice(next, key.end)) as string;
      next = skip(text, key.end) + 1;
    }
    const isMeant = parts?.length && parts[0] === name;
    const value = find(text, next, isMeant && parts.length > 1 ? parts.slice(1) : null);
    if (!value) return null;
    if (isMeant) place = value.place ?? { start, end: value.end };
    next = skip(text, value.end);
    if (text[next] === ",") next = skip(text, next + 1);
  }
  return place ? { end: next + 1, place } : { end: next + 1 };
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at += 1;
  return at;
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Returns the offset at which a browser says that JSON ends to make sense; null where it does not say. */
export function offsetOf(error: SyntaxError, text: string): number | null {
  const [, position] = /position (\d+)/.exec(error.message) ?? [];
  if (position) return Number(position);
  const [, line, column] = /line (\d+) column (\d+)/.exec(error.message) ?? [];
  if (!line) return /end of (JSON|data)/i.test(error.message) ? text.length : null;
  return text.split("\n").slice(0, Number(line) - 1).join("\n").length + Number(column);
}
