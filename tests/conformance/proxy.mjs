// A loopback proxy that adds the credential, because the conformance suite has no option for request headers.

import http from "node:http";

/** Forwards everything to the server behind `mcp_url`; `use` gets the proxy's own URL. */
export async function withCredential({ mcp_url, credential }, use) {
  const target = new URL(mcp_url);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${credential}` };
    const { method, url } = request;
    const forwarded = http.request({ host: target.hostname, port: target.port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    // A client that goes away must be seen by the server, and the other way round.
    response.on("close", () => forwarded.destroy());
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    return await use(`http://127.0.0.1:${server.address().port}${target.pathname}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
