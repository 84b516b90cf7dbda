"""A person reviews what a model did, in the real window: reads, rejects a part with a word, accepts, undoes, and sees
Final Changes that nothing changes any more: neither later edits and commits nor a Server that starts anew."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import desktop
import first_steps
from webdriver import ELEMENT, Driver, Page, until

HOME = Path(os.environ["HOME"])
TITLE = "New prices"
LINES = [f"line {number}" for number in range(1, 41)]
PRICES = "prices.txt"
NOTES = "notes.md"


def text_of(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def changed(*numbers: int) -> str:
    return text_of([line.upper() if number in numbers else line for number, line in enumerate(LINES, 1)])


def make_project() -> Path:
    folder = HOME / "code/webshop"
    folder.mkdir(parents=True)
    (folder / PRICES).write_text(text_of(LINES))
    (folder / "footer.txt").write_text("header\nbody\nfooter\nimprint\n")
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "first")
    return folder


def git(folder: Path, *arguments: str):
    who = ["-c", "user.name=A Person", "-c", "user.email=person@example.com"]
    subprocess.run(["git", "-C", folder, *who, *arguments], check=True, stdout=subprocess.DEVNULL)


def commit(folder: Path, message: str):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


class Day:
    def __init__(self, page: Page, folder: Path):
        self.page = page
        self.folder = folder
        self.client: desktop.Client | None = None
        self.address = ""
        self.credential = ""
        self.scope: dict = {}
        self.sealed: dict = {}

    # A model works.

    def the_folder_becomes_a_project(self):
        first_steps.take(self.page, self.folder)

    def a_client_gets_in(self):
        self.page.click("Other", "[role=tab]")
        self.address = until("the address is shown", lambda: self.page.script(ADDRESS))
        self.page.click("Copy credential", "button")
        self.credential = until("it is on the clipboard", desktop.clipboard)
        self.client = desktop.Client(self.address, self.credential)

    def the_model_changes_two_files_and_is_listed_as_running(self):
        opened = self._output("work_on_project", instruction=TITLE, path=str(self.folder))
        self.scope = {"project": opened["project"]["project"], "session_id": opened["session"]["session_id"]}
        self._write(PRICES, changed(3, 37))
        self._output("edit_project_files", changes=[{"kind": "create", "path": NOTES, "new_text": "# Notes\n"}], **self.scope)
        self.page.go("work")
        self.page.click(TITLE)
        until("it is listed as running", lambda: self._group() == "running")
        until("the page lists both files", lambda: "2 files" in self._in_page())

    def it_waits_for_the_person_once_it_is_quiet(self):
        until("it waits for review", lambda: self._group() == "waiting", 60)
        self.page.says("Waiting for your review")

    # The person decides.

    def a_diff_opens_when_it_is_asked_for(self):
        assert "LINE 37" not in self._in_page(), "nothing is loaded before"
        self._click(f"[data-row='{PRICES}'] [data-file]")
        until("both parts are there", lambda: self._count("[data-hunk]") == 2)
        until("its lines are shown", lambda: "LINE 37" in self._in_page())

    def a_part_is_rejected_with_a_word(self):
        self._click("[data-hunk] ~ [data-hunk] [data-act=reject]")
        self._in_frame(lambda: self.page.type_into("[role=group] input", "keep line 37"))
        until("it is rejected", lambda: self._in_frame(lambda: self.page._clicked(self.page.find("Reject and undo", "button"))))
        until("exactly this part is undone", lambda: (self.folder / PRICES).read_text() == changed(3))
        until("the page says it", lambda: "keep line 37" in self._in_page())

    def the_model_is_told_with_its_next_answer(self):
        told = self._output("read_files", items=[{"path": PRICES}], **self.scope)["review_feedback"]["rejected"]
        assert [(one["path"], one["user_says"]) for one in told] == [(PRICES, "keep line 37")], told
        assert "review_feedback" not in self._output("read_files", items=[{"path": PRICES}], **self.scope)

    def a_file_is_accepted(self):
        self._click(f"[data-row='{NOTES}'] [data-act=accept]")
        until("the page says it", lambda: "Accepted" in self._in_page())
        self.page.says("1 of 2 files accepted", 60)
        assert (self.folder / NOTES).read_text() == "# Notes\n"

    # It is closed.

    def a_closed_task_is_finished_and_sealed(self):
        closed = self._output("finish_coding_task", summary="Prices are new.", **self.scope)
        assert closed["closed"] and closed["final_changes"]["file_count"] == 2, closed
        until("it is listed as finished", lambda: self._group() == "finished")
        self.page.says("2 files, sealed")
        until("the page shows the seal", lambda: "Final Changes, sealed" in self._in_page(), 40)
        assert "Prices are new." in self._in_page()
        self.sealed = self._seal()
        assert sorted(self.sealed["texts"]) == sorted(["# Notes\n", changed(3)]), self.sealed

    def later_edits_and_commits_change_nothing_of_it(self):
        (self.folder / PRICES).write_text("something else\n")
        (self.folder / NOTES).unlink()
        commit(self.folder, "later")
        assert self._seal() == self.sealed

    def a_server_that_starts_anew_shows_the_same(self):
        server = next(pid for pid, name in desktop.processes().items() if name == "webcodex" and b"server" in command_of(pid))
        os.kill(server, signal.SIGKILL)
        until("another one runs", lambda: server not in desktop.processes())
        self.client = desktop.Client(until("it serves", self._served, 40), self.credential)
        assert self._seal() == self.sealed
        self.page.go("home")
        self.page.go("work")
        self.page.click(TITLE)
        until("it is still finished", lambda: self._group() == "finished")
        until("the page shows the seal", lambda: "Final Changes, sealed" in self._in_page(), 40)
        self._click(f"[data-row='{PRICES}'] [data-file]")
        until("with its lines", lambda: "LINE 3" in self._in_page())
        assert "something else" not in self._in_page()

    # It is undone.

    def undoing_keeps_lines_of_the_person_that_do_not_touch(self):
        opened = self._output("work_on_project", instruction="A new footer", path=str(self.folder))
        self.scope["session_id"] = opened["session"]["session_id"]
        self._write("footer.txt", "header\nbody\nFOOTER BY THE MODEL\nimprint\n")
        (self.folder / "footer.txt").write_text("HEADER BY ME\nbody\nFOOTER BY THE MODEL\nimprint\n")
        self.page.click("A new footer")
        self.page.click("Undo this work…")
        self.page.says("In 1 file others changed other lines; those lines stay.")
        self.page.click("Undo", "dialog button")
        mine = "HEADER BY ME\nbody\nfooter\nimprint\n"
        until("the model's line is undone and the person's stays", lambda: (self.folder / "footer.txt").read_text() == mine)

    # How it is done.

    def _output(self, tool: str, **arguments) -> dict:
        answer = self.client.call(tool, **arguments)
        assert answer["success"], answer
        return answer["output"]

    def _write(self, path: str, text: str):
        read = self._output("read_files", items=[{"path": path}], **self.scope)
        revision = read["items"][0]["read_revision"]
        change = {"kind": "write", "path": path, "new_text": text, "expected_read_revision": revision}
        self._output("edit_project_files", changes=[change], **self.scope)

    def _served(self) -> str | None:
        """The address, once the Server answers there again."""
        said = subprocess.run([desktop.SERVER, "status"], capture_output=True, text=True, timeout=30).stdout
        return self.address if "ready" in said else None

    def _seal(self) -> dict:
        """Final Changes with the texts of their files, as a page is told them."""
        final = self._output("work_result_state", **self.scope)["final_changes"]
        look = {"snapshot_id": final["snapshot_id"], **self.scope}
        return final | {"texts": [self._output("changes_file_text", path=file["path"], **look)["text"] for file in final["files"]]}

    def _group(self) -> str | None:
        """The group of the list in which the session stands."""
        return self.page.script(GROUP, self.scope["session_id"])

    def _in_frame(self, ask):
        return self.page.in_page_of_apps(ask)

    def _in_page(self) -> str:
        return self._in_frame(lambda: self.page.text) or ""

    def _count(self, selector: str) -> int:
        return self._in_frame(lambda: self.page.script("return document.querySelectorAll(arguments[0]).length", selector)) or 0

    def _click(self, selector: str):
        until(f"{selector} can be clicked", lambda: self._in_frame(lambda: self._clicked(selector)))

    def _clicked(self, selector: str) -> bool:
        found = self.page.script("return document.querySelector(arguments[0])", selector)
        return self.page._clicked(found and found[ELEMENT])


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


GROUP = """
const link = document.querySelector(`[data-session="${arguments[0]}"]`);
return link?.closest("ul")?.getAttribute("aria-labelledby")?.replace("sessions-", "") ?? null;
"""
ADDRESS = """
return [...document.querySelectorAll("input[readonly]")].map((input) => input.value).find((t) => /^http:\\/\\/127\\.0\\.0\\.1:\\d+\\/mcp$/.test(t)) ?? null;
"""


def main() -> int:
    desktop.enter()
    checks = desktop.Checks()
    services = desktop.Services()
    folder = make_project()
    driver = Driver(dict(os.environ))
    try:
        page = Page(desktop.APP, [])
        checks.all_of(Day(page, folder))
        page.end()
    finally:
        driver.end()
        services.end()
    return checks.sum_up()


if __name__ == "__main__":
    sys.exit(main())
