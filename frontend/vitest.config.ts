// Tests that need no page share their workers, as starting one with a page takes longer than most of them; those that put
// elements into a page or load modules again get a worker and a page of their own.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LANGUAGES, LAUNCHER_WORDS } from "./bundling/texts.ts";

const NEEDS_A_PAGE = /element-page|try-out-page|document\b|window\b|customElements|vi\.mock\(|resetModules/;
const folder = fileURLToPath(new URL("test/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
const needsAPage = (name: string) => NEEDS_A_PAGE.test(readFileSync(folder + name, "utf8"));
const include = (names: string[]) => names.map((name) => `test/${name}`);

export default defineConfig({
  define: { LANGUAGES: JSON.stringify(LANGUAGES), LAUNCHER_WORDS: JSON.stringify(LAUNCHER_WORDS), STUDIO_LANGUAGE: JSON.stringify("en") },
  test: {
    environment: "happy-dom",
    restoreMocks: true,
    setupFiles: ["test/setup.ts"],
    pool: "threads",
    projects: [
      { extends: true, test: { name: "pages", include: include(files.filter(needsAPage)) } },
      { extends: true, test: { name: "plain", include: include(files.filter((name) => !needsAPage(name))), isolate: false } },
    ],
  },
});
