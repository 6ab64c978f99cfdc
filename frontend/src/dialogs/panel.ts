// What every dialog's panel is given and how it hands its answer over. Where the panel stands is the sheet's or page's matter.

import { ChooseEvent, LitElement } from "../shared-with-dialogs";
import type { Content, Dialog } from "../protocol/wire";
import type { Words } from "../texts";

export abstract class Panel extends LitElement {
  static override properties = {
    dialog: { attribute: false },
    words: { attribute: false },
    locale: {},
  };

  declare dialog: Dialog;
  declare words: Words;
  /** The language in which dates and numbers are written. */
  declare locale: string;

  /** The asking that an answer without an option's key belongs to. */
  protected get ask(): { ask?: string } {
    return this.dialog.key ? { ask: this.dialog.key } : {};
  }

  protected hand(content: Content, shown: string, isByKey: boolean): void {
    this.dispatchEvent(new ChooseEvent(content, shown, isByKey));
  }
}
