import { readFileSync } from "node:fs";

/** The shell serves the page with the same file. */
const HEADERS = JSON.parse(readFileSync(new URL("sandbox-headers.json", import.meta.url), "utf8"));

/**
 * The headers `sandbox.html` is served with. They are the most that any page may do, whatever it declares: its own
 * script and style, pictures within itself, no network at all, and no way to leave its frame.
 * @param {readonly string[]} hosts the origins that may frame it
 * @returns {Record<string, string>}
 */
export function sandboxHeaders(hosts) {
  return Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, value.replace("{hosts}", hosts.join(" "))]));
}
