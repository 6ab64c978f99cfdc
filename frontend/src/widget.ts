// Entry of the embedded widget: `Dialoom.load(options)`, or one script line with data- attributes and nothing else.

import { type Loaded, load as put, type Options } from "./load";
import type { DialogsPart } from "./view/lazy-dialogs";

/** For the dialogs' own file, which is loaded from beside this one when a question first needs it. */
export * as shared from "./shared-with-dialogs";
export type { Loaded, Options };

/** Put in by the build. */
declare const DIALOGS_FILE: string;

// Only while the script runs does the document tell which one it is.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
const nonce = script?.nonce ?? "";
const server = script?.src ? new URL(script.src).origin : "";

export function load(options: Options): Loaded {
  return put(options, server, () => loadDialogs(options.server ?? server));
}

/** A script element instead of `import()`: it needs no leave from another origin, and takes the page's nonce along. */
function loadDialogs(from: string): Promise<DialogsPart> {
  const known = globalThis as { DialoomDialogs?: DialogsPart };
  if (known.DialoomDialogs) return Promise.resolve(known.DialoomDialogs);
  return new Promise((resolve, reject) => {
    const part = document.createElement("script");
    part.src = `${from}/static/${DIALOGS_FILE}`;
    if (nonce) part.nonce = nonce;
    part.onload = () => (known.DialoomDialogs ? resolve(known.DialoomDialogs) : reject(new TypeError(`${part.src} is not what it should be.`)));
    part.onerror = () => reject(new TypeError(`${part.src} could not be loaded.`));
    document.head.append(part);
  });
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
