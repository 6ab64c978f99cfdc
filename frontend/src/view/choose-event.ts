// The event by which an element that shows options tells the chat which one was chosen.

import type { Content } from "../protocol/wire";

/** `shown`: the choice in words. `isByKey`: made on the keyboard, so that the focus has to be moved. */
export class ChooseEvent extends Event {
  constructor(
    readonly content: Content,
    readonly shown: string,
    readonly isByKey: boolean,
  ) {
    super("dialoom-choose", { bubbles: true, composed: true });
  }
}
