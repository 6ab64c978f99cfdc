// Entry of the embedded widget: `Dialoom.load(options)`, or one script line with data- attributes and nothing else.

import { optionsOf } from "./loader/attributes";
import { load as put } from "./loader/load";
import type { Options, Widget } from "./loader/options";
import type { ChatStage, FollowStage, Preloaded } from "./loader/stages";

/** Put in by the build: the files of the two stages, and all that the chat loads, each with its integrity value. */
declare const CHAT_FILE: string;
declare const FOLLOW_FILE: string;
declare const CHAT_FILES: readonly (readonly [string, string])[];

// Only while the script runs does the document tell which one it is.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
const nonce = script?.nonce ?? "";
const from = script?.src ? new URL(script.src).origin : "";
const given = script ? optionsOf(script.dataset) : null;

/** Loads the widget, or returns it where it is; without options the one of the script's attributes. */
export function load(options: Options | null = given): Widget {
  // Also the code comes from the service that the page names.
  const server = `${options?.server ?? from}`.replace(/\/+$/, "");
  const file = (name: string) => `${server}/static/${name}`;
  const preload = () => preloadFiles(CHAT_FILES.map(([name, integrity]) => [file(name), integrity]));
  return put(options, server, {
    // `import()` is no place for Trusted Types to guard, and passes the nonce of this script on.
    chat: () => import(/* @vite-ignore */ file(CHAT_FILE)) as Promise<ChatStage>,
    follow: () => import(/* @vite-ignore */ file(FOLLOW_FILE)) as Promise<FollowStage>,
    preload,
  });
}

/** What was loaded ahead is what an import then takes; a browser tries a file again that failed, without looking at it. */
function preloadFiles(files: readonly (readonly [string, string])[]): Preloaded {
  const links: HTMLLinkElement[] = [];
  const ready = files.map(
    ([href, integrity]) =>
      new Promise((resolve, reject) => {
        const link = document.createElement("link");
        const onerror = () => reject(new TypeError(`Dialoom: ${href} is not the file of this version.`));
        links.push(Object.assign(link, { rel: "modulepreload", href, integrity, crossOrigin: "anonymous", nonce, onload: resolve, onerror }));
      }),
  );
  document.head.append(...links);
  return { ready: Promise.all(ready), remove: () => links.forEach((link) => link.remove()) };
}

if (given)
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => load(given), { once: true });
  else load(given);
