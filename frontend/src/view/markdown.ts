// Markdown to elements: marked's lexer, then one template for each token. No HTML string is ever made; HTML in the text
// is shown as the text that it is. The lexer is loaded when a text needs it; without it a text is shown as it is written.

import { html, nothing, type TemplateResult } from "lit";
import type { Token, Tokens } from "marked";
import type { Message } from "../protocol/wire";
import { resolveEntities } from "./entities";
import { leaveOut } from "./images";
import { imageSource, linkTarget } from "./links";

type Content = TemplateResult | string | typeof nothing | readonly Content[];

/** Deeper nesting than people write; a text made to exhaust the stack is cut off here and shown plain. */
const MAX_DEPTH = 24;

/** Whether a text may say something in Markdown; one without any of this is drawn in the same way without the lexer. */
const MARKUP = /[\\`*_~[&<]|:\/\/|www\.|@|^\s*(?:[-+=#>|:]|\d+[.)])|^(?: {4}|\t)/m;

let Lexer: typeof import("marked").Lexer | null = null;

/** Whether drawing one of these texts has to wait for `loadLexer`. */
export function needsLexer(...texts: readonly string[]): boolean {
  return !Lexer && texts.some((text) => MARKUP.test(text));
}

/** What of a message is read as Markdown, beside its dialog. */
export function textsOf({ from, text, replies }: Message): string[] {
  return from === "bot" ? [text, ...replies.map(({ title }) => title)] : [];
}

/** Milliseconds that messages wait for the lexer. */
const LEXER_WITHIN = 2000;

/** Loads the lexer, waiting for it no longer than is right for messages; `onCome` is called whenever it comes. */
export function lexerInTime(onCome: () => void): Promise<unknown> {
  return Promise.race([loadLexer().then(onCome), new Promise((resolve) => setTimeout(resolve, LEXER_WITHIN))]);
}

/** Loads the lexer; without it texts are shown as they are written, which is no reason to fail. */
export async function loadLexer(): Promise<void> {
  const part = Lexer ? null : await import("./markdown-lexer").catch(() => null);
  if (!part) return;
  Lexer = part.Lexer;
  drawn.clear();
}

// The same text is drawn on every change of the chat.
const drawn = new Map<string, { content: Content; isLong: boolean }>();
const KEPT = 300;

export function markdown(text: string): Content {
  return remembered(text).content;
}

/** Whether a text wants the whole column instead of a bubble: blocks that need width, or much of it. */
export function isLong(text: string): boolean {
  return remembered(text).isLong;
}

/** Signs that mark something within a line; a text without any is read at once, as the titles of thousands of options are. */
const SIGNS = /[\\`*_~[&]/;
/** What a title keeps of Markdown. */
const MARKS = new Set(["strong", "em", "del", "codespan", "escape"]);

/** The text alone, for labels that take no elements. Like the service it reads a label as one line: "1. June" is no list. */
export function plain(text: string): string {
  const read = SIGNS.test(text) ? lex(text, "lexInline").map(plainToken).join("") : text;
  return read.replace(/\s+/g, " ").trim();
}

/** The title of an option: a link and an image as their text, for it stands on a button. */
export function title(text: string): Content {
  return SIGNS.test(text) ? inlines(lex(text, "lexInline").map(unlinked), 0) : plain(text);
}

function unlinked(token: Token): Token {
  const { type, tokens } = token as Tokens.Generic;
  return { ...token, type: MARKS.has(type) ? type : "text", ...(tokens && { tokens: tokens.map(unlinked) }) } as Token;
}

function remembered(text: string): { content: Content; isLong: boolean } {
  let found = drawn.get(text);
  if (!found) {
    const tokens = lex(text, "lex");
    const hasBlocks = tokens.some((token) => ["table", "code", "heading", "blockquote", "hr"].includes(token.type));
    found = { content: blocks(tokens, 0), isLong: hasBlocks || text.length > 420 };
    if (drawn.size >= KEPT) drawn.delete(drawn.keys().next().value as string);
    drawn.set(text, found);
  }
  return found;
}

function lex(text: string, how: "lex" | "lexInline"): Token[] {
  if (!Lexer) return how === "lex" ? paragraphs(text) : [{ type: "text", raw: text, text }];
  try {
    // `breaks`: in a chat a line break is meant as one.
    return Lexer[how](text, { gfm: true, breaks: true });
  } catch (error) {
    // marked goes down into itself; a text of thousands of nested quotes ends its stack.
    if (!(error instanceof RangeError)) throw error;
    return [{ type: "text", raw: text, text }];
  }
}

/** The tokens of a text without any Markdown. */
function paragraphs(text: string): Token[] {
  const line = (raw: string) => ({ type: "text", raw, text: raw.trim() }) as Token;
  const inner = (raw: string) => raw.split("\n").flatMap((one, at) => (at ? [{ type: "br", raw: "\n" } as Token, line(one)] : [line(one)]));
  const found = text.split(/\n[ \t]*\n\s*/).filter((raw) => raw.trim());
  return found.map((raw) => ({ type: "paragraph", raw, text: raw, tokens: inner(raw.trim()) }) as Token);
}

function blocks(tokens: readonly Token[], depth: number): Content {
  return tokens.map((token) => block(token, depth));
}

function block(token: Token, depth: number): Content {
  if (depth > MAX_DEPTH) return token.raw;
  const inner = (token as Tokens.Generic).tokens ?? [];
  switch (token.type) {
    case "space":
    case "def":
      return nothing;
    case "hr":
      return html`<hr />`;
    case "heading":
      // The page's own outline is not the bot's to make: a heading in a message is a line in bold.
      return html`<p class="heading" dir="auto">${inlines(inner, depth + 1)}</p>`;
    case "paragraph":
      return html`<p dir="auto">${inlines(inner, depth + 1)}</p>`;
    case "code":
      return html`<pre tabindex="0"><code>${token.text}</code></pre>`;
    case "blockquote":
      return html`<blockquote>${blocks(inner, depth + 1)}</blockquote>`;
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table, depth);
    case "html":
      return html`<p dir="auto">${token.text.trim()}</p>`;
    case "text":
      return inner.length ? inlines(inner, depth + 1) : resolveEntities(token.text);
    default:
      return inline(token, depth);
  }
}

