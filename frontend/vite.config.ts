// Two builds into the Python package: the hosted page with hashed files, and the widget as one file with a lasting name.

import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";
import { licenses } from "./bundling/licenses.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const shared: UserConfig = {
  // Served by the service under this path; the names hold a hash of the content and may be kept for ever.
  base: "/static/",
  publicDir: false,
  build: {
    outDir: here("../src/dialoom/widget/static"),
    target: ["chrome123", "firefox128", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
};

const page: UserConfig = {
  ...shared,
  build: { ...shared.build, emptyOutDir: true, rolldownOptions: { input: here("chat.html") } },
  plugins: [licenses("licenses.txt")],
};

const widget: UserConfig = {
  ...shared,
  build: {
    ...shared.build,
    emptyOutDir: false,
    lib: { entry: here("src/widget.ts"), name: "Dialoom", formats: ["iife"], fileName: () => "widget.js" },
  },
};

export default defineConfig(({ mode }) => (mode === "widget" ? widget : page));
