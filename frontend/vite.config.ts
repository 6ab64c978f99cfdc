// Three builds into the Python package: the hosted pages with hashed files, and beside them the scripts of the login's pages,
// whose names last, as the service writes those pages itself; the widget's dialogs, which are loaded when a question first
// needs them; and the widget itself as one file with a lasting name.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";
import { licenses } from "./bundling/licenses.ts";
import { minifyStyles } from "./bundling/minify-styles.ts";
import { onlyLexer } from "./bundling/only-lexer.ts";
import { LANGUAGES, texts } from "./bundling/texts.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STATIC = here("../src/dialoom/widget/static");

const shared: UserConfig = {
  // Served by the service under this path; the names hold a hash of the content and may be kept for ever.
  base: "/static/",
  publicDir: false,
  define: { LANGUAGES: JSON.stringify(LANGUAGES) },
  plugins: [onlyLexer(), minifyStyles()],
  build: {
    outDir: STATIC,
    target: ["chrome123", "firefox128", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
};

const LOGIN = {
  "login-start": here("src/login/start.ts"),
  "login-close": here("src/login/close.ts"),
  "login-teams": here("src/login/teams.ts"),
};

const pages: UserConfig = {
  ...shared,
  build: {
    ...shared.build,
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        chat: here("chat.html"),
        pick: here("pick.html"),
        sandbox: here("sandbox.html"),
        studio: here("studio.html"),
        ...LOGIN,
      },
      output: { entryFileNames: ({ name }) => (name in LOGIN ? "[name].js" : "assets/[name]-[hash].js") },
    },
  },
  plugins: [onlyLexer(), minifyStyles(), licenses("licenses.txt"), texts("words")],
};

const dialogs: UserConfig = {
  ...shared,
  build: {
    ...shared.build,
    emptyOutDir: false,
    lib: { entry: here("src/dialogs/widget.ts"), name: "DialoomDialogs", formats: ["iife"] },
    rolldownOptions: {
      external: (id) => /\/shared-with-dialogs(\.ts)?$/.test(id),
      output: { entryFileNames: "assets/widget-dialogs-[hash].js", globals: () => "Dialoom.shared" },
    },
  },
};

/** The name of the dialogs' file, which holds a hash: a page that stays open over an update never gets another version's. */
function dialogsFile(): string {
  const name = readdirSync(`${STATIC}/assets`).find((file) => file.startsWith("widget-dialogs-"));
  if (!name) throw new Error("The widget's dialogs are built before the widget: npm run build");
  return `assets/${name}`;
}

const widget = (): UserConfig => ({
  ...shared,
  define: { ...shared.define, DIALOGS_FILE: JSON.stringify(dialogsFile()) },
  build: {
    ...shared.build,
    emptyOutDir: false,
    lib: { entry: here("src/widget.ts"), name: "Dialoom", formats: ["iife"], fileName: () => "widget.js" },
  },
});

export default defineConfig(({ mode }) => (mode === "widget" ? widget() : mode === "dialogs" ? dialogs : pages));
