// What an element of the studio tells the frame, which shows it for a while.

export class NewsEvent extends Event {
  constructor(
    readonly text: string,
    readonly isBad = false,
  ) {
    super("studio-news", { bubbles: true, composed: true });
  }
}

/** A failure in words; those of ours are sentences already. */
export function wrong(error: unknown): NewsEvent {
  return new NewsEvent(error instanceof Error ? error.message : String(error), true);
}
