// The two calls of the picker page: what is asked, and the answer. The page's own address is the ticket.

import { type Fetch, Refusal, refusal } from "../protocol/feed-api";
import { type Bot, type Content, type Dialog, readBot, readDialog, readSpots, type Spots } from "../protocol/wire";

export interface Question {
  readonly bot: Bot;
  readonly text: string;
  readonly dialog: Dialog;
  readonly locale: string;
}

export async function ask(address: string, fetch: Fetch): Promise<Question> {
  const { bot, text, dialog, locale } = (await call(`${address}/question`, { method: "GET" }, fetch)) as Record<string, unknown>;
  const read = readBot(bot);
  return {
    bot: read,
    text: typeof text === "string" ? text : "",
    dialog: readDialog(dialog),
    locale: typeof locale === "string" && locale ? locale : read.language,
  };
}

export async function answer(address: string, content: Content, fetch: Fetch): Promise<void> {
  // The ticket knows its asking.
  const { ask: _, ...body } = content as Content & { ask?: string };
  const given = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  await call(address, given, fetch);
}

/** Places of this name; the service asks its operator's geocoder. */
export async function places(address: string, query: string, fetch: Fetch): Promise<Spots> {
  return readSpots(await call(`${address}/places?q=${encodeURIComponent(query)}`, { method: "GET" }, fetch));
}

/** Whether the question can no longer be answered here, or never could. */
export function isOver(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 410 || error.status === 404);
}

async function call(address: string, init: RequestInit, fetch: Fetch): Promise<unknown> {
  const response = await fetch(address, { ...init, credentials: "omit", cache: "no-store" });
  if (!response.ok) throw await refusal(response);
  return (await response.json()) ?? {};
}
