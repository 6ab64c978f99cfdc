import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { load as put, type Options } from "../src/load";
import { DialoomChat } from "../src/view/dialoom-chat";
import { FakeService, FakeStorage, pass } from "./fake-service";

let service: FakeService;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", new FakeStorage());
  vi.stubGlobal("sessionStorage", new FakeStorage());
  service = new FakeService();
  vi.stubGlobal("fetch", service.fetch);
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const load = (options: Options) => put(options, "", () => import("../src/dialogs/widget"));
const minimal = { bot: { id: "b" }, channel: { id: "web", token: "t" } };

test("inline, the chat stands in the page's container and opens with what the page gives", async () => {
  const here = document.createElement("div");
  here.id = "here";
  document.body.append(here);
  const session = { context: { page: "x" }, userMessage: "Hello" };
  load({ ...minimal, session, user: { id: "7" }, locale: "de-AT", display: { mode: "inline", containerId: "here" } });
  await pass();
  expect(here.firstElementChild).toBeInstanceOf(DialoomChat);
  expect(service.sessions[0]).toMatchObject({ ...session, user: { id: "7" }, locale: "de-AT" });
  expect(service.headers[0]?.get("authorization")).toBe("Bearer t");
});

test("a container that is not there is named", () => {
  expect(() => load({ ...minimal, display: { mode: "inline", containerId: "nowhere" } })).toThrow('"nowhere"');
});

test("without bot or channel it says what is missing", () => {
  expect(() => load({ ...minimal, bot: { id: "" } })).toThrow("bot.id and channel.id");
});

test("as a window the chat asks for nothing until it is opened, and Esc closes it", async () => {
  const { element } = load(minimal);
  await pass();
  const root = element.shadowRoot as ShadowRoot;
  expect(service.calls).toEqual([]);
  root.querySelector<HTMLElement>(".launcher")?.click();
  await pass();
  const chat = root.querySelector("dialoom-chat");
  expect(service.calls).toContain("sessions");
  chat?.shadowRoot?.querySelector(".chat")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await pass();
  expect(root.querySelector("dialoom-chat")).toBeNull();
  expect(root.querySelector(".launcher")).not.toBeNull();
});
