import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The fake shell as one script that tests put into the built page before its own script runs. */
export default defineConfig({
  root: here("./desktop"),
  publicDir: false,
  cacheDir: here("./.cache/vite"),
  build: {
    outDir: here("./.cache/fake"),
    emptyOutDir: true,
    reportCompressedSize: false,
    minify: false,
    lib: { entry: here("./desktop/bridge/fake/install.ts"), formats: ["iife"], name: "fakeShell", fileName: () => "fake.js" },
  },
});
