// The room Conversations: the list, its filter, and the transcript beside it.

import { register } from "../rooms";
import { StudioConversations } from "./conversations";
import { StudioEraseUser } from "./erase-user";
import { StudioFilter } from "./filter-bar";
import { StudioTranscript } from "./transcript";

export function define(): void {
  register({
    "studio-filter": StudioFilter,
    "studio-erase-user": StudioEraseUser,
    "studio-transcript": StudioTranscript,
    "studio-conversations": StudioConversations,
  });
}
