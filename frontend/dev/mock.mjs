// A small service that speaks the web protocol with canned bots, for work on the chat without the real one.
// Serves the built page with the real one's policy. `POST /mock {"stream": "dead" | "silent" | "", "say": 500, "all": 503,
// "delay": ms, "hang": true, "expire": true}` breaks things on purpose; {"consent": "..."} sets that line, {"push": true} lets each
// bot say something unasked. Keeps everything in memory.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { answerTo, bots, drawn, placesFor } from "./bots.mjs";

const STATIC = process.env.STATIC ?? fileURLToPath(new URL("../../src/dialoom/widget/static/", import.meta.url));
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; " +
  "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const TYPES = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".html": "text/html; charset=utf-8",
  ".json": "application/json",
};

const chats = new Map();
const tokens = new Map();
const resumes = new Map();
const files = new Map();
const picked = new Set();
/** What was sent, oldest first; tests read it at /mock/answers. */
const answers = [];
let trouble = { stream: "", say: 0, all: 0, upload: 0, delay: 700, expire: false };

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://mock");
  const raw = request.method === "POST" ? await bytes(request) : Buffer.alloc(0);
  const kept = url.pathname.match(/^\/v1\/bots\/\w+\/channels\/\w+\/files\/(\w+)$/);
  const pick = url.pathname.match(/^\/v1\/bots\/(\w+)\/channels\/(\w+)\/pick\/([\w-]+)(\/question|\/places)?$/);
  if (kept) return keptFile(kept[1], response);
  if (url.pathname.endsWith("/web/files")) return take(request, url, raw, response);
  const body = raw.length ? JSON.parse(raw) : {};
  const page = url.pathname.match(/^\/chat\/(\w+)\/(\w+)$/);
  const call = url.pathname.match(/^\/v1\/bots\/(\w+)\/channels\/(\w+)\/web\/(\w+)$/);
  if (url.pathname === "/mock") return mend(body, response);
  if (url.pathname === "/mock/logged-in") return loggedIn(response);
  if (url.pathname === "/mock/answers") return json(response, 200, answers);
  if (url.pathname.startsWith("/mock/tile/")) return picture(url.pathname.slice(url.pathname.lastIndexOf("/")), response);
  if (url.pathname.endsWith("/places")) return found(url, response);
  if (url.pathname.startsWith("/mock/picture/")) return picture(url.pathname, response);
  if (url.pathname === "/mock/login") return loginPage(response);
  if (url.pathname === "/embed") return embed(url, response);
  if (page) return hosted("chat.html", page[1], page[2], response);
  if (pick && !pick[4] && request.method === "GET") return hosted("pick.html", pick[1], pick[2], response, bots[pick[1]]?.[pick[3].replace(/-.*/, "")]?.at(-1).text);
  if (pick) return picker(bots[pick[1]], pick[3], request.method, body, response);
  if (url.pathname.startsWith("/static/")) return file(url.pathname.slice(8), response);
  if (!call || !bots[call[1]]) return problem(response, 404, "not-found", "There is no such bot here.");
  if (trouble.all) return problem(response, trouble.all, "trouble", "Out of order.");
  return api(call[1], call[3], { request, response, url, body });
});

function mend(body, response) {
  trouble = { ...trouble, ...body };
  if (body.expire) tokens.clear();
  if (body.push) for (const chat of chats.values()) add(chat, { from: "bot", type: "text", text: chat.bot["logged in"][0].text });
  if (body.expire || body.cut) for (const chat of chats.values()) for (const stream of chat.streams) stream.destroy();
  json(response, 200, trouble);
}

function api(id, what, { request, response, url, body }) {
  if (what === "sessions") return open(id, body, response);
  const chat = tokens.get(request.headers.authorization?.replace("Bearer ", ""));
  if (!chat) return problem(response, 401, "session", "There is no live session with this request.");
  const after = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
  if (what === "events") return stream(chat, after, response);
  if (request.method === "POST") return say(chat, body, response);
  return poll(chat, after, Number(url.searchParams.get("wait") ?? 0), response);
}

function open(id, body, response) {
  const user = resumes.get(body.resume) ?? `web_${randomBytes(8).toString("hex")}`;
  const name = `${id} ${user}`;
  const isNew = !chats.has(name);
  if (isNew) chats.set(name, { bot: bots[id], messages: [], streams: new Set(), waiting: new Set(), typing: false, ids: new Set() });
  const chat = chats.get(name);
  const before = [...chat.messages];
  const [token, resume] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  tokens.set(token, chat);
  resumes.set(resume, user);
  const bot = { id, name: chat.bot.name, avatarUrl: null, language: chat.bot.language };
  const channel = { mayErase: true, privacyUrl: "https://example.org/privacy", consent: trouble.consent ? chat.bot.consent : null };
  json(response, 200, {
    token, resume, bot, channel, user: { id: user }, conversation: null, messages: before.slice(-100),
    cursor: String(before.at(-1)?.position ?? 0), typing: chat.typing, expiresAt: new Date(Date.now() + 864e5).toISOString(),
  });
  if (isNew) answer(chat, chat.bot.welcome);
}

