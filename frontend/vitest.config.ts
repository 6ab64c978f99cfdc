import { defineConfig } from "vitest/config";
import { LANGUAGES } from "./bundling/texts.ts";

export default defineConfig({
  define: { LANGUAGES: JSON.stringify(LANGUAGES) },
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"], restoreMocks: true },
});
