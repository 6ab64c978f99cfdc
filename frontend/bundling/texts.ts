// Takes the chat's texts out of the languages' files, which hold much that only the service reads: one small file a language,
// which a chat loads when its bot speaks that language. The English ones are in the chat itself.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const FOLDER = fileURLToPath(new URL("../../src/dialoom/languages/", import.meta.url));

/** The languages that have texts. */
export const LANGUAGES = readdirSync(FOLDER).flatMap((name) => name.match(/^([a-z]{2})\.json$/)?.[1] ?? []);

/** The English words of a closed widget. */
export const LAUNCHER_WORDS = (({ chatWith, close, unread, notNow }) => ({ chatWith, close, unread, notNow }))(
  JSON.parse(readFileSync(`${FOLDER}en.json`, "utf8")).chat,
);

export function texts(folder: string): Plugin {
  return {
    name: "texts",
    generateBundle() {
      for (const language of LANGUAGES.filter((one) => one !== "en")) {
        const { chat } = JSON.parse(readFileSync(`${FOLDER}${language}.json`, "utf8"));
        this.emitFile({ type: "asset", fileName: `${folder}/${language}.json`, source: JSON.stringify(chat) });
      }
    },
  };
}
