import { defineConfig } from "vitest/config";
import { LANGUAGES, LAUNCHER_WORDS } from "./bundling/texts.ts";

export default defineConfig({
  define: { LANGUAGES: JSON.stringify(LANGUAGES), LAUNCHER_WORDS: JSON.stringify(LAUNCHER_WORDS) },
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"], restoreMocks: true, setupFiles: ["test/setup.ts"] },
});
