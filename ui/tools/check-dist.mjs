// Builds everything anew and compares it, byte for byte, with what is committed.
import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const BUILDS = [
  { name: "desktop", config: "../vite.config.ts", most: Infinity },
  // Hosts fetch such a page for every conversation.
  { name: "apps", config: "../vite.apps.config.ts", most: 40_000 },
];
const compressed = (/** @type {Buffer} */ content) => gzipSync(content, { level: 9 }).length;

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

for (const { name, config, most } of BUILDS) {
  const outDir = here(`../.cache/dist/${name}`);
  await rm(outDir, { recursive: true, force: true });
  await build({ configFile: here(config), build: { outDir }, logLevel: "warn" });
  const [committed, fresh] = await Promise.all([filesIn(here(`../dist/${name}`)), filesIn(outDir)]);
  const differing = [...new Set([...committed.keys(), ...fresh.keys()])].filter((file) => {
    const [before, after] = [committed.get(file), fresh.get(file)];
    return !before || !after || !before.equals(after);
  });
  if (differing.length > 0) {
    console.error(`dist/${name} is not what the sources give: ${differing.join(", ")}\nRun "npm run build" and commit dist.`);
    process.exit(1);
  }
  for (const [file, content] of fresh) {
    if (compressed(content) <= most) continue;
    console.error(`dist/${name}/${file} has ${compressed(content)} bytes compressed, more than ${most}`);
    process.exit(1);
  }
  const contents = [...fresh.values()];
  const bytes = contents.reduce((sum, content) => sum + content.length, 0);
  console.log(`dist/${name} is what the sources give: ${fresh.size} files, ${bytes} bytes, ${compressed(Buffer.concat(contents))} compressed`);
}
