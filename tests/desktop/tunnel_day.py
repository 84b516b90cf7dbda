"""ChatGPT through the tunnel, in the real window: paste, connect, the first call, a crash, a refused key, stop.

OpenAI's side is the strict control plane of the test kit in a process of its own. Everything that is secret carries a
mark; at the end it is looked for wherever it must not be.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import desktop
import first_steps
import left
import tray
from secrets_scan import Secrets
from webdriver import Driver, Page, until

HOME = Path(os.environ["HOME"])
OUTPUT = HOME / "output-of-the-app.txt"
TUNNEL = "tunnel_0123456789abcdef0123456789abcdef"
KEY = "sk-proj_canary-8f1b6d20c94e57a3-tunnel-key"
SESSION = "v1/window"


class ControlPlane:
    """OpenAI's side; it plays ChatGPT as well."""

    def __init__(self):
        program = os.environ["WEBCODEX_CONTROL_PLANE"]
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self._ask({"tunnel": TUNNEL, "key": KEY})["address"]

    def _ask(self, request: dict) -> dict:
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the control plane ended"
        return json.loads(line)

    def call(self, method: str, **params) -> dict:
        """Calls as ChatGPT does, and waits for the answer."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "openai-mcp", "version": "1.0.0"},
            "io.modelcontextprotocol/clientCapabilities": {},
            "openai/session": SESSION,
        }
        answer = self._ask({"do": "call", "method": method, "params": params | {"_meta": meta}})["answer"]
        assert answer["resp_code"] == 200 and "result" in answer["resp_json"], answer
        return answer["resp_json"]["result"]

    def tool(self, name: str, **arguments) -> dict:
        called = self.call("tools/call", name=name, arguments=arguments)["structuredContent"]
        assert called["success"], called
        return called["output"]

    def refuse(self, status: int | None):
        self._ask({"do": "refuse", "status": status})

    def breaches(self) -> list[str]:
        return self._ask({"do": "breaches"})["breaches"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


class Day:
    def __init__(self, page: Page, plane: ControlPlane, project: Path):
        self.page = page
        self.plane = plane
        self.project = project
        self.credential = ""
        self.report = ""

    # From nothing to online.

    def the_first_steps_end_at_home(self):
        first_steps.take(self.page, self.project)

    def id_and_key_are_pasted_and_ticked(self):
        self.page.go("connections")
        self.page.type_into("[data-field=tunnel] input", f" {TUNNEL} ")
        until("the first step is ticked", lambda: self._step(1) == "done")
        self.page.type_into("[data-field=key] input", KEY)
        until("the second step is ticked", lambda: self._step(2) == "done")
        assert self.page.script("return document.querySelector('[data-field=key] input').type") == "password"

    def connect_leads_to_online(self):
        self.page.click("Connect", "button[type=submit]")
        until("it is online", lambda: self._view() == "online")
        self.page.says("Online: OpenAI answered")
        self.page.says("Waiting for ChatGPT’s first call")
        assert self._step(4) == "later"

    def the_key_is_gone_from_the_page_at_once(self):
        self._page_knows_no_secret()

    # ChatGPT calls.

    def the_first_call_turns_the_page_green_by_itself(self):
        self.plane.call("server/discover")
        tools = self.plane.call("tools/list")["tools"]
        assert any(tool["name"] == "edit_project_files" for tool in tools), tools
        until("the last step is ticked", lambda: self._step(4) == "done")
        self.page.says("It can work in your projects.")

    def chatgpt_edits_a_file_on_this_disk(self):
        opened = self.plane.tool("work_on_project", instruction="Greet in German", path=str(self.project))
        project = opened["project"]["project"]
        read = self.plane.tool("read_files", project=project, items=[{"path": "README.md"}])
        change = {
            "kind": "replace_exact", "path": "README.md", "old_text": "Hello.", "new_text": "Guten Tag.",
            "expected_read_revision": read["items"][0]["read_revision"],
        }
        self.plane.tool("edit_project_files", project=project, changes=[change])
        assert (self.project / "README.md").read_text() == "# webshop\n\nGuten Tag.\n"
        printed = self.plane.tool("run_process", project=project, executable="env")
        assert KEY not in json.dumps(printed), "a command of the model does not know the key"

    def activity_shows_the_call_as_one_of_chatgpt(self):
        self.page.go("activity")
        rows = "return [...document.querySelectorAll('[data-call] .client')].map((cell) => cell.innerText)"
        clients = until("the calls are listed", lambda: self.page.script(rows))
        assert set(clients) == {"ChatGPT"}, clients
        self.page.says("Called edit_project_files")

    def the_page_of_the_connection_tells_of_the_last_call(self):
        self.page.go("connections")
        until("the hop says it", lambda: "tools/call" in (self._hop("last_call") or ""))

    # What breaks.

    def a_crashed_server_comes_back_and_so_does_the_tunnel(self):
        assert self.plane.breaches() == [], "one process, one instance id"
        server = next(pid for pid, name in desktop.processes().items() if name == "webcodex" and b"server" in _command(pid))
        os.kill(server, signal.SIGABRT)
        until("another one runs", lambda: server not in desktop.processes())
        until("it is not said to be online meanwhile, or is again", lambda: self._view() in ("starting", "checking", "online"), 30)
        assert self.plane.tool("read_files", project=self._project(), items=[{"path": "README.md"}])["items"]
        until("it is online", lambda: self._view() == "online", 30)

    def a_refused_key_needs_the_person_and_says_so(self):
        self.plane.refuse(401)
        # The open poll ends with this call; the next one is refused.
        self.plane.call("tools/list")
        until("it needs the person", lambda: self._view() == "needs_you", 30)
        self.page.says("OpenAI did not accept the key: it is wrong, deleted or expired.")
        self.page.says("It is not tried again until you change something.")
        assert self.page.find("Replace and connect", "button"), "the one action that helps is there"

    def a_new_key_brings_it_back(self):
        self.plane.refuse(None)
        self.page.type_into("[data-field=key] input", KEY)
        self.page.click("Replace and connect", "button")
        until("it is online", lambda: self._view() == "online", 30)

    # The end.

    def stop_ends_it_and_nobody_gets_in(self):
        self.page.click("Stop", "button")
        until("it is off", lambda: self._view() == "off")
        self.page.says("ChatGPT can’t reach your projects through it.")

    def openai_has_nothing_to_complain_about_but_that_another_process_calls(self):
        others = [breach for breach in self.plane.breaches() if not breach.endswith(": the instance id changed")]
        assert others == [], others

    # Secrets.

    def no_secret_is_left_in_the_page(self):
        self._page_knows_no_secret()

    def credential_and_diagnosis_are_copied(self):
        self.page.go("home")
        self.page.click("Other", "[role=tab]")
        self.page.click("Copy credential", "button")
        self.credential = until("it is on the clipboard", desktop.clipboard)
        tray.click("Copy diagnosis")
        self.report = until("it is on the clipboard", lambda: (text := desktop.clipboard()) != self.credential and text)
        assert "WebCodex" in self.report, self.report[:400]

    def no_secret_is_anywhere_while_it_runs(self):
        secrets = self._secrets()
        environment = os.environ | {"CONTROL_PLANE_BASE_URL": self.plane.address}
        for question in (["doctor", "--json"], ["status", "--json"], ["status"]):
            said = subprocess.run([desktop.SERVER, *question], env=environment, capture_output=True, text=True, timeout=60)
            left.report(said.stdout + said.stderr)
            secrets.text(" ".join(question), said.stdout + said.stderr)
        left.report(self.report)
        secrets.text("the diagnosis", self.report)
        secrets.processes(desktop.processes())
        secrets.folder(HOME)
        secrets.found_none()

    def no_secret_is_left_on_the_disk_when_it_has_ended(self):
        tray.click("Quit WebCodex")
        until(f"nothing is left of {desktop.processes()}", lambda: not desktop.processes(), 20)
        secrets = self._secrets()
        looked_at = secrets.folder(HOME)
        for file in (OUTPUT.name, "app.log", ".db"):
            assert any(path.endswith(file) for path in looked_at), (file, looked_at)
        secrets.found_none()

    # Looking.

    def _secrets(self) -> Secrets:
        return Secrets({"the tunnel's key": KEY, "the clients' credential": self.credential})

    def _page_knows_no_secret(self):
        known = self.page.script(KNOWN_TO_THE_PAGE)
        secrets = self._secrets() if self.credential else Secrets({"the tunnel's key": KEY})
        secrets.text("the page", known)
        secrets.found_none()

    def _project(self) -> str:
        return self.plane.tool("work_on_project", instruction="Look around", path=str(self.project))["project"]["project"]

    def _view(self) -> str | None:
        return self.page.script("return document.querySelector('[data-view]')?.dataset.view ?? null")

    def _step(self, number: int) -> str | None:
        return self.page.script("return document.querySelector(`[data-step='${arguments[0]}']`)?.dataset.state ?? null", number)

    def _hop(self, name: str) -> str | None:
        return self.page.script("return document.querySelector(`[data-hop=${arguments[0]}]`)?.innerText ?? null", name)


# Everything a page can hold on to: what is shown, what was typed, and every kind of storage.
KNOWN_TO_THE_PAGE = """
const fields = [...document.querySelectorAll("input, textarea, select")].map((field) => field.value);
const storage = (of) => { try { return JSON.stringify({ ...of() }); } catch { return ""; } };
return [
  document.documentElement.outerHTML, ...fields, storage(() => localStorage), storage(() => sessionStorage),
  document.cookie, location.href, JSON.stringify(history.state), window.name,
].join("\\n");
"""


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def make_project() -> Path:
    project = HOME / "code/webshop"
    project.mkdir(parents=True)
    (project / "README.md").write_text("# webshop\n\nHello.\n")
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", project], check=True)
    return project


def main() -> int:
    desktop.enter()
    checks = desktop.Checks()
    services = desktop.Services()
    plane = ControlPlane()
    driver = Driver(os.environ | {"CONTROL_PLANE_BASE_URL": plane.address}, OUTPUT)
    try:
        page = Page(desktop.APP, [])
        checks.all_of(Day(page, plane, make_project()))
        page.end()
    finally:
        driver.end()
        plane.end()
        services.end()
    return checks.sum_up()


if __name__ == "__main__":
    sys.exit(main())
