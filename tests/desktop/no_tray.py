"""A desktop without tray and without keychain: the app stays reachable and says what is different."""

import os
import signal
import subprocess
import sys

import desktop
import drag
from webdriver import Driver, Page, until


def state_of(title: str = "WebCodex") -> str:
    """Whether the window is minimised, as the window manager says."""
    found = subprocess.run(["xdotool", "search", "--name", f"^{title}$"], capture_output=True, text=True).stdout.split()
    states = [subprocess.run(["xprop", "-id", window, "WM_STATE"], capture_output=True, text=True).stdout for window in found]
    return " ".join(states)


class Poor:
    def __init__(self, page: Page):
        self.page = page

    def without_a_keychain_the_person_may_choose_a_file(self):
        self.page.click("Skip for now")
        self.page.click("Later")
        self.page.says("This computer offers no safe place for the credential.", 30)
        self.page.click("Keep it in a file", "button")
        self.page.says("Add a folder, and models can work in it.", 30)
        self.page.says("The credential is kept in a file only your account can read.")

    def without_a_tray_the_window_says_what_closing_does(self):
        self.page.says("This desktop has no tray.", 30)

    def closing_minimises_and_a_second_start_brings_the_window_back(self):
        subprocess.run(["wmctrl", "-F", "-c", "WebCodex"], check=True)
        until("it is minimised", lambda: "Iconic" in state_of())
        assert desktop.start_again() == 0
        until("it is back", lambda: "Normal" in state_of() and drag.window_named("WebCodex"))

    def told_to_end_it_leaves_no_process(self):
        for pid in [pid for pid, name in desktop.processes().items() if name == "webcodex-desktop"]:
            os.kill(pid, signal.SIGTERM)
        until("nothing is left", lambda: not desktop.processes(), 15)

    def started_hidden_it_waits_for_a_tray_then_shows_itself_minimised(self):
        app = subprocess.Popen([desktop.APP, "--hidden"])
        until("it is minimised", lambda: "Iconic" in state_of(), 25)
        app.terminate()
        assert app.wait(20) == 0


def main() -> int:
    desktop.enter()
    checks = desktop.Checks()
    services = desktop.Services(tray=False, keychain=False)
    driver = Driver(dict(os.environ))
    checks.all_of(Poor(Page(desktop.APP, [])))
    driver.end()
    services.end()
    return checks.sum_up()


if __name__ == "__main__":
    sys.exit(main())
