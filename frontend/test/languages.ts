// The chat's texts of every language, as the build takes them out of the languages' files.

import type { Words } from "../src/texts";

const files = import.meta.glob<Words>("../../src/dialoom/languages/[a-z][a-z].json", { eager: true, import: "chat" });
const rows = Object.entries(files).map(([path, words]) => [path.slice(-"xx.json".length, -".json".length), words] as const);

export const all = Object.fromEntries(rows) as Record<string, Words> & Record<"de" | "en", Words>;
