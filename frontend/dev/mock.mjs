// A small service that speaks the web protocol with canned bots, for work on the chat without the real one.
// Serves the built page with the real one's policy. `POST /mock {"stream": "dead" | "silent" | "", "say": 500, "all": 503,
// "delay": ms, "expire": true}` breaks things on purpose. Keeps everything in memory.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { answerTo, bots } from "./bots.mjs";

const STATIC = fileURLToPath(new URL("../../src/dialoom/widget/static/", import.meta.url));
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; " +
  "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html; charset=utf-8" };

const chats = new Map();
const tokens = new Map();
const resumes = new Map();
let trouble = { stream: "", say: 0, all: 0, delay: 700, expire: false };

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://mock");
  const body = request.method === "POST" ? JSON.parse((await text(request)) || "{}") : {};
  const page = url.pathname.match(/^\/chat\/(\w+)\/(\w+)$/);
  const call = url.pathname.match(/^\/v1\/bots\/(\w+)\/channels\/(\w+)\/web\/(\w+)$/);
  if (url.pathname === "/mock") return mend(body, response);
  if (url.pathname === "/embed") return embed(url, response);
  if (page) return hosted(page[1], page[2], response);
  if (url.pathname.startsWith("/static/")) return file(url.pathname.slice(8), response);
  if (!call || !bots[call[1]]) return problem(response, 404, "not-found", "There is no such bot here.");
  if (trouble.all) return problem(response, trouble.all, "trouble", "Out of order.");
  return api(call[1], call[3], { request, response, url, body });
});

function mend(body, response) {
  trouble = { ...trouble, ...body };
  if (body.expire) tokens.clear();
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
  json(response, 200, {
    token, resume, bot, user: { id: user }, conversation: null, messages: before.slice(-100),
    cursor: String(before.at(-1)?.position ?? 0), typing: chat.typing, expiresAt: new Date(Date.now() + 864e5).toISOString(),
  });
  if (isNew) answer(chat, chat.bot.welcome);
}

function say(chat, body, response) {
  if (trouble.say) return problem(response, trouble.say, "trouble", "Out of order.");
  if (!chat.ids.has(body.id)) {
    chat.ids.add(body.id);
    const text = body.text ?? titles(chat, body.option);
    add(chat, { from: "user", type: body.option ? "option" : "text", text, clientId: body.id });
    answer(chat, answerTo(chat.bot, text));
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
    typing(chat, false);
  }, trouble.delay);
}

function form(chat, { text, replies, next, dialog }) {
  const ask = chat.messages.length;
  const option = (title, index) => ({ key: `${ask}.${index}`, title, value: title });
  const pills = replies?.map(option) ?? [];
  if (next) pills.push({ key: `${ask}.next`, title: next, value: next, system: "next" });
  const options = chat.bot.options.map(([title, subtitle], index) => ({ ...option(title, index), subtitle }));
  return { text, ...(pills.length && { replies: pills }), ...(dialog && { dialog: { options, ...dialog } }) };
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
  for (const stream of chat.streams) stream.write(`event: typing\ndata: ${JSON.stringify({ on })}\n\n`);
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

function hosted(id, channel, response) {
  const bot = bots[id] ?? { name: id, language: "en" };
  const direction = bot.language === "ar" ? "rtl" : "ltr";
  const values = { bot: id, channel, name: bot.name, language: bot.language, direction, avatar: "" };
  const page = readFileSync(join(STATIC, "chat.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_all, name) => values[name]);
  response.writeHead(200, { "content-type": TYPES[".html"], "content-security-policy": POLICY });
  response.end(page);
}

function embed(url, response) {
  const extra = url.searchParams.get("container") ? 'data-container="here"' : "";
  response.writeHead(200, { "content-type": TYPES[".html"], "content-security-policy": POLICY });
  response.end(`<!doctype html><html lang="en"><title>Somebody's shop</title><meta name="viewport" content="width=device-width">
<main><h1>Somebody's shop</h1><p>We sell lamps.</p><div id="here"></div></main>
<script src="/static/widget.js" data-bot="clinic" data-channel="web" data-name="Riverside Clinic" ${extra}></script></html>`);
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

async function text(request) {
  let all = "";
  for await (const piece of request) all += piece;
  return all;
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
