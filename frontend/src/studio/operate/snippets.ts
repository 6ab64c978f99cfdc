// What a developer takes along to begin with: the widget's line for a page, calls for a terminal. Texts only, made of
// lines: the build takes indentation out of templates.

import type { Bot, Channel } from "../api";

/** Stands where a token will, until it was asked for. */
export const HIDDEN = "••••••••";

export function embed(bot: Bot, channel: Channel, token: string): string {
  return lines(
    `<script src="${attribute(bot.service)}/static/widget.js"`,
    `  data-bot="${attribute(bot.id)}" data-channel="${attribute(channel.id)}"`,
    `  data-token="${attribute(token)}" defer></script>`,
  );
}

export function say(channel: Channel): string {
  return lines(
    `curl -X POST ${quoted(channel.address)} \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"sender": {"id": "ada"}, "message": {"text": "Hello"}}'`,
  );
}

export function openSession(bot: Bot, channel: Channel): string {
  return `${bot.api}/channels/${encodeURIComponent(channel.id)}/web/sessions`;
}

export function readHistory(bot: Bot): string {
  return lines(
    'curl -H "Authorization: Bot-Server-Access-Token $TOKEN" \\',
    `  ${quoted(`${bot.api}/conversations?limit=10`)}`,
  );
}

function lines(...parts: string[]): string {
  return parts.join("\n");
}

function attribute(text: string): string {
  return text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** For a shell; within single quotes nothing but they themselves means anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
