// Starts `webcodex share` on the folder under test and ends it afterwards.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** Shares WEBCODEX_PROJECT with the executable WEBCODEX_EXE while `use` runs, and returns what it returns. */
export async function share(use) {
  const folder = process.env.WEBCODEX_PROJECT;
  const data = mkdtempSync(path.join(tmpdir(), "webcodex-data-"));
  const child = spawn(process.env.WEBCODEX_EXE, ["share", "--tunnel", "none", "--json", folder], {
    env: { ...process.env, WEBCODEX_DATA_DIR: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    const ready = once(createInterface(child.stdout), "line");
    const [line] = await Promise.race([ready, ended.then(() => { throw new Error("`share` ended before it was ready"); })]);
    return await use({ folder, ...JSON.parse(line) });
  } finally {
    child.kill();
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}
