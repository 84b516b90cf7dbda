// The TypeScript SDK v2: the stateless era, as it negotiates it.

import { require } from "./packages.mjs";
import { share } from "./served.mjs";
import { headers, play } from "./whole-loop.mjs";

const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");

await share(async (served) => {
  const client = new Client({ name: "acceptance", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: headers(served) };
  await client.connect(new StreamableHTTPClientTransport(new URL(served.mcp_url), { requestInit }));
  const adapter = {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
  };
  await play(`TypeScript SDK v2, protocol ${client.getNegotiatedProtocolVersion?.() ?? "?"}`, adapter, served);
  await client.close();
});
