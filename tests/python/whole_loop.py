"""A coding session through the official Python SDK: find, read, edit, run, review, and every kind of refusal."""

import argparse
import asyncio
import json
import sys
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from served import Served, share

DIRECT_TOOLS = [
    "work_on_project", "read_files", "search_project_texts", "edit_project_files", "run_process", "run_shell",
    "read_workspace_changes", "observe_jobs", "wait_for_job_readiness", "finish_coding_task", "present_work_result",
    "work_result_thread_panel", "get_runtime_status", "read_tool_manifest",
    "call_runtime_tool",
]
# They show the page.
SHOWING_TOOLS = ["present_work_result", "work_result_thread_panel"]
# For the page alone: hosts keep them from the model, and the page knows their answers.
PAGE_TOOLS = ["work_result_state", "changes_file_diff", "changes_file_text", "review_decision"]
SMALL_FILE = "README.md"


class Session:
    """A connected client that returns canonical results."""

    def __init__(self, client: Client, served: Served, mode: str):
        self.client = client
        self.served = served
        self.mode = mode

    async def result(self, tool: str, arguments: dict) -> dict:
        """The canonical result, with what every MCP answer must hold checked."""
        answer = await self.client.call_tool(tool, arguments)
        canonical = answer.structured_content
        assert answer.content[0].text.strip(), "the text must say something"
        if self.client.client_info.name != "openai-mcp":
            assert answer.is_error == (not canonical["success"]), canonical
        return canonical

    async def output(self, tool: str, **arguments) -> dict:
        """`output` of a call that must succeed; `project` is filled in."""
        canonical = await self.result(tool, {"project": self.served.project, **arguments})
        assert canonical["success"], canonical
        return canonical["output"]

    async def refused(self, tool: str, **arguments) -> dict:
        """`error` of a call that must fail; `project` is filled in."""
        canonical = await self.result(tool, {"project": self.served.project, **arguments})
        assert not canonical["success"], canonical
        return canonical["error"]

    async def read(self, path: str, **rest) -> dict:
        output = await self.output("read_files", items=[{"path": path, **rest}])
        return output["items"][0]


async def lists_the_tools(session: Session):
    tools = (await session.client.list_tools()).tools
    assert [tool.name for tool in tools] == DIRECT_TOOLS + PAGE_TOOLS, [tool.name for tool in tools]
    for tool in tools:
        assert tool.input_schema["type"] == "object", tool.name
        # Answers of tools that have a page are for the page, and described to nobody else.
        assert tool.name in PAGE_TOOLS + SHOWING_TOOLS or tool.output_schema["type"] == "object", tool.name
    dumped = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    # As it travels: without blanks, and with letters as they are.
    size = len(json.dumps(dumped, separators=(",", ":"), ensure_ascii=False).encode())
    assert size <= 24_000, f"tools/list costs {size} bytes"


async def starts_work_with_the_instructions(session: Session):
    canonical = await session.result("work_on_project", {"instruction": "Look around"})
    output = canonical["output"]
    assert output["project"]["project"] == session.served.project, output["project"]
    assert output["session"]["session_id"].startswith("wcs_"), output["session"]
    files = [file for item in output["context"] if item["key"] == "instructions" for file in item["files"]]
    assert any("free of allocation" in file["text"] for file in files), "AGENTS.md is missing"


async def finds_text(session: Session):
    queries = [
        {"pattern": "pub struct WalkBuilder"},
        {"pattern": r"impl\s+\w+Builder\b", "syntax": "regex", "output": "files"},
        {"pattern": "no such text anywhere"},
        {"pattern": "broken(", "syntax": "regex"},
    ]
    found, files, nothing, broken = (await session.output("search_project_texts", queries=queries))["items"]
    assert [match["path"] for match in found["matches"]] == ["src/walk.rs"], found
    assert "src/walk.rs" in [file["path"] for file in files["files"]], files
    assert nothing["success"] and nothing["completed"] and nothing["match_count"] == 0, nothing
    assert not broken["success"] and broken["error"]["code"] == "pattern_invalid", broken


