// What tests leave behind for the scan for secrets, the last step of `cargo xtask test`.

import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const LEFT = process.env.WEBCODEX_LEFT;

/** A folder for the product; `remove` takes it away, but where WEBCODEX_LEFT names a folder it lies in there and stays. */
export function folder() {
  const made = mkdtempSync(path.join(LEFT ?? tmpdir(), "webcodex-data-"));
  return { path: made, remove: () => LEFT ?? rmSync(made, { recursive: true, force: true }) };
}

/** Tells that the product uses this secret. */
export function planted(name, secret) {
  if (LEFT) appendFileSync(path.join(LEFT, "planted.jsonl"), `${JSON.stringify({ name, secret })}\n`, { mode: 0o600 });
}
