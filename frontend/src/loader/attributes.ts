// Reads the options out of the `data-` attributes of the widget's script, which are named in one table.

import type { Options } from "./options";

/** Texts: the attribute, as the script's `dataset` names it, and the option that it sets. */
const TEXTS = {
  server: "server",
  bot: "bot.id",
  name: "bot.name",
  avatar: "bot.avatarUrl",
  channel: "channel.id",
  token: "channel.token",
  userToken: "user.token",
  userMessage: "session.userMessage",
  container: "display.containerId",
  launcherText: "display.launcher.text",
  launcherSide: "display.launcher.side",
  launcherIcon: "display.launcher.icon",
  proactiveText: "display.proactive.text",
  consentText: "display.consent.text",
  consentLink: "display.consent.link",
  locale: "locale",
  placeholder: "placeholder",
  css: "css",
  theme: "theme",
};
/** Those whose text is JSON: numbers, `true` and `false` (a bare name is `true`), an object, a list. */
const VALUES = {
  context: "session.context",
  clear: "session.clear",
  hideUserMessage: "session.hideUserMessage",
  launcherOffset: "display.launcher.offset",
  launcherHidden: "display.launcher.hidden",
  proactiveAfter: "display.proactive.after",
  proactivePages: "display.proactive.pages",
  keepOpen: "display.keepOpen",
};

interface Branch {
  [name: string]: unknown;
}

/** Null where the attributes name no chat. Throws where one that is JSON is none. */
export function optionsOf(data: DOMStringMap): Options | null {
  if (!data.bot || !data.channel) return null;
  const options: Branch = {};
  for (const [name, path] of Object.entries(TEXTS)) if (data[name]) put(options, path, data[name]);
  for (const [name, path] of Object.entries(VALUES)) if (data[name] !== undefined) put(options, path, json(name, data[name] || "true"));
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
    throw new SyntaxError(`Dialoom: data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is no JSON: ${text}`);
  }
}
