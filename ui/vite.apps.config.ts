import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { oneDarkBlock } from "./apps/one-dark-block";
import { slimMarkdown } from "./apps/slim-markdown";
import { alias } from "./vite.config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The pages that any host can show: each is one HTML file with everything in it. */
export default defineConfig({
  root: here("./apps/work-result"),
  base: "./",
  publicDir: false,
  cacheDir: here("./.cache/vite"),
  plugins: [slimMarkdown(), oneDarkBlock(), svelte({
    configFile: here("./svelte.config.js"),
    compilerOptions: { discloseVersion: false, cssHash: ({ hash, css }) => `s${hash(css).slice(0, 4)}` },
  }), viteSingleFile({ removeViteModuleLoader: true })],
  resolve: { alias },
  build: {
    outDir: here("./dist/apps"),
    emptyOutDir: false,
    target: "safari16",
    sourcemap: false,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: here("./apps/work-result/work-result.html") },
  },
});
