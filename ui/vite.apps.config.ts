import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { leanStyles } from "./apps/lean-styles";
import { leanWords } from "./apps/lean-words";
import { alias } from "./vite.config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The pages that any host can show: each is one HTML file with everything in it. */
export default defineConfig({
  root: here("./apps/work-result"),
  base: "./",
  publicDir: false,
  cacheDir: here("./.cache/vite"),
  plugins: [leanStyles(), leanWords(), viteSingleFile({ removeViteModuleLoader: true })],
  oxc: { jsx: { runtime: "automatic", importSource: "$draw" } },
  resolve: { alias: { ...alias, $draw: here("./apps/draw") } },
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
