// Starts `webcodex share` on the folder under test and ends it afterwards.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

import * as left from "../left.mjs";

/** Shares WEBCODEX_PROJECT with the executable WEBCODEX_EXE while `use` runs, and returns what it returns. */
export async function share(use) {
  const folder = process.env.WEBCODEX_PROJECT;
  const data = left.folder();
  const output = path.join(data.path, "output-of-share");
  const child = spawn(process.env.WEBCODEX_EXE, ["share", "--tunnel", "none", "--json", folder], {
    env: { ...process.env, WEBCODEX_DATA_DIR: data.path },
    stdio: ["ignore", "pipe", openSync(output, "w")],
  });
  const ended = once(child, "exit");
  try {
    const ready = once(createInterface(child.stdout), "line");
    const [line] = await Promise.race([ready, ended.then(() => { throw new Error(`\`share\` ended before it was ready: ${readFileSync(output, "utf8")}`); })]);
    const served = JSON.parse(line);
    left.planted("a shared folder's credential", served.credential);
    return await use({ folder, ...served });
  } finally {
    child.kill();
    await ended;
    data.remove();
  }
}
