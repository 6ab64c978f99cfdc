// The events by which a room asks the frame for something. All of them bubble through shadow roots.

import type { Room } from "./rooms";

const UPWARD = { bubbles: true, composed: true } as const;

/** Where to go within the studio. What is left out stays as it is; `query` is empty then. */
export interface Goal {
  readonly bot?: string | null;
  readonly room?: Room | null;
  readonly query?: string;
  /** The page before is not kept in the browser's history. */
  readonly isReplacing?: boolean;
}

/** Goes to another room, to another bot, or to another place in the same room. */
export class GoEvent extends Event {
  constructor(readonly goal: Goal) {
    super("studio-go", UPWARD);
  }
}

/** Goes where a link of the studio's own leads; a click that opens a tab or a window is the browser's. */
export function follow(event: MouseEvent, go: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go();
}

/** Opens Build at a place of a file, "conversations/book/steps/2" for example; Build's route then has it as `at` and `file`. */
export class OpenPathEvent extends Event {
  constructor(
    readonly path: string,
    readonly file = "flow.json",
  ) {
    super("studio-open-path", UPWARD);
  }
}

/** The list of bots has changed, or the frame's words on them. */
export class BotsChangedEvent extends Event {
  constructor() {
    super("studio-bots-changed", UPWARD);
  }
}

/** What a user did in a turn of a try-out: the words of conversation tests. */
export type Said = Readonly<Record<string, unknown>>;

/**
 * Opens the try-out beside with this talk: on a version or on the draft, with these turns played. Turns that a user has really
 * had go with `calls` mocked: what they ordered is not to be ordered again.
 */
export class TryEvent extends Event {
  /** `talk`: null where the try-out is shown beside, if there is room. */
  constructor(readonly talk: { readonly on?: string; readonly channel?: string; readonly calls?: "mocked"; readonly turns?: readonly Said[]; readonly conversation?: string } | null = {}) {
    super("studio-try", UPWARD);
  }
}

/** An entry of the palette that a room offers by `commands(): Command[]`. */
export interface Command {
  readonly title: string;
  run(): void;
}
