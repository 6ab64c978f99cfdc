// The chat as an element in a page, with a service behind it that the test plays: for the tests of the element, each of
// which begins with a page of its own.

import { afterEach, beforeAll, beforeEach, vi } from "vitest";
import { browser } from "../src/chat/chat";
import { DialoomChat, define } from "../src/view/dialoom-chat";
import { FakeService, FakeStorage, pass } from "./fake-service";

export let service: FakeService;
export let chat: DialoomChat;

beforeAll(async () => {
  // Read in before the first test, whose time it would use up on a busy machine.
  const [dialogs, logins] = await Promise.all([import("../src/dialogs"), import("../src/logins")]);
  define(async () => ({ ...dialogs, ...logins }));
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", new FakeStorage());
  vi.stubGlobal("sessionStorage", new FakeStorage());
  service = new FakeService();
  vi.stubGlobal("fetch", service.fetch);
  vi.stubGlobal("createImageBitmap", undefined);
  vi.spyOn(browser, "sendFile").mockImplementation(service.sendFile);
});

afterEach(() => {
  chat.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

export async function show(attributes: Partial<DialoomChat> = {}): Promise<void> {
  chat = Object.assign(new DialoomChat(), { bot: "b", channel: "web", name: "Bot", page: true }, attributes);
  document.body.append(chat);
  await settle();
}

export async function settle(milliseconds = 0): Promise<void> {
  await pass(milliseconds);
  await chat.updateComplete;
  await pass();
}

export const find = <E extends Element = HTMLElement>(selector: string) => chat.renderRoot.querySelector<E>(selector);
export const all = (selector: string) => [...chat.renderRoot.querySelectorAll<HTMLElement>(selector)];
export const bubbles = () => all(".bubble").map((bubble) => bubble.textContent?.trim());
export const inside = (name: string) => find(name)?.shadowRoot as ShadowRoot;
export const buttons = () => [...inside("dialoom-choices").querySelectorAll("button")];
export const area = () => inside("dialoom-field").querySelector("textarea") as HTMLTextAreaElement;

export function write(text: string): void {
  area().value = text;
  area().dispatchEvent(new Event("input"));
}

export function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more });
  area().dispatchEvent(event);
  return event;
}
/** What stands in the open dialog, or in the cards and logins of the chat. */
export async function panel(name: string): Promise<ShadowRoot> {
  const panel = () =>
    find("dialoom-sheet")?.shadowRoot?.querySelector(name) ?? find(name) ?? find("dialoom-choices")?.shadowRoot?.querySelector(name);
  await vi.waitUntil(async () => {
    await settle();
    return panel();
  });
  const element = panel() as HTMLElement & { updateComplete: Promise<unknown> };
  await element.updateComplete;
  return element.shadowRoot as ShadowRoot;
}

export const dialog = (type: string, more: object = {}) => ({
  dialog: { type, title: "Choose", buttonText: "Submit", key: "7", options: [], ...more },
});
