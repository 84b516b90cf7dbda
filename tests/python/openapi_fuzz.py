"""Generated requests against /api/tools/call: first as /openapi.json describes it, then into each tool's arguments.

Tools that run what a caller names are left out: generated commands would run on this machine.
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from served import Served, share

CALL = "/api/tools/call"
SEED = "20261130"
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "ignored_auth", "unsupported_method", "allow_header_conformance",
]
RUNS_COMMANDS = {"run_process", "run_shell", "run_script", "run_detached_process", "call_runtime_tool"}


def request(served: Served, path: str, body: dict | None = None) -> dict:
    headers = {**served.authorization, "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body is not None else None
    with urllib.request.urlopen(urllib.request.Request(served.base_url + path, data, headers)) as answer:
        return json.load(answer)


def into_the_tools(served: Served, description: dict) -> dict:
    """The description with the exact arguments of each tool in the request of the call."""
    tools = request(served, CALL, {"tool": "read_tool_manifest"})["output"]["tools"]
    variants = []
    for name in [tool["name"] for tool in tools if tool["name"] not in RUNS_COMMANDS]:
        manifest = request(served, CALL, {"tool": "read_tool_manifest", "arguments": {"tool_name": name}})
        arguments = manifest["output"]["tool"]["input_schema"]
        if "project" in arguments.get("properties", {}):
            arguments["properties"]["project"] = {"type": "string", "const": served.project}
        variants.append({
            "type": "object", "properties": {"tool": {"const": name}, "arguments": arguments},
            "required": ["tool", "arguments"], "additionalProperties": False,
        })
    content = description["paths"][CALL]["post"]["requestBody"]["content"]["application/json"]
    content["schema"] = {"oneOf": variants}
    description["paths"] = {CALL: description["paths"][CALL]}
    return description


def fuzz(served: Served, description: dict, examples: int, mode: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(description))
        command = [
            sys.executable, "-m", "schemathesis.cli", "run", str(file), "--url", served.base_url,
            "--header", f"Authorization:{served.authorization['Authorization']}", "--checks", ",".join(CHECKS),
            "--mode", mode, "--max-examples", str(examples), "--phases", "examples,coverage,fuzzing", "--seed", SEED,
            "--request-timeout", "30", "--suppress-health-check", "all", "--warnings", "off", "--workers", "2",
        ]
        return subprocess.run(command, cwd=folder, timeout=900).returncode == 0


def main():
    with share() as served:
        description = request(served, "/openapi.json")
        passed = [
            fuzz(served, description, 200, "all"),
            fuzz(served, into_the_tools(served, request(served, "/openapi.json")), 400, "positive"),
        ]
        alive = request(served, "/readyz")
    print(f"OpenAPI: ready afterwards ({alive}): {sum(passed)} passed, {len(passed) - sum(passed)} failed")
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
