// Shows the line that invites to the chat, after a while and on the pages that it is meant for.

import type { Proactive } from "../loader/options";
import type { Remembered } from "../loader/remembered";
import type { InvitingCorner } from "../loader/stages";
import { pageMatches, whenPageChanges } from "./pages";

const AFTER_SECONDS = 5;

/** Shows it once, when it is time and the page is one of those, unless something else stands there by then. */
export function invite({ text, after = AFTER_SECONDS, pages }: Proactive, corner: InvitingCorner, memory: { get(): Remembered }, ended: AbortSignal): void {
  let stopWatching = () => {};
  const look = () => {
    if (!pageMatches(pages)) return;
    stopWatching();
    if (!corner.isOpen && !corner.line && !memory.get().dismissed) corner.line = text;
  };
  const timer = setTimeout(() => {
    stopWatching = whenPageChanges(look);
    look();
  }, after * 1000);
  ended.addEventListener("abort", () => {
    clearTimeout(timer);
    stopWatching();
  });
}