async def reads_on_exactly_where_it_stopped(session: Session):
    item = await session.read("src/walk.rs", start_line=1, line_count=40.0)
    parts = [item["text"]]
    while item.get("continuation"):
        call = item["continuation"]
        canonical = await session.result(call["tool"], call["arguments"])
        item = canonical["output"]["items"][0]
        parts.append(item["text"])
    whole = (session.served.folder / "src/walk.rs").read_text()
    assert len(parts) > 1 and "".join(parts) == whole, "the parts must join to the file"


async def edits_and_refuses_a_stale_revision(session: Session):
    path = session.served.folder / SMALL_FILE
    before = path.read_text()
    read = await session.read(SMALL_FILE)
    first_line = before.splitlines()[0]
    change = {
        "kind": "replace_exact", "path": SMALL_FILE, "old_text": first_line + "\n",
        "new_text": first_line + " $1 \\n edited\n", "line_scope": {"start_line": 1, "end_line": 1},
        "expected_read_revision": float(read["read_revision"]),
    }
    dry = await session.output("edit_project_files", changes=[change], dry_run=True)
    assert dry["would_change"] and path.read_text() == before, dry
    done = await session.output("edit_project_files", changes=[change])
    after = before.replace(first_line, first_line + " $1 \\n edited", 1)
    assert done["changed"] and path.read_text() == after, "text is inserted literally"
    again = {**change, "old_text": after.splitlines()[1] + "\n", "new_text": "lost\n", "line_scope": {"start_line": 2, "end_line": 2}}
    error = await session.refused("edit_project_files", changes=[again])
    assert error["code"] == "stale_revision" and path.read_text() == after, error
    create = {"kind": "create", "path": "notes/new.md", "new_text": "New.\n"}
    insert = {"kind": "insert", "path": SMALL_FILE, "line": 1, "new_text": "Above.\n"}
    error = await session.refused("edit_project_files", changes=[create, insert])
    assert not (session.served.folder / "notes/new.md").exists(), "all or nothing"
    insert["expected_read_revision"] = done["files"][0]["read_revision"]
    await session.output("edit_project_files", changes=[create, insert])
    assert path.read_text() == "Above.\n" + after, "the returned revision authorises the next edit"


async def runs_programs(session: Session):
    passed = await session.output("run_process", executable="git", args=["--version"])
    assert passed["outcome"] == "passed" and "git version" in passed["stdout"]["text"], passed
    failing = {"project": session.served.project, "script": "echo to-stderr >&2; exit 3"}
    failed = (await session.result("run_shell", failing))["output"]
    assert failed["outcome"] == "failed" and failed["exit_code"] == 3, failed
    assert "to-stderr" in failed["stderr"]["text"], failed
    missing = await session.refused("run_process", executable="no-such-program-anywhere")
    assert missing["code"] == "start_failed", missing


async def follows_a_command_that_outlives_the_wait(patient: Session):
    # A budget of 7 s hands a running command over after 2 s.
    async with connect(patient.served, patient.mode, {"X-WebCodex-MCP-Budget-Secs": "7"}) as client:
        await follow(Session(client, patient.served, patient.mode))


async def follow(session: Session):
    script = "echo started; sleep 4; echo finished"
    pending = await session.output("run_shell", script=script)
    assert pending["execution_state"] == "pending" and pending["job_id"].startswith("wcj_"), pending
    job, seen = pending["job_id"], pending["stdout"]["text"]
    for _ in range(20):
        if pending["execution_state"] != "pending":
            break
        call = pending["continuation"]
        canonical = await session.result(call["tool"], call["arguments"])
        pending = canonical["output"]["items"][0]["execution"]
        assert pending["job_id"] == job, "one execution has one identity"
        seen += pending.get("stdout", {}).get("text", "")
    assert pending["outcome"] == "passed" and seen == "started\nfinished\n", (pending, seen)


