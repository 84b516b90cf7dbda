// Runs the MCP conformance suite for one revision against a build that has the suite's fixtures.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { inPackage } from "../node/packages.mjs";
import { share } from "../node/served.mjs";
import { withCredential } from "./proxy.mjs";

const suite = inPackage("@modelcontextprotocol/conformance", "dist/index.js");
const revision = process.argv[2];

/** Runs the suite, shows what it says and returns its exit code. */
async function run(url, reports) {
  const args = [suite, "server", "--url", url, "--requirements", revision, "-o", reports];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  createInterface(child.stdout).on("line", (line) => console.log(line));
  const [code] = await once(child, "close");
  return code;
}

const reports = mkdtempSync(path.join(tmpdir(), "conformance-"));
try {
  process.exitCode = await share((served) => withCredential(served, (url) => run(url, reports)));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
