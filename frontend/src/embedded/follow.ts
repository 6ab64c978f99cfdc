// Entry of what a closed window loads where there is something to do: a connection that hears of new messages, without the
// chat, where a talk exists; and the line that invites to one.

import type { Options } from "../loader/options";
import { chatName } from "../loader/remembered";
import type { News } from "../loader/stages";
import { FeedApi, Refusal } from "../protocol/feed-api";
import { browserTabs, SharedFeed } from "../protocol/shared-feed";
import { keptSession, subjectOf } from "../protocol/kept-session";
import { summaryOf } from "./message-summary";

export { invite } from "./invite";

/** Listens with the session that is kept, if it lives and is of the page's user. A position `seen` and all before it is known. */
export function follow(options: Options, server: string, kept: string | null, seen: number, onNews: (news: News) => void): () => void {
  const session = keptSession(kept, subjectOf(options.user?.token), Date.now());
  if (!session) return () => {};
  const { bot, channel } = options;
  const api = new FeedApi({ server, bot: bot.id, channel: channel.id }, (url, init) => fetch(url, init));
  let last = seen;
  let isOver = false;
  const feed = new SharedFeed(
    api,
    {
      // A session that has run out is not renewed here: that would begin a talk which nobody asked for.
      token: () => (isOver ? Promise.reject(new Refusal(403, "session", "The session is over.")) : Promise.resolve(session.token)),
      refused: () => {
        isOver = true;
      },
    },
    {
      last: () => last,
      onMessages: (messages) => {
        last = Math.max(last, messages.at(-1)?.position ?? 0);
        onNews({ messages: messages.map(summaryOf), isHistory: false });
      },
      onTyping: () => undefined,
      onConnection: () => undefined,
    },
    () => `${chatName(server, bot.id, channel.id)}:${session.user}`,
    browserTabs(),
  );
  feed.start();
  return () => feed.stop();
}
