// Connects the chat's own element with a try-out: answers its requests of the web protocol from the talk that the page holds. The
// element knows nothing of it, so what is tried is what users get.

import type { Surroundings } from "../../chat/chat";
import type { Bot, Content } from "../../protocol/wire";
import type { Said } from "../events";
import type { Talk } from "./talk";

/** What the chat is shown of a talk. */
export type Shown = Pick<Talk, "messages" | "isBusy" | "isLost" | "generation" | "problem" | "start" | "say" | "subscribe">;

/** Milliseconds between two signs of life; the chat gives up a stream that is silent for 40 s. */
const HEARTBEAT = 15_000;
const FAR = "9999-12-31T00:00:00Z";

/** What the chat needs of the browser, with the try-out in place of the network. `bot`: how it presents itself. */
export function connection(talk: Shown, bot: () => Bot): Surroundings {
  const files = new Map<string, File>();
  return {
    fetch: async (url, init) => {
      const path = url.slice(url.lastIndexOf("/web/") + 5);
      const body = init.body ? (JSON.parse(String(init.body)) as Readonly<Record<string, unknown>>) : {};
      if (path === "sessions") {
        if (body.clear) await talk.start();
        return Response.json(opened(talk, bot()));
      }
      if (path === "events") return stream(talk, Number(new Headers(init.headers).get("last-event-id")) || 0, init.signal ?? null);
      if (path === "messages") return said(talk, body as { id: string } & Content, files);
      if (path.startsWith("messages?")) return Response.json({ messages: since(talk, Number(new URLSearchParams(path.slice(9)).get("after"))), typing: isTyping(talk), ended: "" });
      if (path.startsWith("places?")) return Response.json({ places: [], attribution: "" });
      if (path.startsWith("login?")) return Response.json({ status: "open" });
      return Response.json({});
    },
    sendFile: async (_url, { body }) => {
      const file = body as File;
      const id = `file-${files.size + 1}`;
      files.set(id, file);
      return Response.json({ id, url: "", mimeType: file.type, name: file.name });
    },
    local: memory(),
    tab: memory(refused),
    isOnline: () => true,
    tabLock: () => (work) => work(),
    tabs: () => null,
  };
}

function opened(talk: Shown, bot: Bot) {
  const messages = talk.messages;
  return {
    token: "try-out",
    user: { id: `try-out-${talk.generation}` },
    bot,
    messages,
    cursor: messages.at(-1)?.position ?? 0,
    typing: isTyping(talk),
    ended: "",
    channel: { mayErase: false, privacyUrl: "" },
    expiresAt: FAR,
  };
}

const isTyping = ({ isBusy, isLost }: Shown) => isBusy && !isLost;

const since = (talk: Shown, last: number) => talk.messages.filter(({ position }) => position > last);

async function said(talk: Shown, { id, ...content }: { id: string } & Content, files: ReadonlyMap<string, File>): Promise<Response> {
  await talk.say(turnOf(content, files), id);
  // A turn that the service refused is shown as not sent; why stands above the chat.
  return talk.problem ? Response.json({ status: 422, code: "refused", detail: talk.problem }, { status: 422 }) : Response.json({});
}

/** The words of conversation tests for what the user did. */
export function turnOf(content: Content, files: ReadonlyMap<string, File> = new Map()): Said {
  if ("text" in content) return { text: content.text };
  if ("location" in content) return { location: content.location };
  if ("option" in content) return { option: "value" in content.option ? content.option.value : content.option };
  const attachments = content.files.map((id) => files.get(id)).filter((file) => file !== undefined);
  // The bytes stay here: a flow sees a file's type and name, and an address.
  return { attachments: attachments.map(({ name, type }) => ({ payload: { url: `${location.origin}/try-out/${encodeURIComponent(name)}` }, mimeType: type, name })) };
}

/** The event stream: what is new in the talk, and whether the bot is at work. */
function stream(talk: Shown, last: number, signal: AbortSignal | null): Response {
  const encoder = new TextEncoder();
  let stop = () => undefined as void;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Unknown: what the session's answer said may be over by now.
      let isTold: boolean | null = null;
      let sent = last;
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const tell = () => {
        for (const message of since(talk, sent)) {
          sent = message.position;
          send(`event: message\nid: ${sent}\ndata: ${JSON.stringify(message)}\n\n`);
        }
        const on = isTyping(talk);
        if (on !== isTold) send(`event: typing\ndata: ${JSON.stringify({ on })}\n\n`);
        isTold = on;
      };
      const beat = setInterval(() => send(": alive\n\n"), HEARTBEAT);
      const forget = talk.subscribe(tell);
      stop = () => {
        clearInterval(beat);
        forget();
      };
      send(": open\n\n");
      tell();
      signal?.addEventListener("abort", () => stop());
    },
    cancel: () => stop(),
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

/** A place for the chat's own notes that is gone with the chat: nothing of a try-out stays in the browser. `keep`: what is read back. */
function memory(keep = (_key: string, value: string) => value): () => Storage {
  const values = new Map<string, string>();
  const storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> = {
    getItem: (key) => (values.has(key) ? keep(key, values.get(key) ?? "") : null),
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
  return () => storage as Storage;
}

/** Of the user's messages a chat that begins again has those that were refused. The talk has all others, or is about to play them. */
function refused(key: string, value: string): string {
  if (!key.endsWith(":outbox")) return value;
  return JSON.stringify((JSON.parse(value) as { readonly state: string }[]).filter(({ state }) => state === "failed"));
}
