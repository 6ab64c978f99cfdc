// The type of the code that is loaded only when a question needs a dialog or a login. Each page's entry says from where.

import type * as dialogs from "../dialogs";
import type * as logins from "../logins";

export type DialogsPart = Pick<typeof dialogs, "define" | "panel" | "sheet"> & Pick<typeof logins, "login" | "answerChallenge">;

/** Loads the dialogs' code; a call after a failure tries again. */
export type LoadDialogs = () => Promise<DialogsPart>;
