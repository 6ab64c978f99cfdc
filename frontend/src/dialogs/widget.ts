// All that the widget loads when a question first needs it, as one file: the dialogs, and logins.

export * from "../logins";
export * from "./index";
