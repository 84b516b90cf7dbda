import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The other hosts, for tests: the official bridge, and what ChatGPT puts into a page. */
export default defineConfig({
  root: here("./tests/hosts"),
  publicDir: false,
  cacheDir: here("./.cache/vite"),
  build: {
    outDir: here("./.cache/harness"),
    emptyOutDir: true,
    reportCompressedSize: false,
    minify: false,
    lib: { entry: here("./tests/hosts/harness.ts"), formats: ["iife"], name: "harness", fileName: () => "harness.js" },
  },
});