function say(chat, body, response) {
  if (trouble.hang) return;
  if (trouble.say) return problem(response, trouble.say, "trouble", "Out of order.");
  if (!chat.ids.has(body.id)) {
    chat.ids.add(body.id);
    answers.push(body);
    const sent = body.files?.map((id) => files.get(id)).map(({ url, mimeType, name }) => ({ url, mimeType, name }));
    const text = body.text ?? (body.option ? titles(chat, body.option) : "");
    const type = body.option ? "option" : body.location ? "location" : sent ? "file" : "text";
    const more = { ...(text && { text }), ...(body.location && { location: body.location }), ...(sent && { files: sent }) };
    add(chat, { from: "user", type, clientId: body.id, ...more });
    answer(chat, answerTo(chat.bot, text || type));
  }
  json(response, 202, { id: body.id });
}

function titles(chat, choice) {
  const offered = chat.messages.flatMap((message) => [...(message.replies ?? []), ...(message.dialog?.options ?? [])]);
  const title = (key) => offered.findLast((option) => option.key === key)?.title ?? key;
  if (choice.keys) return choice.keys.map(title).join(", ");
  return choice.key ? title(choice.key) : String(choice.value);
}

function answer(chat, said) {
  if (!said.length) return;
  typing(chat, true);
  setTimeout(() => {
    for (const one of said) add(chat, { from: "bot", type: one.dialog ? "template" : "text", ...form(chat, one) });
    if (said.at(-1).isEnd) chat.ended = "c1";
    typing(chat, false);
  }, trouble.delay);
}

function form(chat, { text, replies, next, dialog, wants, loggedIn }) {
  const ask = chat.messages.length;
  const option = (given, index) => {
    const [title, role] = [given].flat();
    return { key: `${ask}.${index}`, title, value: title, ...(role && { role }) };
  };
  const pills = replies?.map(option) ?? [];
  if (next) pills.push({ key: `${ask}.next`, title: next, value: next, system: "next" });
  return { text, ...(pills.length && { replies: pills }), ...(dialog && { dialog: whole(dialog, ask) }), ...(wants && { wants }), ...(loggedIn && { loggedIn }) };
}

function whole(dialog, ask) {
  const options = (dialog.options ?? []).map(([title, subtitle, image, place], index) => ({
    key: `${ask}.${index}`, title, value: place ? { ...place, name: title } : title, ...(subtitle && { subtitle }), ...(image && { image }),
  }));
  return { ...dialog, key: String(ask), options };
}

/** Tickets are the words that a bot answers with a dialog; `gone` and `slow` are special. Each is answered once. */
function picker(bot, ticket, method, body, response) {
  const said = bot[ticket.replace(/-.*/, "")]?.at(-1);
  if (trouble.all) return problem(response, trouble.all, "trouble", "Out of order.");
  if (!said?.dialog) return problem(response, 404, "picker-unknown", "There is no such question.");
  if (picked.has(ticket)) return problem(response, 410, "picker-over", "The question has been answered.");
  if (method === "POST") {
    if (trouble.say) return problem(response, trouble.say, "trouble", "Out of order.");
    picked.add(ticket);
    answers.push(body);
    return json(response, 200, { back: ticket.endsWith("back") ? "/chat/clinic/web" : null });
  }
  const about = { id: "clinic", name: bot.name, avatarUrl: null, language: bot.language };
  json(response, 200, { bot: about, text: said.text, dialog: whole(said.dialog, 1), locale: bot.language });
}

function take(request, url, raw, response) {
  if (trouble.upload) return problem(response, trouble.upload, "trouble", "The file was not taken.");
  if (!tokens.has(request.headers.authorization?.replace("Bearer ", ""))) return problem(response, 401, "session", "No session.");
  const id = randomBytes(8).toString("hex");
  const name = url.searchParams.get("name") || "file";
  const mimeType = raw.subarray(1, 4).toString() === "PNG" ? "image/png" : "application/octet-stream";
  const kept = { id, url: `${url.pathname.replace("/web/files", "/files")}/${id}?e=1&s=x`, mimeType, name, size: raw.length };
  files.set(id, { ...kept, raw });
  setTimeout(() => json(response, 201, kept), trouble.slow ?? 0);
}

function keptFile(id, response) {
  const { mimeType, raw } = files.get(id);
  response.writeHead(200, { "content-type": mimeType, "x-content-type-options": "nosniff" });
  response.end(raw);
}

function add(chat, message) {
  const position = (chat.messages.at(-1)?.position ?? 0) + 1;
  const whole = { id: randomBytes(8).toString("hex"), position, createdAt: new Date().toISOString(), ...message };
  chat.messages.push(whole);
  for (const stream of chat.streams) stream.write(event(whole));
  for (const wake of chat.waiting) wake();
}

