// What Home asks of the service: how each bot stands, and a new bot.

import { type Api, placeOf, Refused } from "../api";
import { versions as versionsOf } from "../versions/api";
import type { Draft } from "../workspace";

/** How a bot stands; null is what the service did not tell. */
export interface Standing {
  readonly version: string | null;
  readonly activatedAt: string | null;
  /** On all versions, and on those that are not active. */
  readonly talks: number | null;
  readonly oldTalks: number;
  readonly findings: number | null;
  /** Who has changes that are not published. */
  readonly author: string | null;
  readonly hasTests: boolean;
}

export interface NewBot {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly start: string;
}

/** Leaves out what the role may not see. Throws where the service fails. */
export async function standing(api: Api, bot: string): Promise<Standing> {
  const [versions, draft] = await Promise.all([
    versionsOf(api, bot).catch(leftOut),
    (api.call("GET", `${placeOf(bot)}/draft`) as Promise<Draft>).catch(leftOut),
  ]);
  const active = versions?.find(({ isActive }) => isActive);
  const talks = versions?.map(({ runningTalks }) => runningTalks).reduce((sum, count) => sum + count, 0);
  return {
    version: active?.version ?? null,
    activatedAt: active?.activatedAt ?? null,
    talks: talks ?? null,
    oldTalks: (talks ?? 0) - (active?.runningTalks ?? 0),
    findings: draft ? draft.findings.length : null,
    author: draft?.source === "draft" ? (draft.author?.name ?? null) : null,
    hasTests: Object.keys(draft?.files ?? {}).some((name) => name.startsWith("tests/")),
  };
}

function leftOut(error: unknown): null {
  if (error instanceof Refused && error.code === "role") return null;
  throw error;
}

export async function makeBot(api: Api, bot: NewBot): Promise<void> {
  await api.call("POST", "/bots", bot);
}
