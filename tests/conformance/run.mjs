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

/**
 * Runs the suite, shows what it says and returns its exit code. The suite also runs scenarios that the revision does not
 * require; its exit code, not its counts, says whether the required ones pass, so the counts are said in our own line.
 */
async function run(url, reports) {
  const args = [suite, "server", "--url", url, "--requirements", revision, "-o", reports];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let all = 0;
  let notRequired = 0;
  createInterface(child.stdout).on("line", (line) => {
    all = Number(/^Running requirements \S+ \((\d+) scenarios\)/.exec(line)?.[1] ?? all);
    notRequired = Number(/^Not scored for \S+: (\d+) scenario/.exec(line)?.[1] ?? notRequired);
    console.log(line.replace(/(\d+) passed, (\d+) failed/, "$1 ok, $2 not ok"));
  });
  const [code] = await once(child, "close");
  const [passed, failed] = code === 0 && all > notRequired ? [all - notRequired, 0] : [0, 1];
  console.log(`Conformance ${revision}, required scenarios: ${passed} passed, ${failed} failed`);
  return failed;
}

const reports = mkdtempSync(path.join(tmpdir(), "conformance-"));
try {
  process.exitCode = await share((served) => withCredential(served, (url) => run(url, reports)));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
