// Builds the window anew and compares it, byte for byte, with the build that is committed.
import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const COMMITTED = here("../dist/desktop");
const FRESH = here("../.cache/dist");

/**
 * Every file below a folder with its content.
 * @param {string} folder
 * @returns {Promise<Map<string, Buffer>>}
 */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => /** @type {const} */ ([relative(folder, file), await readFile(file)]))));
}

await rm(FRESH, { recursive: true, force: true });
await build({ configFile: here("../vite.config.ts"), build: { outDir: FRESH }, logLevel: "warn" });
const [committed, fresh] = await Promise.all([filesIn(COMMITTED), filesIn(FRESH)]);
const differing = [...new Set([...committed.keys(), ...fresh.keys()])].filter((name) => {
  const [before, after] = [committed.get(name), fresh.get(name)];
  return !before || !after || !before.equals(after);
});
if (differing.length > 0) {
  console.error(`dist/desktop is not what the sources give: ${differing.join(", ")}\nRun "npm run build" and commit dist.`);
  process.exit(1);
}
const bytes = [...fresh.values()].reduce((sum, content) => sum + content.length, 0);
console.log(`dist/desktop is what the sources give: ${fresh.size} files, ${bytes} bytes`);
