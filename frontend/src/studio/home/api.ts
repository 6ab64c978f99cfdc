// What Home asks of the service: how each bot stands, and a new bot.

import { type Api, Refused } from "../api";
import { draftState, versions as versionsOf } from "../versions/api";

/** How a bot stands; null is what the service did not tell. */
export interface Standing {
  readonly version: string | null;
  readonly activatedAt: string | null;
  /** On all versions, and on those that are not active. */
  readonly talks: number | null;
  readonly oldTalks: number;
  readonly findings: number | null;
  /** In how many parts what is edited differs from the active version. */
  readonly unpublished: number;
  /** Whose changes these are, where that is known. */
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
    draftState(api, bot).catch(leftOut),
  ]);
  const active = versions?.find(({ isActive }) => isActive);
  const talks = versions?.map(({ runningTalks }) => runningTalks).reduce((sum, count) => sum + count, 0);
  return {
    version: active?.version ?? null,
    activatedAt: active?.activatedAt ?? null,
    talks: talks ?? null,
    oldTalks: (talks ?? 0) - (active?.runningTalks ?? 0),
    findings: draft?.findings ?? null,
    unpublished: draft?.unpublished ?? 0,
    author: draft?.author ?? null,
    hasTests: draft?.hasTests ?? false,
  };
}

function leftOut(error: unknown): null {
  if (error instanceof Refused && error.code === "role") return null;
  throw error;
}

export async function makeBot(api: Api, bot: NewBot): Promise<void> {
  await api.call("POST", "/bots", bot);
}
