// Takes the files that are dragged over the chat and let go there.

import type { ReactiveControllerHost } from "lit";

export class FileDrop {
  /** Files hang over the chat, about to be let go. */
  isOver = false;

  constructor(
    private readonly host: Pick<ReactiveControllerHost, "requestUpdate">,
    private readonly mayDrop: () => boolean,
    private readonly onFiles: (files: readonly File[]) => void,
  ) {}

  readonly dragged = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files") || !this.mayDrop()) return;
    event.preventDefault();
    this.#set(true);
  };

  readonly draggedOut = (event: DragEvent): void => {
    const isInside = event.relatedTarget instanceof Node && (event.currentTarget as Node).contains(event.relatedTarget);
    if (!isInside) this.#set(false);
  };

  readonly dropped = (event: DragEvent): void => {
    this.#set(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length || !this.mayDrop()) return;
    event.preventDefault();
    this.onFiles(files);
  };

  #set(isOver: boolean): void {
    if (isOver === this.isOver) return;
    this.isOver = isOver;
    this.host.requestUpdate();
  }
}
