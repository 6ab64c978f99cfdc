// Takes the indentation out of the sources, and what styles do not need: inside of templates for styles and elements no
// minifier may touch it, and it is a tenth of what travels.

import type { Plugin } from "vite";

/** Styles into which no value is put. */
const STYLES = /\bcss`[^`$]*`/g;

function minified(styles: string): string {
  return styles
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/([;{},:]) /g, "$1")
    .replace(/;?(?= ?\})/g, "")
    .replace(/ (?=[{}!)])/g, "")
    .replace(/\( /g, "(");
}

export function minifyStyles(): Plugin {
  return {
    name: "minifyStyles",
    transform: {
      filter: { id: /\/src\/.*\.ts$/ },
      handler: (code) => ({ code: code.replace(STYLES, minified).replace(/\n[ \t]+/g, "\n"), map: null }),
    },
    enforce: "pre",
  };
}