function typing(chat, on) {
  chat.typing = on;
  const ended = on ? {} : { ended: chat.ended };
  for (const stream of chat.streams) stream.write(`event: typing\ndata: ${JSON.stringify({ on, ...ended })}\n\n`);
}

function event(message) {
  return `event: message\nid: ${message.position}\ndata: ${JSON.stringify(message)}\n\n`;
}

function stream(chat, after, response) {
  if (trouble.stream === "dead") return problem(response, 502, "trouble", "No streams here.");
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  if (trouble.stream === "silent") return response.flushHeaders();
  response.write("retry: 1000\n\n");
  for (const message of chat.messages) if (message.position > after) response.write(event(message));
  response.write(`event: typing\ndata: ${JSON.stringify({ on: chat.typing })}\n\n`);
  chat.streams.add(response);
  const beat = setInterval(() => response.write(": still here\n\n"), 15_000);
  response.on("close", () => chat.streams.delete(response) && clearInterval(beat));
}

function poll(chat, after, wait, response) {
  const later = () => chat.messages.filter((message) => message.position > after);
  const end = () => {
    clearTimeout(timer);
    chat.waiting.delete(end);
    const messages = later();
    json(response, 200, { messages, next: String(messages.at(-1)?.position ?? after), typing: chat.typing });
  };
  const timer = setTimeout(end, wait * 1000);
  if (later().length || !wait) end();
  else chat.waiting.add(end);
}

function hosted(file, id, channel, response, asked = "") {
  const bot = bots[id] ?? { name: id, language: "en" };
  const direction = bot.language === "ar" ? "rtl" : "ltr";
  const values = { bot: id, channel, name: bot.name, header: bot.name, language: bot.language, direction, avatar: "", spoken: "en", noscript: "This page needs JavaScript.", initial: bot.name[0], text: asked };
  const page = readFileSync(join(STATIC, file), "utf8").replace(/\{\{(\w+)\}\}/g, (_all, name) => values[name]);
  response.writeHead(200, { "content-type": TYPES[".html"], "content-security-policy": POLICY });
  response.end(page);
}

/** The search for places; `trouble.places` breaks it. */
function found(url, response) {
  if (trouble.places) return problem(response, trouble.places, "geocoder", "The search did not work.");
  json(response, 200, { places: placesFor(url.searchParams.get("q") ?? ""), attribution: "Data © OpenStreetMap contributors, ODbL 1.0" });
}

function picture(path, response) {
  response.writeHead(200, { "content-type": TYPES[".svg"] });
  response.end(drawn(Number(path.match(/\d+/)?.[0] ?? 0)));
}

/** Where the login's window leads; the chat goes on after POST /mock/logged-in. */
function loginPage(response) {
  response.writeHead(200, { "content-type": TYPES[".html"] });
  response.end('<!doctype html><html lang="en"><title>Log in</title><h1>Log in</h1></html>');
}

function loggedIn(response) {
  for (const chat of chats.values()) {
    const [first, ...others] = chat.bot["logged in"];
    if (chat.messages.some((message) => message.dialog?.type === "login")) answer(chat, [{ ...first, loggedIn: true }, ...others]);
  }
  json(response, 200, {});
}

function embed(url, response) {
  const [bot, proactive] = [url.searchParams.get("bot") ?? "clinic", url.searchParams.get("proactive")];
  const { name, language } = bots[bot];
  const extra = (url.searchParams.get("container") ? ' data-container="here"' : "") + (proactive ? ` data-proactive-text="${proactive}" data-proactive-after="0"` : "");
  response.writeHead(200, { "content-type": TYPES[".html"], "content-security-policy": POLICY });
  response.end(`<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><title>Somebody's shop</title><meta name="viewport" content="width=device-width">
<main><h1>Somebody's shop</h1><p>We sell lamps.</p><div id="here"></div></main>
<script src="/static/widget.js" data-bot="${bot}" data-channel="web" data-locale="${language}" data-name="${name}"${extra}></script></html>`);
}

function file(path, response) {
  const name = normalize(join(STATIC, path));
  if (!name.startsWith(STATIC)) return problem(response, 404, "not-found", "No such file.");
  try {
    const content = readFileSync(name);
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain" });
    response.end(content);
  } catch {
    problem(response, 404, "not-found", "No such file.");
  }
}

async function bytes(request) {
  const all = [];
  for await (const piece of request) all.push(piece);
  return Buffer.concat(all);
}

function json(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function problem(response, status, code, detail) {
  response.writeHead(status, { "content-type": "application/problem+json" });
  response.end(JSON.stringify({ type: "about:blank", title: code, status, detail, code }));
}

server.listen(Number(process.env.PORT ?? 5178), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/chat/clinic/web`);
});
