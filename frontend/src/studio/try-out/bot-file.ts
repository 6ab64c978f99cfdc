// What the try-out reads of a bot's own files: how the bot presents itself, its channels, the mocks of its tests.

import { type Bot, readBot } from "../../protocol/wire";
import type { Files } from "../workspace";
import type { Mocks } from "./api";

/** How the chat presents the bot, by `bot.json` as it is typed. */
export function botOf(files: Files, id: string, name: string, language: string): Bot {
  const file = parsed(files["bot.json"]);
  const look = fields(file.look);
  return readBot({ id, name: file.name || name, avatarUrl: look.avatar ?? file.avatar ?? null, language: language || file.language, look });
}

/** Ids of its channels; without a list of its own a bot has a web and a rest channel. */
export function channelsOf(files: Files): readonly string[] {
  const { channels } = parsed(files["bot.json"]);
  if (!Array.isArray(channels)) return ["web", "rest"];
  return channels.map((channel) => String(fields(channel).id ?? fields(channel).type ?? "")).filter(Boolean);
}

/** The mocks of all test files, with the parameters of each put in: what services answer, as the bot's tests know it. */
export function mocksOf(files: Files): Mocks {
  const tests = Object.keys(files).filter((name) => name.startsWith("tests/")).sort();
  return Object.assign({}, ...tests.map((name) => withParameters(parsed(files[name])))) as Mocks;
}

function withParameters({ mocks, parameters }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const values = fields(parameters);
  const filled = JSON.stringify(fields(mocks)).replace(/\{\{([\w-]+)\}\}/g, (written, name: string) => (typeof values[name] === "string" ? JSON.stringify(values[name]).slice(1, -1) : written));
  return parsed(filled);
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return fields(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
