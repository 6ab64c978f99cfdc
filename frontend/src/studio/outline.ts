// What a bot's flow holds, by name: its conversations, their steps and entities. For lists and titles; Build has the document.

import type { Files } from "./workspace";

export interface OutlineStep {
  /** "conversations/book/steps/2". */
  readonly path: string;
  readonly type: string;
  readonly entity: string;
  /** Its first wording. */
  readonly text: string;
}

export interface OutlineConversation {
  readonly path: string;
  readonly key: string;
  readonly type: string;
  readonly steps: readonly OutlineStep[];
}

export interface Outline {
  readonly conversations: readonly OutlineConversation[];
  /** Each entity with the step that asks for it first. */
  readonly entities: ReadonlyMap<string, string>;
}

const NOTHING: Outline = { conversations: [], entities: new Map() };

type Fields = Readonly<Record<string, unknown>>;

/** Reads `flow.json` as it is typed; one that is no JSON at the moment gives `before`. */
export function outlineOf(files: Files, before: Outline = NOTHING): Outline {
  try {
    return readFlow(JSON.parse(files["flow.json"] ?? "{}"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return before;
  }
}

function readFlow(flow: unknown): Outline {
  const conversations = Object.entries(fields(fields(flow).conversations)).map(([key, written]) => {
    const { type, steps } = fields(written);
    const path = `conversations/${key}`;
    return { path, key, type: text(type), steps: list(steps).map((step, at) => readStep(step, `${path}/steps/${at}`)) };
  });
  const entities = new Map<string, string>();
  for (const { entity, path } of conversations.flatMap(({ steps }) => steps)) if (entity && !entities.has(entity)) entities.set(entity, path);
  return { conversations, entities };
}

function readStep(written: unknown, path: string): OutlineStep {
  const { type, entity, messages } = fields(written);
  return { path, type: text(type), entity: text(entity), text: list(messages).map(wording).find((one) => one !== "") ?? "" };
}

/** A message is a text, or an object with one. */
function wording(message: unknown): string {
  return text(message) || text(fields(message).text);
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