function list(token: Tokens.List, depth: number): Content {
  const items = token.items.map((item) => html`<li>${blocks(item.tokens, depth + 1)}</li>`);
  if (!token.ordered) return html`<ul dir="auto">${items}</ul>`;
  return html`<ol dir="auto" start=${token.start || 1}>${items}</ol>`;
}

function table(token: Tokens.Table, depth: number): Content {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map((cell) => html`<td data-align=${cell.align ?? "start"}>${inlines(cell.tokens, depth + 1)}</td>`);
  const heads = token.header.map(
    (cell) => html`<th scope="col" data-align=${cell.align ?? "start"}>${inlines(cell.tokens, depth + 1)}</th>`,
  );
  return html`<div class="table" tabindex="0">
    <table>
      <thead><tr>${heads}</tr></thead>
      <tbody>${token.rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
    </table>
  </div>`;
}

function inlines(tokens: readonly Token[], depth: number): Content {
  return tokens.map((token) => inline(token, depth));
}

function inline(token: Token, depth: number): Content {
  if (depth > MAX_DEPTH) return token.raw;
  const inner = () => inlines((token as Tokens.Generic).tokens ?? [], depth + 1);
  switch (token.type) {
    case "strong":
      return html`<strong>${inner()}</strong>`;
    case "em":
      return html`<em>${inner()}</em>`;
    case "del":
      return html`<del>${inner()}</del>`;
    case "codespan":
      return html`<code>${token.text}</code>`;
    case "br":
      return html`<br />`;
    case "link":
      return link(token as Tokens.Link, inner());
    case "image":
      return image(token as Tokens.Image);
    case "checkbox":
      return (token as Tokens.Generic).checked ? "☑ " : "☐ ";
    case "html":
      return /^<br\s*\/?>$/i.test(token.text) ? html`<br />` : token.text;
    case "escape":
      return token.text;
    default: {
      const inside = (token as Tokens.Generic).tokens;
      return inside?.length ? inner() : resolveEntities((token as Tokens.Generic).text ?? token.raw);
    }
  }
}

/** Where a bare address ends: before a closing quote, or a bracket that closes what was opened outside of it. */
function addressEnd(address: string): number {
  let open = 0;
  const end = [...address].findIndex((sign) => "\"'”’»」".includes(sign) || ("([{<".includes(sign) ? !++open : ")]}>".includes(sign) && !open--));
  return end < 0 ? address.length : end;
}

function link(token: Tokens.Link, content: Content): Content {
  const { raw, href } = token;
  const rest = raw === token.text ? raw.slice(addressEnd(raw)) : "";
  const target = linkTarget(resolveEntities(href.slice(0, href.length - rest.length)));
  const shown = rest ? raw.slice(0, -rest.length) : content;
  return [target === null ? shown : html`<a href=${target} target="_blank" rel="noopener noreferrer">${shown}</a>`, rest];
}

function image(token: Tokens.Image): Content {
  const source = imageSource(resolveEntities(token.href));
  const alternative = resolveEntities(token.text);
  if (source === null) return alternative;
  return html`<img src=${source} alt=${alternative} loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${leaveOut} /><span class="lost">${alternative}</span>`;
}

function plainToken(token: Token): string {
  const { type, tokens, text } = token as Tokens.Generic;
  if (tokens?.length) return tokens.map(plainToken).join("");
  return type === "codespan" || type === "escape" ? text : resolveEntities(text ?? token.raw);
}
