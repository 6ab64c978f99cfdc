// The login's card: a button that opens the login in a window of its own, and a line while that window is open. That the
// login is through is told by the service, and not here.

import { base, css, html, imageSource, linkTarget, nothing, outward, plain } from "../kit";
import { Panel } from "./panel";
import { panel } from "./style";

const LOOK_EVERY = 1000;

export class DialoomLogin extends Panel {
  static override properties = { ...Panel.properties, isWaiting: { state: true } };

  static override styles = [
    base,
    panel,
    css`
      .card {
        max-inline-size: 320px;
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
        inline-size: auto;
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
        margin: 0;
      }
    `,
  ];

  declare isWaiting: boolean;
  #window: Window | null = null;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.isWaiting = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#watch);
  }

  override render() {
    const { words } = this;
    const target = this.dialog.url ? linkTarget(this.dialog.url) : null;
    const title = plain(this.dialog.title);
    const button = plain(this.dialog.buttonText) || title;
    if (target === null) return html`<p class="hint">${title || words.typeAnswer}</p>`;
    const image = imageSource(this.dialog.image);
    return html`<div class="card">
      ${image ? html`<img src=${image} alt="" referrerpolicy="no-referrer" />` : nothing}
      ${title && title !== button ? html`<b dir="auto">${title}</b>` : nothing}
      <a class="act" href=${target} target="_blank" rel="noopener noreferrer" @click=${(event: MouseEvent) => this.#open(event, target)}>
        <span dir="auto">${button}</span>${outward}
      </a>
      <div role="status">${this.isWaiting ? html`<p class="waiting">${words.waiting}</p>` : nothing}</div>
    </div>`;
  }

  /** Opens the window by script, which alone can see when it is closed. Where that is not let, the link is just a link. */
  #open(event: MouseEvent, target: string): void {
    this.isWaiting = true;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (this.#window && !this.#window.closed) {
      event.preventDefault();
      this.#window.focus();
      return;
    }
    const opened = open("about:blank", "_blank");
    if (!opened) return;
    event.preventDefault();
    // The login's page must not be able to lead this one elsewhere.
    opened.opener = null;
    opened.location.replace(target);
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
  }
}
