// Keeps the list at its end while the reader is there, and leaves it alone when the reader has scrolled up.

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Nearer to the end than this counts as the end. */
const NEAR = 48;

export class StickToEnd implements ReactiveController {
  /** Whether the reader is at the end and stays there when something comes. */
  isStuck = true;
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

  toEnd(isSmooth: boolean): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.isStuck = true;
    const isCalm = !isSmooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: isCalm ? "instant" : "smooth" });
    this.host.requestUpdate();
  }

  #scrolled = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    // Only a movement upwards is the reader's wish: on the way down, or while the list grows, the end is still meant.
    const isStuck = isAtEnd || (this.isStuck && scrollTop >= this.#before - 1);
    this.#before = scrollTop;
    if (isStuck === this.isStuck) return;
    this.isStuck = isStuck;
    this.host.requestUpdate();
  };
}
