// Writes the chat's words as one small file for each language, which a chat loads when its bot speaks that language. The
// English ones are in the chat itself; their file is for the service, which says in all languages that a question is over.

import type { Plugin } from "vite";
import { all } from "../src/texts/all.ts";

export function words(folder: string): Plugin {
  return {
    name: "words",
    generateBundle() {
      for (const [language, table] of Object.entries(all))
        this.emitFile({ type: "asset", fileName: `${folder}/${language}.json`, source: JSON.stringify(table) });
    },
  };
}
