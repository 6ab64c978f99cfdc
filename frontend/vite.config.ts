// Builds into the Python package: the pages and the widget's stages as modules with hashed files, and beside them the scripts
// of the login's pages, whose names last, as the service writes those pages itself; the same again with the studio in German,
// which changes the studio's files alone; then the widget's loader, one file with a lasting name that knows the files of its
// stages. A last one makes the npm package.

import { rmSync, writeFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { licenses } from "./bundling/licenses.ts";
import { minifyStyles } from "./bundling/minify-styles.ts";
import { oneLanguage } from "./bundling/one-language.ts";
import { onlyLexer } from "./bundling/only-lexer.ts";
import { parseTemplates } from "./bundling/parse-templates.ts";
import { preload } from "./bundling/preload.ts";
import { integrity, stageFiles } from "./bundling/stages.ts";
import { LANGUAGES, LAUNCHER_WORDS, texts } from "./bundling/texts.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STATIC = here("../src/dialoom/widget/static");
const PACKAGE = here("npm/dist");

const shared: UserConfig = {
  // Served by the service under this path; the names hold a hash of the content and may be kept for ever.
  base: "/static/",
  publicDir: false,
  define: { LANGUAGES: JSON.stringify(LANGUAGES), LAUNCHER_WORDS: JSON.stringify(LAUNCHER_WORDS) },
  plugins: [onlyLexer(), parseTemplates(), minifyStyles()],
  build: {
    outDir: STATIC,
    target: ["chrome123", "firefox128", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
};

/** What both the chat and a closed window's connection need, as one file. */
const PROTOCOL = /\/src\/(?:protocol\/(?!api|session|tab-lock|upload-request)|embedded\/message-summary|embedded\/invite)/;

/** Lit with what all pages draw with, and Vite's own helper: one file, as each file more makes the widget's loader longer. */
const DRAWING = /vite\/preload-helper|\/src\/view\/(?:tokens|sound)\.ts$|\/node_modules\/(?:lit|lit-html|lit-element|@lit\/reactive-element)\//;

/** What the sandbox's page has of the studio: apart from the frame, of whose words there is a build for each language. */
const ICONS = /\/src\/studio\/icons\.ts$/;

/** What every page of the studio is made with. */
const FRAME = /\/src\/studio\/(?!page)[\w-]+\.ts$/;

/** The rooms that edit a bot's files, and what they share: together they are a good deal smaller than apart. */
const FILES = /\/src\/studio\/(?:understand|test|build\/(?!json-editor|json-completion|map|merge))/;

/** The rooms about conversations and people, with Home and the palette: likewise. */
const TALKS = /\/src\/studio\/(?:conversations|hand-off|people|home|palette)\//;

const LOGIN = {
  "login-start": here("src/login/start.ts"),
  "login-close": here("src/login/close.ts"),
  "login-teams": here("src/login/teams.ts"),
};

const pages = (language: "en" | "de"): UserConfig => ({
  ...shared,
  define: { ...shared.define, STUDIO_LANGUAGE: JSON.stringify(language) },
  build: {
    ...shared.build,
    // English comes first.
    emptyOutDir: language === "en",
    manifest: true,
    rolldownOptions: {
      input: {
        chat: here("chat.html"),
        pick: here("pick.html"),
        sandbox: here("sandbox.html"),
        studio: here("studio.html"),
        "widget-chat": here("src/embedded/chat.ts"),
        "widget-follow": here("src/embedded/follow.ts"),
        ...LOGIN,
      },
      preserveEntrySignatures: "exports-only",
      output: { entryFileNames: ({ name }) => (name in LOGIN ? "[name].js" : "assets/[name]-[hash].js"), codeSplitting: { groups: [{ name: "protocol", test: PROTOCOL }, { name: "tokens", test: DRAWING }, { name: "icons", test: ICONS }, { name: "frame", test: FRAME }, { name: "files", test: FILES }, { name: "talks", test: TALKS }] } },
    },
  },
  plugins: [...(shared.plugins ?? []), oneLanguage(language), preload(), licenses("licenses.txt"), texts("words")],
});

const loader = (): UserConfig => ({
  ...shared,
  define: { ...shared.define, ...stageFiles(STATIC) },
  build: {
    ...shared.build,
    emptyOutDir: false,
    lib: { entry: here("src/widget.ts"), name: "Dialoom", formats: ["iife"], fileName: () => "widget.js" },
    rolldownOptions: { output: { generatedCode: { symbols: false } } },
  },
  plugins: [...(shared.plugins ?? []), describeWidget()],
});

/** Writes `widget.json`, in which a developer finds the integrity value of this version's loader. */
function describeWidget(): Plugin {
  return {
    name: "describeWidget",
    writeBundle() {
      const value = integrity(readFileSync(`${STATIC}/widget.js`));
      writeFileSync(`${STATIC}/widget.json`, `${JSON.stringify({ src: "/static/widget.js", integrity: value })}\n`);
      rmSync(`${STATIC}/.vite`, { recursive: true });
    },
  };
}

const npmPackage: UserConfig = {
  ...shared,
  base: "./",
  build: {
    ...shared.build,
    outDir: PACKAGE,
    emptyOutDir: true,
    minify: true,
    rolldownOptions: {
      input: { index: here("src/package.ts") },
      preserveEntrySignatures: "strict",
      output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
  plugins: [...(shared.plugins ?? []), licenses("licenses.txt")],
};

export default defineConfig(({ mode }) => (mode === "loader" ? loader() : mode === "package" ? npmPackage : pages(mode === "de" ? "de" : "en")));
