"""The product for Windows, run under wine: shares a folder with Chinese and CRLF files and works on it.

Needs `wine`; `cargo xtask test --only windows` names the executable and the prefix.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import left

EXECUTABLE = os.environ["WEBCODEX_EXE"]


def inside(path: Path | str) -> str:
    """The path as the product for Windows writes it."""
    return "Z:" + str(path).replace("/", "\\")


class Server:
    """`webcodex share` for one folder."""

    def __init__(self, folder: Path, data: str, output):
        command = ["wine", EXECUTABLE, "share", inside(folder), "--tunnel", "none", "--json"]
        environment = os.environ | {"WEBCODEX_DATA_DIR": inside(data), "WEBCODEX_LOG": "debug"}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": output}
        self.process = subprocess.Popen(command, env=environment, text=True, **pipes)
        ready = self.process.stdout.readline()
        assert ready, f"it ended: {Path(output.name).read_text()}"
        ready = json.loads(ready)
        self.url, self.credential, self.project = ready["mcp_url"].removesuffix("/mcp"), ready["credential"], ready["project"]
        left.planted("a shared folder's credential", self.credential)

    def call(self, tool: str, **arguments) -> dict:
        body = json.dumps({"tool": tool, "arguments": {"project": self.project, **arguments}}).encode()
        headers = {"Authorization": f"Bearer {self.credential}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + "/api/tools/call", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            return json.load(refused)

    def output(self, tool: str, **arguments) -> dict:
        result = self.call(tool, **arguments)
        assert result["success"], result
        return result["output"]

    def refused(self, tool: str, **arguments) -> str:
        result = self.call(tool, **arguments)
        assert not result["success"], result
        return result["error"]["code"]


class Day:
    def __init__(self, folder: Path, data: str, output):
        self.folder = folder
        (folder / "a.txt").write_bytes(b"one\r\ntwo\r\n")
        (folder / "旧.txt").write_bytes("中文 内容\r\n".encode("gbk"))
        self.server = Server(folder, data, output)
        self.session = self.server.output("work_on_project")["session"]["session_id"]

    def files_are_read_as_they_are(self):
        items = self.server.output("read_files", items=[{"path": "a.txt"}, {"path": "旧.txt"}])["items"]
        assert (items[0]["text"], items[0]["line_ending"]) == ("one\r\ntwo\r\n", "crlf"), items
        assert items[1]["text"] == "中文 内容\r\n" and items[1]["encoding"].startswith("gb"), items

    def a_backslash_parts_folders(self):
        change = {"kind": "create", "path": "new\\b.txt", "new_text": "hello\n"}
        self.server.output("edit_project_files", changes=[change], session_id=self.session)
        assert (self.folder / "new" / "b.txt").read_bytes() == b"hello\n"

    def an_edit_keeps_line_ends_and_replaces_the_file_while_somebody_reads_it(self):
        for number in range(3):
            item = self.server.output("read_files", items=[{"path": "a.txt"}])["items"][0]
            old, new = item["text"].split("\r\n")[0], f"number {number}"
            change = {
                "kind": "replace_exact", "path": "a.txt", "old_text": old, "new_text": new,
                "expected_read_revision": item["read_revision"],
            }
            self.server.output("edit_project_files", changes=[change], session_id=self.session)
        assert (self.folder / "a.txt").read_bytes() == b"number 2\r\ntwo\r\n"

    def searches_find(self):
        found = self.server.output("search_project_texts", queries=[{"pattern": "two"}])["items"][0]
        assert [(match["path"], match["line"]) for match in found["matches"]] == [("a.txt", 2)], found

    def other_names_of_a_file_are_refused(self):
        for path in ["nul", "a.txt::$DATA", "a.txt.", "C:/windows/win.ini", "..\\x"]:
            assert self.server.refused("read_files", items=[{"path": path}]), path
            create = {"kind": "create", "path": path, "new_text": "x"}
            assert self.server.refused("edit_project_files", changes=[create]), path
        create = {"kind": "create", "path": "A.TXT", "new_text": "x"}
        assert self.server.refused("edit_project_files", changes=[create]) == "already_exists"

    def commands_run_and_say_how_they_ended(self):
        ran = self.server.output("run_process", executable="cmd", args=["/c", "exit 0"], session_id=self.session)
        assert ran["outcome"] == "passed", ran
        assert self.server.refused("run_process", executable="no-such-program") == "start_failed"

    def a_command_that_takes_too_long_is_ended_with_all_it_started(self):
        endless = "cmd /c for /L %i in (1,0,2) do @echo x"
        code = self.server.refused("run_process", executable="cmd", args=["/c", endless], timeout_secs=1)
        assert code == "command_timed_out", code

    def the_work_is_closed_with_what_was_changed(self):
        closed = self.server.output("finish_coding_task", session_id=self.session)
        assert closed["closed"] and sorted(closed["evidence"]["files"]) == ["a.txt", "new/b.txt"], closed


def main() -> int:
    passed = 0
    with left.folder("project-") as folder, left.folder() as data, left.output() as output:
        day = Day(Path(folder), data, output)
        try:
            for name, step in vars(Day).items():
                if not name.startswith("_") and callable(step):
                    step(day)
                    passed += 1
                    print(f"ok      {name.replace('_', ' ')}", flush=True)
        finally:
            day.server.process.terminate()
            day.server.process.wait(30)
            # Who may read it is a question of rights that wine does not have.
            shutil.rmtree(Path(data, "credentials"))
    print(f"{passed} passed, 0 failed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
