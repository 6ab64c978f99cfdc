// Draws what stands in the page's corner while the window is closed: the launcher with its badge, and a line beside it.

import { BUBBLE, CROSS, element, icon } from "./dom";
import type { Launcher, Options } from "./options";
import type { LauncherLook } from "./remembered";
import { style } from "./style";
import { english, fill, type LauncherWords } from "./words";

export interface Actions {
  open(): void;
  /** The user closed the line beside the launcher. */
  dismiss(): void;
}

/** Is drawn when the look and the number of unread messages are set. */
export class Corner {
  /** Stands beside the body, on which many pages say which way their lines run. */
  readonly host = element("div", { class: "dialoom", dir: getComputedStyle(document.body).direction });
  readonly root = this.host.attachShadow({ mode: "open" });
  readonly #name: string;
  readonly #launcher: HTMLButtonElement;
  readonly #text;
  readonly #badge = element("span", { class: "badge", "aria-hidden": "true" });
  readonly #line: HTMLElement;
  readonly #lineText = element("span", { dir: "auto" });
  readonly #lineClose: HTMLButtonElement;
  readonly #given: Launcher;
  #words: LauncherWords = english;
  #unread = 0;
  #isOpen = false;

  constructor(options: Options, actions: Actions) {
    this.#given = options.display?.launcher ?? {};
    const { side, offset, icon: picture } = this.#given;
    this.#name = options.bot.name || options.bot.id;
    this.#text = element("span", { dir: "auto" });
    const look = picture ? element("img", { src: `${picture}`, alt: "", referrerpolicy: "no-referrer" }) : icon(BUBBLE);
    this.#launcher = element("button", { type: "button", class: "launcher", click: () => actions.open() }, look, this.#text, this.#badge);
    this.#lineClose = element("button", { type: "button", class: "round", click: () => actions.dismiss() }, icon(CROSS));
    const lineText = element("button", { type: "button", class: "text", click: () => actions.open() }, this.#lineText);
    this.#line = element("div", { class: "line" }, lineText, this.#lineClose);
    for (const text of [style, options.css ?? ""]) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      this.root.adoptedStyleSheets.push(sheet);
    }
    if (side) this.host.setAttribute("side", side);
    const { theme } = options;
    if (theme && theme !== "auto") this.host.style.setProperty("--scheme", theme);
    for (const [edge, pixels] of Object.entries(offset ?? {})) if (pixels != null) this.host.style.setProperty(`--${edge}`, `${pixels}px`);
    this.root.append(this.#line, this.#launcher);
  }

  set words(words: LauncherWords) {
    this.#words = words;
    this.#label();
  }

  /** What the page says itself wins. */
  setLook({ brand, launcher }: LauncherLook = {}): void {
    this.host.style.setProperty("--look-brand", brand ?? "");
    this.#text.textContent = this.#given.text ?? launcher ?? "";
    this.#label();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    this.#draw();
  }

  set unread(unread: number) {
    this.#unread = unread;
    this.#badge.textContent = unread > 99 ? "99+" : String(unread);
    this.#label();
    this.#draw();
  }

  /** Shows a line beside the launcher; none when it is empty. */
  set line(text: string) {
    this.#lineText.textContent = text;
    this.#draw();
  }

  get line(): string {
    return this.#lineText.textContent ?? "";
  }

  /** Shows that the chat is on its way. */
  set isBusy(isBusy: boolean) {
    this.#launcher.ariaBusy = String(isBusy);
  }

  focusLauncher(): void {
    this.#launcher.focus();
  }

  #label(): void {
    // What stands on a button is part of its name (WCAG 2.2, 2.5.3).
    const label = this.#text.textContent || fill(this.#words.chatWith, this.#name);
    const news = this.#unread ? `, ${fill(this.#words.unread, this.#unread)}` : "";
    this.#launcher.ariaLabel = label + news;
    this.#lineClose.ariaLabel = this.#words.close;
  }

  #draw(): void {
    // A page that zooms all of itself would make the window higher than the screen.
    this.host.style.setProperty("--zoom", String(1 / (document.documentElement.currentCSSZoom ?? 1)));
    this.#launcher.hidden = this.#isOpen || Boolean(this.#given.hidden);
    this.#badge.hidden = !this.#unread;
    this.#line.hidden = this.#launcher.hidden || !this.line;
  }
}
