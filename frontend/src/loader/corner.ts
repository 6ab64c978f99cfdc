// Draws what stands in the page's corner while the window is closed: the launcher with its badge, and a line beside it.

import { BUBBLE, CROSS, element, icon } from "./dom";
import type { Options } from "./options";
import type { LauncherLook } from "./stages";
import { style } from "./style";
import { english, fill, type LauncherWords } from "./words";

export interface Actions {
  open(): void;
  /** The user closed the line beside the launcher. */
  dismiss(): void;
}

export class Corner {
  readonly host = element("div", { class: "dialoom" });
  readonly root = this.host.attachShadow({ mode: "open" });
  readonly #name: string;
  readonly #launcher: HTMLButtonElement;
  readonly #badge = element("span", { class: "badge", "aria-hidden": "true", hidden: "" });
  readonly #line: HTMLElement;
  readonly #lineText = element("span", { dir: "auto" });
  readonly #text: HTMLElement;
  readonly #lineClose: HTMLButtonElement;
  readonly #isHidden: boolean;
  #words: LauncherWords = english;
  #unread = 0;
  #isOpen = false;

  constructor(options: Options, actions: Actions) {
    const { text, side, offset, icon: picture, hidden } = options.display?.launcher ?? {};
    this.#name = options.bot.name || options.bot.id;
    this.#isHidden = hidden ?? false;
    this.#text = element("span", { dir: "auto" }, text ?? "");
    const look = picture ? element("img", { src: picture, alt: "", referrerpolicy: "no-referrer" }) : icon(BUBBLE);
    this.#launcher = element("button", { type: "button", class: "launcher", click: () => actions.open() }, look, this.#text, this.#badge);
    this.#lineClose = element("button", { type: "button", class: "round", click: () => actions.dismiss() }, icon(CROSS));
    const lineText = element("button", { type: "button", class: "text", click: () => actions.open() }, this.#lineText);
    this.#line = element("div", { class: "line", hidden: "" }, lineText, this.#lineClose);
    for (const sheet of [style, options.css ?? ""]) this.root.adoptedStyleSheets.push(styleSheet(sheet));
    if (side) this.host.setAttribute("side", side);
    const { theme } = options;
    if (theme && theme !== "auto") this.host.style.colorScheme = theme;
    if (offset?.side !== undefined) this.host.style.setProperty("--side", `${offset.side}px`);
    if (offset?.bottom !== undefined) this.host.style.setProperty("--bottom", `${offset.bottom}px`);
    this.root.append(this.#line, this.#launcher);
    this.#label();
    this.#draw();
  }

  /** Wears the bot's look; words that are there win. */
  set look({ brand, launcher }: LauncherLook) {
    this.host.style.setProperty("--look-brand", brand);
    this.#text.textContent ||= launcher;
  }

  set words(words: LauncherWords) {
    this.#words = words;
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
    this.#launcher.classList.toggle("busy", isBusy);
    this.#launcher.ariaBusy = String(isBusy);
  }

  focusLauncher(): void {
    this.#launcher.focus();
  }

  #label(): void {
    const label = fill(this.#words.chatWith, { name: this.#name });
    const news = this.#unread ? `, ${fill(this.#words.unread, { n: this.#unread })}` : "";
    this.#launcher.ariaLabel = label + news;
    this.#lineClose.ariaLabel = this.#words.close;
  }

  #draw(): void {
    this.#launcher.hidden = this.#isOpen || this.#isHidden;
    this.#badge.hidden = !this.#unread;
    this.#line.hidden = this.#isOpen || this.#isHidden || !this.line;
  }
}

function styleSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
