// The login's card: a button that opens the login in a window of its own, and a line while that window is open. Where the
// login stands is told by the service, and not here: that it is through by a message, that its link was used up in vain by an
// answer to whoever looks at the card again. Afterwards one quiet line is left of it, and a button to try again.

import type { PropertyValues } from "lit";
import { Panel } from "../dialogs/panel";
import { panel } from "../dialogs/style";
import { base, css, html, imageSource, leaveOut, linkTarget, nothing, outward, plain, tick } from "../shared-with-dialogs";
import type { LoginStatus } from "../protocol/wire";
import type { LoginState } from "./state";

/** Where the login of this link stands; nothing where nobody can tell. */
export type AskLoginStatus = (link: string) => Promise<LoginStatus> | undefined;

const LOOK_EVERY = 1000;
/**
 * A link opens a login for ten minutes, or for longer where its code is awaited: the service alone decides that. Here it says
 * when to ask, and how an old card stands until there is an answer.
 */
const LINK_LIVES = 600_000;

/** Whether the pages behind this address can let go of the window that opened them (their origin is trustworthy). */
function letsGo(target: string): boolean {
  const { protocol, hostname } = new URL(target, location.href);
  return protocol === "https:" || /^(127\.[\d.]+|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}

export class DialoomLogin extends Panel {
  static override properties = {
    ...Panel.properties,
    state: { attribute: false },
    said: { attribute: false },
    age: { attribute: false },
    loginStatus: { attribute: false },
    found: { state: true },
    isWaiting: { state: true },
    hasAsked: { state: true },
  };

  static override styles = [
    base,
    panel,
    css`
      :host {
        inline-size: 320px;
        max-inline-size: 100%;
      }

      .card {
        margin-block: 10px 4px;
        border: 1px solid var(--line);
        border-radius: 16px;
        background: light-dark(var(--surface), var(--raised));
        overflow: hidden;
      }

      img {
        display: block;
        inline-size: 100%;
        block-size: 160px;
        background: var(--raised-hover);
        object-fit: cover;
      }

      b {
        display: block;
        padding: 14px 16px 0;
        font-weight: 600;
        overflow-wrap: anywhere;
      }

      .act {
        inline-size: calc(100% - 24px);
        margin: 12px;
      }

      .waiting {
        display: flex;
        align-items: center;
        gap: 8px;
        margin: 0;
        padding: 0 16px 14px;
        color: var(--quiet);
        font-size: 13px;
        line-height: 18px;
      }

      .waiting::before {
        content: "";
        flex: none;
        inline-size: 8px;
        block-size: 8px;
        border-radius: 50%;
        background: var(--brand-line);
        animation: pulse 1.6s infinite ease-in-out;
      }

      @keyframes pulse {
        50% {
          opacity: 0.35;
        }
      }

      .hint {
        display: flex;
        align-items: center;
        gap: 4px;
        margin: 6px 4px 2px;
      }

      .again {
        align-self: flex-start;
        inline-size: auto;
        min-block-size: var(--target);
        margin: 8px 0 4px;
      }

      .hint svg {
        flex: none;
        inline-size: 16px;
        color: var(--brand-ink);
      }
    `,
  ];

  declare state: LoginState;
  /** When the card was said, in milliseconds since 1970; not counted from then where it came while the chat was open. */
  declare said: number;
  /** How old its link was by then, in milliseconds. */
  declare age: number;
  declare loginStatus: AskLoginStatus | undefined;
  /** What the service said last; null before it did. */
  declare found: LoginStatus | null;
  declare isWaiting: boolean;
  /** A new link was asked for. */
  declare hasAsked: boolean;
  /** By this machine's clock: the service's may show another time. */
  #seen = Date.now();
  #aging: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;
  #isLooking = false;
  #window: Window | null = null;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.state = "open";
    this.said = Infinity;
    this.age = 0;
    this.found = null;
    this.isWaiting = false;
    this.hasAsked = false;
  }

  /** Back in the page, as when the chat's window is opened again: what was watched is watched on. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
    addEventListener("focus", this.#check);
    document.addEventListener("visibilitychange", this.#check);
    if (this.#window) this.#watch = setInterval(() => this.#look(), LOOK_EVERY);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("focus", this.#check);
    document.removeEventListener("visibilitychange", this.#check);
    clearInterval(this.#watch);
    clearTimeout(this.#aging);
  }

  /** Milliseconds until the link is ten minutes old. */
  get #left(): number {
    return Math.min(this.said || this.#seen, this.#seen) - this.age + LINK_LIVES - Date.now();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isGone = this.#stands !== "open";
    // The button goes away under the user's keys: the chat takes the focus over.
    const { activeElement, host } = this.getRootNode() as ShadowRoot;
    const isLost = isGone && !this.#isGone && activeElement === this;
    if (isLost && matchMedia("(pointer: fine)").matches) (host as HTMLElement | undefined)?.focus();
    this.#isGone = isGone;
    clearTimeout(this.#aging);
    if (!isGone && this.#left > 0) this.#aging = setTimeout(() => this.#age(), this.#left);
    super.willUpdate(changed);
  }

  /** Asked first: the clock counts where nobody answers. */
  #age(): void {
    void this.#check().then(() => this.requestUpdate());
  }

  protected override firstUpdated(): void {
    if (!this.#isNew) void this.#check();
  }

  protected override updated(changed: PropertyValues): void {
    // A later card is there: with a new link, or with this one where it lives on after all.
    if (this.hasAsked && changed.has("state") && (this.state === "over" || this.state === "again")) this.#pass();
  }

  /** It came while the chat was open. */
  get #isNew(): boolean {
    return !Number.isFinite(this.said);
  }

  /** How it stands by what was said, else by what the service answered, and by the clock where it has not. */
  get #stands(): LoginState {
    if (this.state !== "open") return this.state;
    // The service sends no link that is over: of one that is older already when it comes, a code is awaited.
    const isAwaited = this.#isNew && this.age >= LINK_LIVES;
    return this.found ?? (isAwaited || this.#left > 0 ? "open" : "over");
  }

  override render() {
    const { words } = this;
    const stands = this.#stands;
    if (stands === "again") return nothing;
    if (stands === "through") return html`<p class="hint">${tick}${words.loggedIn}</p>`;
    if (stands === "over") return html`<p class="hint">${words.loginOver}</p>${this.#again()}`;
    const target = this.dialog.url ? linkTarget(this.dialog.url) : null;
    const title = plain(this.dialog.title);
    const button = plain(this.dialog.buttonText) || title;
    if (target === null) return html`<p class="hint">${title || words.typeAnswer}</p>`;
    const image = imageSource(this.dialog.image);
    return html`<div class="card">
      ${image ? html`<img src=${image} alt="" referrerpolicy="no-referrer" @error=${leaveOut} />` : nothing}
      ${title && title !== button ? html`<b dir="auto">${title}</b>` : nothing}
      <a class="act" href=${target} target="_blank" rel=${letsGo(target) ? "opener" : "noopener"} @click=${(event: MouseEvent) => this.#open(event, target)}>
        <span dir="auto">${button}</span>${outward}
      </a>
      <div role="status">${this.isWaiting ? html`<p class="waiting">${words.waiting}</p>` : nothing}</div>
    </div>`;
  }

  /** Not on a card that a later one has replaced, nor twice. */
  #again(): unknown {
    if (this.state !== "open" || this.hasAsked || !this.dialog.key) return nothing;
    return html`<button type="button" class="act soft again" @click=${(event: MouseEvent) => this.#askAgain(event)}>
      ${this.words.tryAgain}
    </button>`;
  }

  /** A choice of a question that is over is answered with what is open now: with the next card, where a login still is. */
  #askAgain(event: MouseEvent): void {
    this.hasAsked = true;
    this.hand({ option: { key: this.dialog.key as string } }, "", event.detail === 0);
  }

  /** The next card is there: where the browser still counts the press on this one, its window opens at once. */
  #pass(): void {
    const cards = (this.getRootNode() as ShadowRoot).querySelectorAll<DialoomLogin>("dialoom-login");
    void [...cards].at(-1)?.press();
  }

  async press(): Promise<void> {
    await this.updateComplete;
    if (navigator.userActivation?.isActive) this.renderRoot.querySelector("a")?.click();
  }

  /** The user looks at the card: is a login still to come of it? */
  #check = async (): Promise<void> => {
    const link = this.dialog?.key;
    const isKnown = this.state !== "open" || this.found === "through" || this.found === "over";
    if (!link || this.#isLooking || isKnown || document.visibilityState !== "visible") return;
    this.#isLooking = true;
    try {
      this.found = (await this.loginStatus?.(link)) ?? this.found;
    } catch {
      // No answer: the card stays as it is, and is looked at again.
    } finally {
      this.#isLooking = false;
    }
  };

  /**
   * Opens the window by script, which alone can see when it is closed. Where that is not let, the link is just a link.
   * The window keeps its opener: from this page it learns whose login it is. It gives it up before it goes to the provider,
   * by a header that browsers heed of https and loopback alone: else it never has one, and the login goes on by its code.
   */
  #open(event: MouseEvent, target: string): void {
    this.isWaiting = true;
    if (!letsGo(target) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (this.#window && !this.#window.closed) {
      event.preventDefault();
      this.#window.focus();
      return;
    }
    const opened = open(target, "_blank");
    if (!opened) return;
    event.preventDefault();
    this.#window = opened;
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY);
  }

  /**
   * A window also counts as closed to us once it shows a page of another origin group (Cross-Origin-Opener-Policy): so it
   * is believed only when the user looks at this page again.
   */
  #look(): void {
    if (!this.#window?.closed || document.visibilityState !== "visible" || !document.hasFocus()) return;
    clearInterval(this.#watch);
    this.#window = null;
    this.isWaiting = false;
    void this.#check();
  }
}
