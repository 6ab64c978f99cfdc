// Entry of the embedded widget: `Dialoom.load(options)`, or one script line with data- attributes and nothing else.

import { optionsOf } from "./loader/attributes";
import { load as put } from "./loader/load";
import type { Options, Widget } from "./loader/options";
import type { ChatStage, FollowStage } from "./loader/stages";

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
  if (!options) throw new Error("Dialoom: load() needs options, or attributes of the script that name a bot and a channel.");
  // Also the code comes from the service that the page names.
  const server = (options.server ?? from).replace(/\/+$/, "");
  const file = (name: string) => `${server}/static/${name}`;
  const preload = () => preloadFiles(CHAT_FILES.map(([name, integrity]) => [file(name), integrity]));
  return put(options, from, {
    // `import()` is no place for Trusted Types to guard, and passes the nonce of this script on.
    chat: () => import(/* @vite-ignore */ file(CHAT_FILE)) as Promise<ChatStage>,
    follow: () => import(/* @vite-ignore */ file(FOLLOW_FILE)) as Promise<FollowStage>,
    preload,
  });
}

/** The module that is imported later is the one that was loaded ahead, so that its integrity value counts for the import. */
function preloadFiles(files: readonly (readonly [string, string])[]): () => void {
  const links = files.map(([href, integrity]) =>
    Object.assign(document.createElement("link"), { rel: "modulepreload", href, integrity, crossOrigin: "anonymous", nonce }),
  );
  document.head.append(...links);
  return () => links.forEach((link) => link.remove());
}

if (given)
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => load(given), { once: true });
  else load(given);
