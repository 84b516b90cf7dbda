// The Inspector CLI: one process and one connection for each call.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { inPackage } from "./packages.mjs";
import { share } from "./served.mjs";
import { play } from "./whole-loop.mjs";

const launcher = inPackage("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");

/** Runs the CLI and returns the JSON it prints; a failed tool call exits with an error, but prints its result. */
async function inspect(url, headers, args) {
  const fixed = ["--cli", url, "--transport", "http", "--protocol-era", "auto", "--quiet", "--format", "json"];
  const credentials = Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const run = promisify(execFile)(process.execPath, [launcher, ...fixed, ...credentials, ...args], options);
  const { stdout, stderr } = await run.catch((failure) => failure);
  if (!stdout.trim()) throw new Error(`the Inspector printed no result: ${stderr}`);
  return JSON.parse(stdout).result;
}

/** Nothing stays open between calls. */
const connect = (url, headers) => ({
  listTools: async () => (await inspect(url, headers, ["--method", "tools/list", "--strict"])).tools,
  callTool: (name, args) =>
    inspect(url, headers, ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)]),
  close: () => {},
});

await share((served) => play("Inspector CLI", served, (headers) => connect(served.mcp_url, headers)));
