// The TypeScript SDK v1: handshake era.

import { require } from "./packages.mjs";
import { share } from "./served.mjs";
import { headers, play } from "./whole-loop.mjs";

const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

await share(async (served) => {
  const client = new Client({ name: "acceptance", version: "1" });
  const requestInit = { headers: headers(served) };
  const transport = new StreamableHTTPClientTransport(new URL(served.mcp_url), { requestInit });
  await client.connect(transport);
  const adapter = {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
  };
  await play(`TypeScript SDK v1, protocol ${transport.protocolVersion}`, adapter, served);
  await client.close();
});
