// Names in a page's head the modules that its script imports, so that the browser fetches them all at once.

import type { Plugin } from "vite";

export function preload(): Plugin {
  return {
    name: "preload",
    transformIndexHtml: {
      order: "post",
      handler: (_page, { chunk, bundle }) => {
        const found = new Set<string>();
        const collect = (name: string) => {
          if (found.has(name)) return;
          found.add(name);
          const one = bundle?.[name];
          if (one?.type === "chunk") one.imports.forEach(collect);
        };
        chunk?.imports.forEach(collect);
        return [...found].map((name) => ({ tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `/static/${name}` }, injectTo: "head" }));
      },
    },
  };
}
