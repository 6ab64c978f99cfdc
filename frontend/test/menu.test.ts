import { expect, test, vi } from "vitest";
import { preferences } from "../src/chat/preferences";
import { readMessage } from "../src/protocol/wire";
import { talkAsText } from "../src/view/save-talk";
import { all as languages } from "./languages";
import { bubbles, chat, find, inside, service, settle, show } from "./element-page";

const menu = () => inside("dialoom-menu");
const button = () => menu().querySelector<HTMLElement>(".round") as HTMLElement;
const items = () => [...menu().querySelectorAll<HTMLElement>(".item")];
const item = (text: string) => items().find((one) => one.textContent?.includes(text)) as HTMLElement;
const focused = () => (menu().activeElement as HTMLElement).textContent?.trim();

async function opened(): Promise<void> {
  button().click();
  await settle();
}

async function choose(text: string): Promise<void> {
  item(text).click();
  await settle();
}

test("the menu opens by its button, is gone through by arrows and closes by Esc with the focus back", async () => {
  await show();
  await opened();
  expect(items().map((one) => one.textContent?.trim().split(/\s{2,}/)[0])).toEqual(["Start over", "Save this chat", "Text size 100 %", "Sound"]);
  const press = (key: string) => menu().querySelector(".menu")?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  expect(focused()).toBe("Start over");
  press("ArrowUp");
  expect(focused()).toBe("Sound");
  press("ArrowDown");
  expect(focused()).toBe("Start over");
  const closing = vi.fn();
  chat.onclosing = closing;
  press("Escape");
  await settle();
  expect([items().length, closing.mock.calls.length, menu().activeElement === button()]).toEqual([0, 0, true]);
});

test("start over forgets the open talk and keeps what was said", async () => {
  service.say("Which size?");
  await show();
  await opened();
  await choose("Start over");
  expect(service.sessions.at(-1)).toMatchObject({ clear: true, resume: "secret-1" });
  service.say("Welcome again");
  await settle();
  expect(bubbles()).toEqual(["Which size?", "Welcome again"]);
});

test("the text's size and the sound are kept for the next page", async () => {
  vi.stubGlobal("AudioContext", undefined);
  await show();
  await opened();
  await choose("Text size");
  expect(chat.style.getPropertyValue("--text-zoom")).toBe("1.15");
  expect(preferences().size).toBe(1.15);
  await choose("Text size");
  await choose("Text size");
  expect(preferences().size).toBe(1);
});

test("the menu leads to the operator's privacy notice, and to no script", async () => {
  service.channel = { mayErase: false, privacyUrl: "https://shop.example/privacy", consent: "" };
  await show();
  await opened();
  expect((item("Privacy") as HTMLAnchorElement).href).toBe("https://shop.example/privacy");
  chat.remove();
  service.channel = { mayErase: false, privacyUrl: "javascript:alert(1)", consent: "" };
  await show();
  await opened();
  expect(item("Privacy")).toBeUndefined();
});

test("erasing is offered where the operator allows it, asks once, and begins anew", async () => {
  service.channel = { mayErase: true, privacyUrl: "", consent: "" };
  service.say("Hello");
  await show();
  await opened();
  await choose("Erase my data");
  const asked = menu().querySelector("[role=alertdialog]");
  expect(asked?.textContent).toContain("erased for good");
  expect(focused()).toBe("Keep");
  expect(service.calls).not.toContain("erasure");
  asked?.querySelector<HTMLElement>(".danger")?.click();
  await settle(3000);
  expect(service.calls).toContain("erasure");
  expect([bubbles(), service.messages]).toEqual([[], []]);
  service.say("Welcome");
  await settle(3000);
  expect(bubbles()).toEqual(["Welcome"]);
});

test("an erasure that fails says so and keeps everything", async () => {
  service.channel = { mayErase: true, privacyUrl: "", consent: "" };
  service.say("Hello");
  service.broken.erasure = 503;
  await show();
  await opened();
  await choose("Erase my data");
  menu().querySelector<HTMLElement>("[role=alertdialog] .danger")?.click();
  await settle();
  expect(menu().querySelector("[role=alertdialog]")?.textContent).toContain("Not sent.");
  expect(bubbles()).toEqual(["Hello"]);
});

test("the talk is saved as text: who said what and when, without Markdown's signs and without opening events", () => {
  const at = "2026-11-20T08:15:30.250Z";
  const messages = [
    { from: "user", type: "event", text: "" },
    { from: "bot", type: "text", text: "Your **table**\nis booked." },
    { from: "user", type: "text", text: "Thanks *a lot*" },
    { from: "user", type: "file", files: [{ url: "/x", mimeType: "image/png", name: "leaf.png" }] },
  ].map((message, at_) => readMessage({ id: `m${at_}`, position: at_ + 1, createdAt: at, ...message }));
  const text = talkAsText(messages.filter((message) => message !== null), "Bot", languages.en, "en");
  expect(text.replace(/^.*? · /gm, "")).toBe("Bot says:\nYour table\nis booked.\n\nYou say:\nThanks *a lot*\n\nYou say:\nleaf.png\n");
});

test("the consent line stands above the field until the user has said something", async () => {
  await show({ consent: { text: "We keep what you write.", link: "https://shop.example/privacy" } });
  expect(find(".consent")?.textContent?.replace(/\s+/g, " ").trim()).toBe("We keep what you write. Privacy");
  expect(find<HTMLAnchorElement>(".consent a")?.href).toBe("https://shop.example/privacy");
  await chat.say("Hello");
  await settle();
  expect(find(".consent")).toBeNull();
});

test("the operator's consent line stands where the page has none, beside the privacy notice", async () => {
  service.channel = { mayErase: false, privacyUrl: "https://shop.example/privacy", consent: "We keep it for a year." };
  await show();
  expect(find(".consent")?.textContent?.replace(/\s+/g, " ").trim()).toBe("We keep it for a year. Privacy");
  expect(find<HTMLAnchorElement>(".consent a")?.href).toBe("https://shop.example/privacy");
  chat.remove();
  await show({ consent: { text: "We keep what you write." } });
  expect(find(".consent")?.textContent?.trim()).toBe("We keep what you write.");
});
