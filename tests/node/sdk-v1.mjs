// The TypeScript SDK v1: handshake era.

import { require } from "./packages.mjs";
import { share } from "./served.mjs";
import { play } from "./whole-loop.mjs";

const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

async function connect(url, headers) {
  const client = new Client({ name: "acceptance", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

await share((served) => play("TypeScript SDK v1", served, (headers) => connect(served.mcp_url, headers)));
