// The event by which an element of the studio has the frame show a message for some seconds.

export class NoticeEvent extends Event {
  constructor(
    readonly text: string,
    readonly isBad = false,
  ) {
    super("studio-notice", { bubbles: true, composed: true });
  }
}

/** Returns the notice of a failure; our own errors have a sentence for people as their message. */
export function failureNotice(error: unknown): NoticeEvent {
  return new NoticeEvent(error instanceof Error ? error.message : String(error), true);
}