async def reviews_the_changes(session: Session):
    changes = await session.output("read_workspace_changes", diff="hunks")
    files = {file["path"]: file for file in changes["files"]}
    assert set(files) == {SMALL_FILE, "notes/new.md"} and changes["file_count"] == 2, files.keys()
    assert files["notes/new.md"]["untracked"] and files["notes/new.md"]["status"] == "added", files
    assert "+Above.\n" in files[SMALL_FILE]["hunks"][0]["text"], files[SMALL_FILE]


async def reaches_the_long_tail(session: Session):
    manifest = (await session.result("read_tool_manifest", {"tool_name": "list_jobs"}))["output"]
    assert manifest["route"]["primary"]["tool"] == "call_runtime_tool", manifest["route"]
    arguments = {"tool": "list_jobs", "arguments": {"project": session.served.project}}
    listed = (await session.result("call_runtime_tool", arguments))["output"]
    assert any("git" in job["command"] for job in listed["jobs"]), listed
    projects = (await session.result("call_runtime_tool", {"tool": "list_projects"}))["output"]
    assert [project["project"] for project in projects["projects"]] == [session.served.project], projects


async def explains_what_is_wrong(session: Session):
    unknown = await session.refused("read_files", items=[{"path": SMALL_FILE, "start_lin": 1}])
    assert unknown["field"] == "items[0].start_lin" and "start_line" in unknown["hint"], unknown
    outside = await session.refused("read_files", items=[{"path": "../outside"}])
    assert outside["code"] in ("path_refused", "invalid_arguments") and "`..`" in outside["message"], outside
    fraction = await session.refused("read_files", items=[{"path": SMALL_FILE, "start_line": 1.5}])
    assert "9007199254740991" in fraction["message"], fraction
    gone = await session.refused("read_files", items=[{"path": "missing.txt"}])
    assert gone["code"] == "not_found" and gone["field"] == "items[0].path", gone
    retired = await session.result("call_runtime_tool", {"tool": "files_read", "arguments": {}})
    assert retired["error"]["code"] == "unknown_tool" and "read_files" in retired["error"]["hint"], retired


STEPS = [
    lists_the_tools, starts_work_with_the_instructions, finds_text, reads_on_exactly_where_it_stopped,
    edits_and_refuses_a_stale_revision, runs_programs, follows_a_command_that_outlives_the_wait, reviews_the_changes,
    reaches_the_long_tail, explains_what_is_wrong,
]


def connect(served: Served, mode: str, headers: dict[str, str] = {}, name: str = "acceptance") -> Client:
    http = httpx2.AsyncClient(headers={**served.authorization, **headers}, timeout=60)
    transport = streamable_http_client(served.mcp_url, http_client=http)
    return Client(transport, mode=mode, client_info=Implementation(name=name, version="1"))


async def openai_sees_failures_as_values(served: Served, mode: str):
    # The stateless era says who calls with every request; in the handshake era the host does so by itself.
    meta = {"io.modelcontextprotocol/clientInfo": {"name": "openai-mcp", "version": "1"}} if mode == "legacy" else None
    async with connect(served, mode, name="openai-mcp") as client:
        answer = await client.call_tool("read_files", {"project": served.project, "items": []}, meta=meta)
        assert not answer.is_error and not answer.structured_content["success"], answer


async def play(served: Served, mode: str) -> int:
    failed = 0
    async with connect(served, mode) as client:
        session = Session(client, served, mode)
        steps = [(step.__name__, lambda step=step: step(session)) for step in STEPS]
        steps.append(("openai_sees_failures_as_values", lambda: openai_sees_failures_as_values(served, mode)))
        for name, step in steps:
            try:
                await step()
                print(f"ok   {name}")
            except Exception as error:
                failed += 1
                print(f"FAIL {name}: {type(error).__name__}: {error}")
        print(f"Python SDK, {mode}: protocol {client.protocol_version}: {len(steps) - failed} passed, {failed} failed")
    return failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--mode", choices=["auto", "legacy"], required=True)
    mode = arguments.parse_args().mode
    with share() as served:
        sys.exit(1 if asyncio.run(play(served, mode)) else 0)


if __name__ == "__main__":
    main()
