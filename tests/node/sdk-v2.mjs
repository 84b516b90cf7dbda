// The TypeScript SDK v2: the stateless era, as it negotiates it.

import assert from "node:assert/strict";

import { require } from "./packages.mjs";
import { share } from "./served.mjs";
import { play } from "./whole-loop.mjs";

const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");

async function connect(url, headers) {
  const client = new Client({ name: "acceptance", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

await share((served) => play("TypeScript SDK v2", served, (headers) => connect(served.mcp_url, headers)));
