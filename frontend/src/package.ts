// Entry of the npm package `@dialoom/widget`: the same loader, whose stages come from the package, by the bundler's own means.

import { load as put } from "./loader/load";
import type { Options, Widget } from "./loader/options.js";

export type * from "./loader/options.js";

/** Puts the chat into the page, or returns the widget of this chat where it is. `options.server` is the service's origin. */
export function load(options: Options): Widget {
  if (!options.server) throw new Error("Dialoom: load() needs server, the origin of the service.");
  return put(options, options.server.replace(/\/+$/, ""), {
    chat: () => import("./embedded/chat"),
    follow: () => import("./embedded/follow"),
    // The bundler's pages name what they load ahead.
    preload: () => ({ ready: Promise.resolve(), remove: () => undefined }),
  });
}
