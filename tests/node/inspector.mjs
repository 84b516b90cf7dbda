// The Inspector CLI: one process and one connection for each call.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { inPackage } from "./packages.mjs";
import { share } from "./served.mjs";
import { headers, play } from "./whole-loop.mjs";

const launcher = inPackage("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");

/** Runs the CLI and returns the JSON it prints; a failed tool call exits with an error, but prints its result. */
async function inspect(served, args) {
  const fixed = ["--cli", served.mcp_url, "--transport", "http", "--protocol-era", "auto", "--quiet", "--format", "json"];
  const credentials = Object.entries(headers(served)).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const run = promisify(execFile)(process.execPath, [launcher, ...fixed, ...credentials, ...args], options);
  const { stdout, stderr } = await run.catch((failure) => failure);
  if (!stdout.trim()) throw new Error(`the Inspector printed no result: ${stderr}`);
  return JSON.parse(stdout).result;
}

await share(async (served) => {
  const adapter = {
    listTools: async () => (await inspect(served, ["--method", "tools/list", "--strict"])).tools,
    callTool: (name, args) =>
      inspect(served, ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)]),
  };
  await play("Inspector CLI", adapter, served);
});
