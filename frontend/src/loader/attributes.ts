// Reads the options out of the `data-` attributes of the widget's script.

import type { Options } from "./options";

/** The attribute, as the script's `dataset` names it, and the option that it sets. */
const PATHS: Readonly<Record<string, string>> = {
  bot: "bot.id",
  name: "bot.name",
  avatar: "bot.avatarUrl",
  channel: "channel.id",
  token: "channel.token",
  userToken: "user.token",
  container: "display.containerId",
  keepOpen: "display.keepOpen",
};
/** Those of `session`, by their own names, and those that stand for themselves. */
const OF_SESSION = /^(context|clear|userMessage|hideUserMessage)$/;
const PLAIN = /^(server|locale|placeholder|css|theme)$/;
/** Those of `display` that are named by their own path: `launcherText` is `display.launcher.text`. */
const OF_DISPLAY = /^(launcher|proactive|consent)(?=[A-Z])/;
/** Those whose text is JSON: numbers, `true` and `false` (a bare name is `true`), an object, a list. */
const JSON_TEXT = /^(context|clear|hide|keep)|(Offset|Hidden|After|Pages)$/;

interface Branch {
  [name: string]: unknown;
}

/** Null where the attributes name neither bot nor channel. Throws where one that is JSON is none. */
export function optionsOf(data: DOMStringMap): Options | null {
  if (!data.bot && !data.channel) return null;
  const options: Branch = {};
  for (const [name, text = ""] of Object.entries(data)) {
    const path =
      PATHS[name] ??
      (PLAIN.test(name) ? name : OF_SESSION.test(name) ? `session.${name}` : OF_DISPLAY.test(name) && `display.${dotted(name, ".")}`);
    if (path && (text || JSON_TEXT.test(name))) put(options, path, JSON_TEXT.test(name) ? json(name, text || "true") : text);
  }
  if (data.container) put(options, "display.mode", "inline");
  return options as unknown as Options;
}

function put(options: Branch, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  (names.reduce((branch, name) => (branch[name] ??= {}) as Branch, options))[last] = value;
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`Dialoom: data-${dotted(name, "-")} is no JSON: ${text}`);
  }
}

/** `launcherText` as `launcher.text`, with this sign between the words. */
function dotted(name: string, sign: string): string {
  return name.replace(/[A-Z]/g, (letter) => sign + letter.toLowerCase());
}
