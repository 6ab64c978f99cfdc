// The parts of the chat that are loaded only when a question needs them, and who knows where they lie: the page's entry.

import type * as dialogs from "../dialogs";
import type * as logins from "../logins";

export type DialogsPart = Pick<typeof dialogs, "define" | "panel" | "sheet"> & Pick<typeof logins, "login" | "answerChallenge">;

/** Gives the dialogs' code; a call after a failure tries again. */
export type LoadDialogs = () => Promise<DialogsPart>;
