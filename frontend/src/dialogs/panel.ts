// What every dialog's panel is given and how it hands its answer over. Where the panel stands is the sheet's or page's matter.

import { ChooseEvent, LitElement } from "../shared-with-dialogs";
import type { Content, Dialog, FindPlaces } from "../protocol/wire";
import type { Words } from "../texts";

export abstract class Panel extends LitElement {
  static override properties = {
    dialog: { attribute: false },
    words: { attribute: false },
    locale: {},
    find: { attribute: false },
  };

  declare dialog: Dialog;
  declare words: Words;
  /** The language in which dates and numbers are written. */
  declare locale: string;
  /** Asks the service for places; only where the dialog says that it can. */
  declare find: FindPlaces | null;

  /** The asking that an answer without an option's key belongs to. */
  protected get ask(): { ask?: string } {
    return this.dialog.key ? { ask: this.dialog.key } : {};
  }

  protected hand(content: Content, shown: string, isByKey: boolean): void {
    this.dispatchEvent(new ChooseEvent(content, shown, isByKey));
  }
}
