// The studio in a page, with a service behind it that the test plays, for an administrator of two bots: for the tests of the
// studio as a whole, each of which begins with a page of its own.

import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { define, DialoomStudio } from "../src/studio/dialoom-studio";
import { load } from "../src/studio/rooms";

export type Answer = () => Response | Promise<Response>;

const token = (id: string, more: object = {}) => ({
  id,
  name: id,
  scopes: ["read"],
  createdAt: "2026-11-21T10:00:00.000Z",
  revokedAt: null,
  isOfFile: false,
  ...more,
});
export const channel = (type: string, more: object = {}) => ({
  id: type,
  type,
  name: null,
  address: `https://bots.test/${type}`,
  allowedOrigins: [],
  requiresUserToken: false,
  tokens: [token(`first:${type}`)],
  ...more,
});
export const bot = (id: string, more: object = {}) => ({
  id,
  name: id.toUpperCase(),
  version: "0123456789ab",
  service: "https://bots.test",
  api: `https://bots.test/v1/bots/${id}`,
  reference: "https://bots.test/docs",
  tokens: [token("report"), token("bot.json", { name: "", isOfFile: true }), token("gone", { revokedAt: "2026-11-21T11:00:00.000Z" })],
  channels: [channel("web"), channel("rest"), channel("messenger-3", { tokens: [] })],
  ...more,
});
export const refused = (status: number, code: string, detail = "No, because.") => Response.json({ status, code, detail }, { status });

export const TABS = ["Versions", "Channels", "Look", "Tokens", "Dead letters", "Doctor", "Keys", "Backup"];
export const TOKENS = "/studio/a/operate?tab=tokens";
export const CHANNELS = "/studio/a/operate?tab=channels";

export let studio: DialoomStudio;
export let answers: Record<string, Answer>;
export let asked: { call: string; body: unknown }[];
export let copied: string[];

beforeAll(async () => {
  define();
  await Promise.all([load("home"), load("operate"), load("palette")]);
});

beforeEach(() => {
  history.replaceState(null, "", "/studio");
  asked = [];
  copied = [];
  answers = {
    "POST /sign-in": () => Response.json({ expiresAt: "2026-11-21T22:00:00.000Z" }),
    "POST /sign-out": () => new Response(null, { status: 204 }),
    "GET /session": () =>
      Response.json({ role: "administrator", expiresAt: "2026-11-21T22:00:00.000Z", release: "9.9", bots: [{ id: "a", name: "A" }, { id: "b", name: "B" }] }),
    "GET /bots/a": () => Response.json(bot("a")),
    "GET /bots/a/channels": () => Response.json([]),
    "GET /bots/b": () => Response.json(bot("b", { tokens: [] })),
    "POST /bots/a/tokens": () => Response.json({ row: token("new"), token: "dlm_new" }, { status: 201 }),
    "POST /bots/a/tokens/report/show": () => Response.json({ token: "dlm_report" }),
    "POST /bots/a/tokens/report/revoke": () => new Response(null, { status: 204 }),
    "POST /bots/a/tokens/first%3Aweb/show": () => Response.json({ token: "dlc_web" }),
  };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const call = `${init.method} ${url.replace("/v1/studio", "")}`;
    asked.push({ call, body: init.body ? JSON.parse(String(init.body)) : undefined });
    const answer = answers[call];
    // What Home and the palette ask for is here only in the tests of it.
    if (!answer && /\/(versions|draft|draft\/state)$/.test(call)) return refused(404, "not-found");
    if (!answer) throw new TypeError(`no answer for ${call}`);
    return answer();
  });
  vi.stubGlobal("ClipboardItem", class {
    constructor(readonly parts: Record<string, Promise<Blob>>) {}
  });
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: {
      write: async (items: { parts: Record<string, Promise<Blob>> }[]) => {
        copied.push(await (await items[0]?.parts["text/plain"])!.text());
      },
    },
  });
});

afterEach(() => {
  studio?.remove();
  vi.unstubAllGlobals();
});

/** All elements of the studio, whichever shadow they stand in. */
export function all(selector: string, root: ParentNode = studio.renderRoot): HTMLElement[] {
  const inside = [...root.querySelectorAll<HTMLElement>("*")].flatMap((one) => (one.shadowRoot ? all(selector, one.shadowRoot) : []));
  return [...root.querySelectorAll<HTMLElement>(selector), ...inside];
}

export const find = (selector: string) => all(selector)[0];
export const words = () => all("h1, h2, h3, p, dt, dd, td, code, pre").map((one) => one.textContent?.trim()).join("\n");
export const calls = () => asked.map(({ call }) => call);

export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  await studio.updateComplete;
}

export async function press(label: string | RegExp): Promise<void> {
  const button = all("button, a, summary").find((one) => {
    const name = one.getAttribute("aria-label") ?? one.textContent?.trim() ?? "";
    return typeof label === "string" ? name === label : label.test(name);
  });
  expect(button, `no button ${label}`).toBeDefined();
  button?.click();
  await settle();
}

export async function open(address = TOKENS): Promise<void> {
  history.replaceState(null, "", address);
  studio = new DialoomStudio();
  document.body.append(studio);
  await settle();
}
