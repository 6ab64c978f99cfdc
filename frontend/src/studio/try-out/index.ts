// The try-out beside the rooms: the chat's own element on a draft or a version, and why it says what it says.

import { define as defineChat } from "../../view/dialoom-chat";
import { register } from "../rooms";
import { loadDialogs } from "./load-dialogs";
import { StudioTryOut } from "./try-out";
import { StudioTryAsks } from "./asks";
import { StudioTrySetup } from "./setup";
import { StudioWhy } from "./why";

export function define(): void {
  defineChat(loadDialogs);
  register({ "studio-why": StudioWhy, "studio-try-setup": StudioTrySetup, "studio-try-asks": StudioTryAsks, "studio-try-out": StudioTryOut });
}
