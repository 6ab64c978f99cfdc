// What Home asks of the service: how each bot stands, and a new bot.

import type { Api } from "../api";
import { draftState, versions as versionsOf } from "../versions/api";

/** How a bot stands. */
export interface Standing {
  readonly version: string | null;
  readonly activatedAt: string | null;
  /** On all versions, and on those that are not active. */
  readonly talks: number;
  readonly oldTalks: number;
  readonly findings: number;
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

/** For administrators and developers. Throws where the service fails. */
export async function standing(api: Api, bot: string): Promise<Standing> {
  const [versions, draft] = await Promise.all([versionsOf(api, bot), draftState(api, bot)]);
  const active = versions.find(({ isActive }) => isActive);
  const talks = versions.map(({ runningTalks }) => runningTalks).reduce((sum, count) => sum + count, 0);
  return {
    version: active?.version ?? null,
    activatedAt: active?.activatedAt ?? null,
    talks,
    oldTalks: talks - (active?.runningTalks ?? 0),
    findings: draft.findings,
    unpublished: draft.unpublished,
    author: draft.author,
    hasTests: draft.hasTests,
  };
}

export async function makeBot(api: Api, bot: NewBot): Promise<void> {
  await api.call("POST", "/bots", bot);
}
