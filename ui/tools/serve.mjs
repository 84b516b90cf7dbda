import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { sandboxHeaders } from "../host/policy.mjs";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const DIST = here("../dist/desktop");
const SANDBOX = here("../host/sandbox.html");
const HARNESS = here("../.cache/harness");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

/**
 * What the shell allows the window: its own files, the frame of pages on its origin, and nothing else.
 * @param {string} frames
 */
const policy = (frames) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self' ipc: http://ipc.localhost",
  `frame-src ${frames}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @typedef {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => unknown} Answer */
/**
 * A server on a free loopback port, which is an origin of its own.
 * @param {Answer} answer
 */
async function listen(answer) {
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/**
 * Answers with the files of a folder.
 * @param {string} folder
 * @param {() => Record<string, string>} headers
 * @returns {Answer}
 */
const filesOf = (folder, headers) => async (request, response) => {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const file = join(folder, normalize(path === "/" ? "/index.html" : path));
  if (path === "/favicon.ico") {
    response.writeHead(204).end();
    return;
  }
  const found = file.startsWith(folder) && (await stat(file).catch(() => null))?.isFile();
  if (!found) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(file))] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "cache-control": "no-store", ...headers() });
  createReadStream(file).pipe(response);
};

/** The built window under the policy of the shell, and its sandbox on another origin. */
export async function serve() {
  let windowOrigin = "";
  const sandbox = await listen((_request, response) => {
    response.writeHead(200, sandboxHeaders([windowOrigin]));
    createReadStream(SANDBOX).pipe(response);
  });
  const window = await listen(filesOf(DIST, () => ({ "content-security-policy": policy(sandbox.origin) })));
  windowOrigin = window.origin;
  return { origin: window.origin, sandbox: `${sandbox.origin}/`, close: () => { window.close(); sandbox.close(); } };
}

/** An empty page with the other hosts in it. */
export function serveHarness() {
  const files = filesOf(HARNESS, () => ({}));
  return listen((request, response) => {
    if (request.url !== "/") return files(request, response);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!doctype html><html lang=\"en\"><title>Host</title><style>body { margin: 0 }</style><body><script src=\"/harness.js\"></script></body></html>");
  });
}
