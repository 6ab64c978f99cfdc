// The login code that the chat loads, with the dialogs, when a question first needs it. The picker page needs none.

import { html } from "../shared-with-dialogs";
import type { Message } from "../protocol/wire";
import type { Words } from "../texts";
import { type AskLoginStatus, DialoomLogin } from "./card";
import { linkAge, stateOf } from "./state";

export { answerChallenge } from "./challenge";

/** The card of a message that asks for a login, or what is left of it. `isOld`: it was said at some time before. */
export function login(
  message: Message,
  messages: readonly Message[],
  isOld: boolean,
  words: Words,
  locale: string,
  loginStatus: AskLoginStatus,
): unknown {
  if (!customElements.get("dialoom-login")) customElements.define("dialoom-login", DialoomLogin);
  return html`<dialoom-login
    .dialog=${message.dialog}
    .state=${stateOf(message, messages)}
    .age=${linkAge(message, messages)}
    .said=${isOld ? Date.parse(message.createdAt) : Infinity}
    .loginStatus=${loginStatus}
    .words=${words}
    .locale=${locale}
  ></dialoom-login>`;
}
