// The event by which a choice is handed over, from whatever drew it to whoever sends it.

import type { Content } from "../protocol/wire";

/** `shown`: the choice in words. `isByKey`: made on the keyboard, so that the focus needs a new place. */
export class ChooseEvent extends Event {
  constructor(
    readonly content: Content,
    readonly shown: string,
    readonly isByKey: boolean,
  ) {
    super("dialoom-choose", { bubbles: true, composed: true });
  }
}
