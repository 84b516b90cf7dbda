import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Short names for the shared folders, the same in every build and test. */
export const alias = {
  $kit: here("./kit"),
  $text: here("./text"),
  $bridge: here("./desktop/bridge"),
  $state: here("./desktop/state"),
};

/** The window. Fixed file names and no maps: the committed build changes only where the sources do. */
export default defineConfig({
  root: here("./desktop"),
  base: "./",
  publicDir: false,
  cacheDir: here("./.cache/vite"),
  plugins: [svelte({ configFile: here("./svelte.config.js") })],
  resolve: { alias },
  build: {
    outDir: here("./dist/desktop"),
    emptyOutDir: true,
    target: "safari16",
    sourcemap: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "desktop.js",
        chunkFileNames: "[name].js",
        assetFileNames: "desktop[extname]",
      },
    },
  },
});
