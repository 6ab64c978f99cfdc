// Shows the line that invites to the chat, after a while and on the pages that it is meant for.

import type { Proactive } from "../loader/options";
import { pageMatches, whenPageChanges } from "./pages";

const AFTER_SECONDS = 5;

/** Calls `show` once, when it is time and the page is one of those; returns what ends the waiting. */
export function invite({ after = AFTER_SECONDS, pages }: Proactive, show: () => void): () => void {
  let stopWatching = () => {};
  const look = () => {
    if (!pageMatches(pages)) return;
    stopWatching();
    show();
  };
  const timer = setTimeout(() => {
    stopWatching = whenPageChanges(look);
    look();
  }, after * 1000);
  return () => {
    clearTimeout(timer);
    stopWatching();
  };
}
