// What the items of the chat's menu do.

import type { Chat } from "../chat/chat";
import { type Preferences, preferences, SIZES } from "../chat/preferences";
import type { Message } from "../protocol/wire";
import { loadLexer } from "./markdown";
import type { MenuActions } from "./menu";
import { saveText } from "./save-talk";
import { chime } from "./sound";

export function menuActions(
  chat: () => Chat | null,
  prefer: (change: Partial<Preferences>) => void,
  asText: (messages: readonly Message[]) => string,
): MenuActions {
  return {
    // What fails shows in the chat's own line of state, and can be tried again.
    restart: () => void chat()?.restart().catch(() => undefined),
    save: async () => {
      const [messages] = await Promise.all([chat()?.whole().catch(() => null), loadLexer()]);
      if (messages) saveText(asText(messages), `chat-${new Date().toISOString().slice(0, 10)}.txt`);
    },
    resize: () => prefer({ size: SIZES[SIZES.findIndex((size) => size === preferences().size) + 1] ?? SIZES[0] }),
    sound: () => {
      const hasSound = !preferences().hasSound;
      prefer({ hasSound });
      if (hasSound) chime();
    },
    erase: async () => chat()?.erase(),
  };
}
