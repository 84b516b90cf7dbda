"""A person's first day with the app, in its real window: from the first folder to quitting."""

import os
import subprocess
import sys
from pathlib import Path

import desktop
import drag
import first_steps
import left
import tray
from webdriver import Driver, Page, until

HOME = Path(os.environ["HOME"])


def make_projects() -> Path:
    folder = HOME / "code"
    for name in ["webshop", "notes", "Grüße & <Öl>", "blog"]:
        (folder / name).mkdir(parents=True)
        (folder / name / "README.md").write_text(f"# {name}\n\nHello.\n")
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", folder / "webshop"], check=True)
    (folder / "a file.txt").write_text("not a folder\n")
    return folder


class Day:
    def __init__(self, page: Page, services: desktop.Services, code: Path):
        self.page = page
        self.services = services
        self.code = code
        self.credential = ""
        self.client: desktop.Client | None = None

    # First steps.

    def opens_with_the_first_steps(self):
        self.page.says("Step 1 of 3")
        assert drag.window_named("WebCodex"), "the window has a title"

    def a_dragged_folder_becomes_a_project(self):
        def veil():
            self.page.says("Drop to add")

        drag.drop([self.code / "webshop"], before_release=veil)
        self.page.says("webshop")
        until("it is added", lambda: self.page.script("return document.querySelectorAll('[data-result=added]').length === 1"))

    def every_dragged_thing_gets_a_result(self):
        things = [self.code / "notes", self.code / "Grüße & <Öl>", self.code / "webshop", self.code / "a file.txt", HOME, Path("/etc")]
        drag.drop(things)
        self.page.says("of 6 folders added")
        count = "return document.querySelectorAll(`[data-result=${arguments[0]}]`).length"
        added, refused = self.page.script(count, "added"), self.page.script(count, "refused")
        assert (added, refused) == (2, 4), (added, refused, self.page.text)
        for said in ["Grüße & <Öl>", "Already here as webshop", "this is your home folder", "this is a file"]:
            self.page.says(said)

    def the_first_steps_end_at_home(self):
        self.page.click("Continue")
        self.page.says("What may models do in these 3 projects?")
        first_steps.finish(self.page)

    def the_projects_are_listed(self):
        self.page.go("projects")
        rows = "return [...document.querySelectorAll('[data-project]')].map((row) => row.dataset.project)"
        until("three projects", lambda: sorted(self.page.script(rows)) == sorted(["webshop", "notes", "Grüße & <Öl>"]))

    def the_tray_tells_the_truth(self):
        until("the tray says it", lambda: any(label.startswith("Ready") for label in tray.labels()))
        labels = tray.labels()
        for label in ["Open WebCodex", "Projects (3)", "webshop", "Grüße & <Öl>", "Pause serving", "Quit WebCodex"]:
            assert label in labels, (label, labels)
        assert any(label.startswith("ChatGPT – ") for label in labels), labels

    # A client.

    def the_credential_is_copied_but_not_in_the_page(self):
        self.page.go("home")
        self.page.click("Other", "[role=tab]")
        address = until("the address is shown", lambda: self.page.script(ADDRESS))
        self.page.click("Copy credential", "button")
        self.credential = until("it is on the clipboard", desktop.clipboard)
        assert self.credential not in self.page.script("return document.documentElement.outerHTML")
        self.client = desktop.Client(address, self.credential)

    def the_person_wants_to_see_what_calls_are_about(self):
        self.page.go("settings")
        self.page.click("With subjects", "[role=radio]")
        until("it is so", lambda: self.page.script(CHOSEN, "With subjects"))

    def a_client_reads_edits_and_runs(self):
        project = self._project("webshop")
        read = self.client.call("read_files", project=project, items=[{"path": "README.md"}])
        assert read["success"] and "Hello." in read["output"]["items"][0]["text"], read
        change = {"kind": "create", "path": "hello.txt", "new_text": "written by a model\n"}
        edit = self.client.call("edit_project_files", project=project, changes=[change])
        assert edit["success"] and (self.code / "webshop/hello.txt").read_text() == "written by a model\n", edit
        run = self.client.call("run_shell", project=project, script="echo from-a-command > made.txt && cat made.txt")
        assert run["success"] and (self.code / "webshop/made.txt").exists(), run

    def activity_shows_each_call(self):
        self.page.go("activity")
        for said in ["README.md", "hello.txt", "echo from-a-command"]:
            self.page.says(said)
        until("each has ended", lambda: self.page.text.count("Finished") >= 2)
        assert self.credential not in self.page.script("return document.documentElement.outerHTML")

    def a_call_opens_to_its_details(self):
        self.page.click_at("[data-call]")
        self.page.says("Timeline")

    # Appearance.

    def the_language_changes_in_window_and_tray(self):
        self.page.go("settings")
        self.page.click("中文", "[role=radio]")
        until("the page is Chinese", lambda: self.page.title == "设置")
        until("the tray is Chinese", lambda: "退出 WebCodex" in tray.labels())
        self.page.click("English", "[role=radio]")
        until("the page is English", lambda: self.page.title == "Settings")
        until("the tray is English", lambda: "Quit WebCodex" in tray.labels())

    def the_theme_changes(self):
        background = "return getComputedStyle(document.body).backgroundColor"
        light = self.page.script(background)
        self.page.click("Dark", "[role=radio]")
        dark = until("it is dark", lambda: (found := self.page.script(background)) != light and found)
        self.page.click("Light", "[role=radio]")
        until("it is light", lambda: self.page.script(background) == light)
        assert dark != light

    # The tray.

    def closing_hides_the_window(self):
        close_window()
        until("the window is gone", lambda: not drag.window_named("WebCodex"))
        assert "webcodex-desktop" in desktop.processes().values(), "the app goes on"
        assert tray.items(), "the tray stays"

    def pausing_and_resuming_from_the_tray(self):
        ready = until("it is ready", lambda: any(label.startswith("Ready") for label in tray.labels()) and tray.icon())
        tray.click("Pause serving")
        until("the tray says it", lambda: "Paused by you" in tray.labels())
        assert tray.icon() != ready, "the picture of the tray is another one"
        self.page.go("home")
        self.page.says("Paused. No client can reach your projects.")
        tray.click("Resume serving")
        until("it is ready again", lambda: any(label.startswith("Ready") for label in tray.labels()), 30)
        until("its picture, too", lambda: tray.icon() == ready)

    def start_at_login_is_switched_in_the_tray(self):
        assert not tray.checked("Start at login")
        tray.click("Start at login")
        until("it is ticked", lambda: tray.checked("Start at login"))
        entry = until("the system starts it", lambda: next(iter((HOME / ".config/autostart").glob("*.desktop")), None))
        assert "--hidden" in entry.read_text()
        tray.click("Start at login")
        until("it is taken back", lambda: not entry.exists())

    def the_tray_leads_to_the_projects(self):
        tray.click("Add folder…")
        until("the page is shown", lambda: self.page.title == "Projects")

    def the_diagnosis_is_copied_from_the_tray(self):
        tray.click("Copy diagnosis")
        report = until("it is on the clipboard", lambda: (text := desktop.clipboard()) != self.credential and text)
        left.report(report)
        assert "WebCodex" in report and self.credential not in report, report[:400]

    def a_second_start_shows_the_window(self):
        close_window()
        until("the window is gone", lambda: not drag.window_named("WebCodex"))
        before = set(desktop.processes().items())
        assert desktop.start_again() == 0
        until("the window is back", lambda: drag.window_named("WebCodex"))
        ours = {pid for pid, name in before if name.startswith("webcodex")}
        assert {pid for pid, name in desktop.processes().items() if name.startswith("webcodex")} == ours, "nothing was started twice"

    # Ask first.

    def an_edit_waits_and_is_done_when_allowed(self):
        self.page.go("projects")
        self.page.click("Ask first in notes", "[role=switch]")
        until("it asks first", lambda: self.page.script(ASKS_FIRST, "notes"))
        change = {"kind": "create", "path": "allowed.txt", "new_text": "allowed\n"}
        self.client.ask("edit_project_files", project=self._project("notes"), changes=[change])
        self.page.says("wants to edit")
        self.page.says("allowed.txt")
        assert not (self.code / "notes/allowed.txt").exists(), "nothing is written before the answer"
        self.page.click("Allow once", "dialog button")
        answer = self.client.answer()
        assert answer["success"] and (self.code / "notes/allowed.txt").read_text() == "allowed\n", answer

    def a_command_that_is_denied_never_runs(self):
        self.client.ask("run_shell", project=self._project("notes"), script="touch denied.txt")
        self.page.says("wants to run a command in notes")
        self.page.click("Deny…", "dialog button")
        self.page.type_into("dialog textarea, dialog input[type=text], dialog input:not([type])", "not today")
        self.page.click("Deny and tell the model", "dialog button")
        answer = self.client.answer()
        assert not answer["success"] and "not today" in str(answer["error"]), answer
        assert not (self.code / "notes/denied.txt").exists()
        self.page.go("activity")
        self.page.says("You denied")

    def a_request_is_notified_while_the_window_is_closed(self):
        close_window()
        until("the window is gone", lambda: not drag.window_named("WebCodex"))
        self.client.ask("run_shell", project=self._project("notes"), script="touch later.txt")
        until("a notification", lambda: any("notes" in one["title"] for one in self.services.notifications))
        until("the tray says it", lambda: any("waits for your answer" in label for label in tray.labels()))
        tray.click(next(label for label in tray.labels() if "waits for your answer" in label))
        until("the window is back", lambda: drag.window_named("WebCodex"))
        self.page.says("wants to run a command in notes")
        self.page.click("Allow once", "dialog button")
        assert self.client.answer()["success"] and (self.code / "notes/later.txt").exists()

    # Review.

    def work_is_reviewed_in_its_page(self):
        folder = self.code / "webshop"
        opened = self.client.call("work_on_project", instruction="Greet in German", path=str(folder))["output"]
        project, session = opened["project"]["project"], opened["session"]["session_id"]
        read = self.client.call("read_files", project=project, session_id=session, items=[{"path": "README.md"}])
        change = {
            "kind": "replace_exact", "path": "README.md", "old_text": "Hello.", "new_text": "Guten Tag.",
            "expected_read_revision": read["output"]["items"][0]["read_revision"],
        }
        edited = self.client.call("edit_project_files", project=project, session_id=session, changes=[change])
        assert edited["success"], edited
        self.page.go("work")
        self.page.click("Greet in German")
        text = lambda: self.page.in_page_of_apps(lambda: self.page.text) or ""
        until("the page lists the file", lambda: "README.md" in text() and "1 file" in text())

    def work_is_undone_by_the_person(self):
        self.page.click("Undo this work…")
        self.page.click("Undo", "dialog button")
        restored = lambda: "Hello." in (self.code / "webshop/README.md").read_text()
        until("the file is as it was", restored)
        assert (self.code / "webshop/hello.txt").exists(), "other work stays"

    # The end.

    def removing_a_project_leaves_its_files(self):
        self.page.go("projects")
        self.page.click_at("[data-project=webshop] [aria-haspopup=menu]")
        self.page.click("Remove from this list…", "[role=menuitem]")
        self.page.click("Remove from list", "dialog button")
        until("it is off the list", lambda: not self.page.script("return document.querySelector('[data-project=webshop]')"))
        assert (self.code / "webshop/README.md").exists() and (self.code / "webshop/.git").is_dir()

    def quitting_from_the_tray_leaves_no_process(self):
        self.client.end()
        tray.click("Quit WebCodex")
        until(f"nothing is left of {desktop.processes()}", lambda: not desktop.processes(), 20)
        assert not tray.items(), "the tray is empty"

    def _project(self, name: str) -> str:
        """The project's id, as a model learns it: by its path."""
        answer = self.client.call("work_on_project", instruction="Look around", path=str(self.code / name))
        assert answer["success"], answer
        return answer["output"]["project"]["project"]


CHOSEN = """
const [words] = arguments;
return [...document.querySelectorAll("[role=radio][aria-checked=true]")].some((one) => one.innerText.trim() === words);
"""
ADDRESS = """
return [...document.querySelectorAll("input[readonly]")].map((input) => input.value).find((t) => /^http:\\/\\/127\\.0\\.0\\.1:\\d+\\/mcp$/.test(t)) ?? null;
"""


ASKS_FIRST = """
return document.querySelector(`[role=switch][aria-label="Ask first in ${arguments[0]}"]`)?.getAttribute("aria-checked") === "true";
"""


def close_window():
    subprocess.run(["wmctrl", "-F", "-c", "WebCodex"], check=True)


def main() -> int:
    desktop.enter()
    checks = desktop.Checks()
    services = desktop.Services()
    code = make_projects()
    driver = Driver(dict(os.environ))
    try:
        page = Page(desktop.APP, [])
        day = Day(page, services, code)
        checks.all_of(day)
        page.end()
    finally:
        driver.end()
        services.end()
    return checks.sum_up()


if __name__ == "__main__":
    sys.exit(main())
