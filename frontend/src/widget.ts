// Entry of the embedded widget: `Dialoom.load(options)`, or one script line with data- attributes and nothing else.

import { type Loaded, load as put, type Options } from "./load";

export type { Loaded, Options };

// Only while the script runs does the document tell which one it is.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
const server = script?.src ? new URL(script.src).origin : "";

export function load(options: Options): Loaded {
  return put(options, server);
}

const { bot, channel, token, container, name, avatar, locale, placeholder, theme } = script?.dataset ?? {};
if (bot && channel) {
  const start = () =>
    load({
      bot: { id: bot, ...(name && { name }), ...(avatar && { avatarUrl: avatar }) },
      channel: { id: channel, ...(token && { token }) },
      display: container ? { mode: "inline", containerId: container } : { mode: "modal" },
      ...(locale && { locale }),
      ...(placeholder && { placeholder }),
      ...(theme === "light" || theme === "dark" ? { theme } : {}),
    });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
}
