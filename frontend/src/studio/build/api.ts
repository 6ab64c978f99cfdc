// What Build asks of the service beside loading, checking and saving, which the workspace does.

import { type Api, placeOf } from "../api";
import type { Changes, Files, Finding } from "../workspace";
import type { Helper } from "./template-names";

export interface Box {
  readonly key: string;
  readonly title: string;
  readonly isGoal: boolean;
  readonly rows: readonly BoxRow[];
}

export interface BoxRow {
  readonly kind: string;
  readonly text: string;
  readonly jump: string | null;
  readonly isProtected: boolean;
  readonly condition: string;
}

export interface Published {
  readonly version: string;
  readonly previous: string | null;
  readonly runningTalks: number;
}

/** Part of what `/v1/studio/words` tells: what completes templates and fields. */
export interface Vocabulary {
  readonly helpers: readonly Helper[];
  readonly types: readonly string[];
}

export type Schema = Readonly<Record<string, unknown>>;

export async function fix(api: Api, bot: string, files: Changes, { file, rule, path }: Finding): Promise<Files> {
  const fixed = (await api.call("POST", `${placeOf(bot)}/draft/fix`, { files, file, rule, path })) as { files: Files };
  return fixed.files;
}

export async function picture(api: Api, bot: string, files: Changes): Promise<readonly Box[]> {
  const drawn = (await api.call("POST", `${placeOf(bot)}/picture`, { files })) as { boxes: readonly Box[] };
  return drawn.boxes;
}

export async function publish(api: Api, bot: string, revision: string, note: string, acceptsErasing: boolean): Promise<Published> {
  return (await api.call("POST", `${placeOf(bot)}/draft/publish`, { revision, note, acceptsErasing })) as Published;
}

/** Returns the schemas by file. */
export async function schemas(api: Api): Promise<Readonly<Record<string, Schema>>> {
  const found = (await api.call("GET", "/schema")) as Readonly<Record<string, Schema>>;
  return found;
}

export async function vocabulary(api: Api): Promise<Vocabulary> {
  const found = (await api.call("GET", "/words")) as Readonly<Record<string, unknown>>;
  const helpers = listOf(found["helpers"]).map((one) => ({ name: textOf(one["name"]), signature: textOf(one["signature"]), line: textOf(one["line"] ?? one["does"] ?? one["text"]) }));
  const types = listOf(found["entityTypes"]).map((one) => textOf(one["name"]));
  return { helpers, types };
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((one: unknown) => (typeof one === "string" ? { name: one } : (one as Readonly<Record<string, unknown>>))) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
