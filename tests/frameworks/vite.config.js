// Bundles a page for each framework, with the npm package of the widget as its users have it.

import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  root: here("."),
  base: "/",
  logLevel: "warn",
  resolve: { alias: { "@dialoom/widget": here("../../frontend/npm/dist/index.js") } },
  define: { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
  build: {
    outDir: here("build"),
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: { input: { react: here("react.html"), vue: here("vue.html"), router: here("router.html") } },
  },
};
