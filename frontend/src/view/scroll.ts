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
  /** Where the newest answer begins, while the reader has not read on. */
  #answer: HTMLElement | null = null;
  #scroller: HTMLElement | null = null;
  #before = 0;
  #sizes: ResizeObserver | null = null;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly find: () => HTMLElement | null,
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
    this.#sizes = new ResizeObserver(() => this.isStuck && this.toEnd(false));
    this.#sizes.observe(scroller);
    if (scroller.firstElementChild) this.#sizes.observe(scroller.firstElementChild);
  }

  hostDisconnected(): void {
    this.#sizes?.disconnect();
    this.#scroller?.removeEventListener("scroll", this.#scrolled);
    this.#scroller = null;
  }

  /** Whether something stands below what is seen. */
  get hasMore(): boolean {
    return this.#end - this.#target > NEAR;
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

  #go(isSmooth: boolean): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.isStuck = true;
    // A list that has become shorter takes the reader up with it, which is no wish to read there.
    this.#before = Math.min(this.#before, this.#end);
    const isCalm = !isSmooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
    scroller.scrollTo({ top: this.#target, behavior: isCalm ? "instant" : "smooth" });
    this.host.requestUpdate();
  }

  get #end(): number {
    return this.#scroller ? this.#scroller.scrollHeight - this.#scroller.clientHeight : 0;
  }

  get #target(): number {
    let top = -ABOVE;
    for (let at: Element | null = this.#answer; at instanceof HTMLElement && at !== this.#scroller; at = at.offsetParent) top += at.offsetTop;
    return this.#answer?.isConnected ? Math.max(0, Math.min(this.#end, top)) : this.#end;
  }

  #scrolled = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop } = scroller;
    // Who reads on has left the beginning; only the end holds from there.
    const hasReadOn = this.#answer !== null && scrollTop > this.#target + 2;
    if (hasReadOn) this.#answer = null;
    const isThere = Math.abs(this.#target - scrollTop) < NEAR;
    // Only a movement upwards is the reader's wish: on the way down, or while the list grows, the end is still meant.
    const isStuck = isThere || (this.isStuck && !hasReadOn && scrollTop >= this.#before - 1);
    this.#before = scrollTop;
    if (isStuck === this.isStuck) return;
    this.isStuck = isStuck;
    this.host.requestUpdate();
  };
}
