"""The official Python SDK as a client of the app. Credential and calls come as lines, results go out as JSON lines."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation


async def serve(url: str, name: str, credential: str):
    authorization = {"Authorization": f"Bearer {credential}"}
    async with httpx2.AsyncClient(headers=authorization, timeout=120) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, client_info=Implementation(name=name, version="1")) as client:
            print(json.dumps({"connected": True}), flush=True)
            loop = asyncio.get_running_loop()
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                call = json.loads(line)
                answer = await client.call_tool(call["tool"], call["arguments"])
                print(json.dumps(answer.structured_content), flush=True)


asyncio.run(serve(sys.argv[1], sys.argv[2], sys.stdin.readline().strip()))
