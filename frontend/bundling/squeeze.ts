// Takes the indentation out of the sources: inside of templates for styles and elements no minifier may touch it, and it is
// a twentieth of what travels.

import type { Plugin } from "vite";

export function squeeze(): Plugin {
  return {
    name: "squeeze",
    transform: {
      filter: { id: /\/src\/.*\.ts$/ },
      handler: (code) => ({ code: code.replace(/\n[ \t]+/g, "\n"), map: null }),
    },
    enforce: "pre",
  };
}
