// Keeps the list at its end while the reader is there, and leaves it alone when the reader has scrolled up. An answer that is
// higher than the list stops at its first line.

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Nearer to the end than this counts as the end. */
const NEAR = 48;
/** Room above the first line of an answer. */
const ABOVE = 12;

export class StickToEnd implements ReactiveController {
  /** Whether the reader is at the end, or at the beginning of the newest answer, and is kept there when something comes. */
  isStuck = true;
  /** Whether something stands below what is seen, when stuck. */
  hasMore = false;
  /** Where the newest answer begins, while the reader has not read on. */
  #answer: HTMLElement | null = null;
  #scroller: HTMLElement | null = null;
  #before = 0;
  // Measured after each change of the list and not with each step of scrolling: asking makes the browser lay the page out.
  #end = 0;
  #target = 0;
  #sizes: ResizeObserver | null = null;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly find: () => HTMLElement | null,
    /** The reader comes near the beginning of what is drawn. */
    private readonly onTop: () => void,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const scroller = this.find();
    if (scroller === this.#scroller || !scroller) return;
    this.hostDisconnected();
    this.#scroller = scroller;
    scroller.addEventListener("scroll", this.#scrolled, { passive: true });
    // Images that arrive, the field that grows, a keyboard that opens: the end moves without any scrolling.
    this.#sizes = new ResizeObserver(() => (this.isStuck ? this.toEnd(false) : this.#measure()));
    this.#sizes.observe(scroller);
    if (scroller.firstElementChild) this.#sizes.observe(scroller.firstElementChild);
  }

  hostDisconnected(): void {
    this.#sizes?.disconnect();
    this.#scroller?.removeEventListener("scroll", this.#scrolled);
    this.#scroller = null;
  }

  /** Whether what stands from the one element to the other can be seen at once. */
  hasRoomFor(first: HTMLElement, after: HTMLElement): boolean {
    const height = after.getBoundingClientRect().top - first.getBoundingClientRect().top;
    return height <= (this.#scroller?.clientHeight ?? 0);
  }

  /** Goes to the end, or to the beginning of this answer when not all of it fits. */
  toAnswer(answer: HTMLElement | null): void {
    this.#answer = answer;
    this.#go(true);
  }

  toEnd(isSmooth: boolean): void {
    this.#go(isSmooth);
  }

  /** Goes past the answer's beginning to the very end. */
  toLast(): void {
    this.#answer = null;
    this.#go(true);
  }

  /** Remembers what is seen; the function that it returns goes back there once more stands above it. */
  holdPlace(): () => void {
    const scroller = this.#scroller;
    const below = scroller ? scroller.scrollHeight - scroller.scrollTop : 0;
    return () => {
      if (scroller) this.#before = scroller.scrollTop = scroller.scrollHeight - below;
      this.#measure();
    };
  }

  #go(isSmooth: boolean): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.#measure();
    // A list that has become shorter takes the reader up with it, which is no wish to read there.
    this.#before = Math.min(this.#before, this.#end);
    const isCalm = !isSmooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
    scroller.scrollTo({ top: this.#target, behavior: isCalm ? "instant" : "smooth" });
    this.#tell(true);
  }

  #measure(): void {
    this.#end = this.#scroller ? this.#scroller.scrollHeight - this.#scroller.clientHeight : 0;
    let top = -ABOVE;
    for (let at: Element | null = this.#answer; at instanceof HTMLElement && at !== this.#scroller; at = at.offsetParent) top += at.offsetTop;
    this.#target = this.#answer?.isConnected ? Math.max(0, Math.min(this.#end, top)) : this.#end;
  }

  /** Has the chat drawn again where that shows. */
  #tell(isStuck: boolean): void {
    const hasMore = this.#end - this.#target > NEAR;
    if (isStuck === this.isStuck && hasMore === this.hasMore) return;
    this.isStuck = isStuck;
    this.hasMore = hasMore;
    this.host.requestUpdate();
  }

  #scrolled = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop } = scroller;
    // Who reads on has left the beginning; only the end holds from there.
    const hasReadOn = this.#answer !== null && scrollTop > this.#target + 2;
    if (hasReadOn) {
      this.#answer = null;
      this.#target = this.#end;
    }
    const isThere = Math.abs(this.#target - scrollTop) < NEAR;
    // Only a movement upwards is the reader's wish: on the way down, or while the list grows, the end is still meant.
    const isStuck = isThere || (this.isStuck && !hasReadOn && scrollTop >= this.#before - 1);
    if (scrollTop < this.#before && scrollTop < 2 * scroller.clientHeight) this.onTop();
    this.#before = scrollTop;
    this.#tell(isStuck);
  };
}
