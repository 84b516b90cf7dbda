"""A desktop without tray and without keychain: the app stays reachable and says what is different."""

import os
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


def main() -> int:
    desktop.enter()
    check = desktop.Checks()
    services = desktop.Services(tray=False, keychain=False)
    driver = Driver(dict(os.environ))
    page = Page(desktop.APP, [])
    with check("without a keychain the person may choose a file"):
        page.click("Skip for now")
        page.click("Continue") if page.find("Continue", "button") else None
        page.click("Later")
        page.says("This computer offers no safe place for the credential.", 30)
        page.click("Keep it in a file", "button")
        page.says("Add a folder, and models can work in it.", 30)
        page.says("The credential is kept in a file only your account can read.")
    with check("without a tray the window says what closing does"):
        page.says("This desktop has no tray.", 30)
    with check("closing minimises, and a second start brings the window back"):
        subprocess.run(["wmctrl", "-F", "-c", "WebCodex"], check=True)
        until("it is minimised", lambda: "Iconic" in state_of())
        assert desktop.start_again() == 0
        until("it is back", lambda: "Normal" in state_of() and drag.window_named("WebCodex"))
    page.end()
    driver.end()
    with check("nothing is left"):
        for pid, name in desktop.processes().items():
            if name == "webcodex-desktop":
                os.kill(pid, 15)
        until(f"nothing is left of {desktop.processes()}", lambda: not desktop.processes(), 15)
    with check("started hidden it waits, then shows itself minimised"):
        app = subprocess.Popen([desktop.APP, "--hidden"])
        until("it is minimised", lambda: "Iconic" in state_of(), 25)
        app.terminate()
        app.wait(20)
    services.end()
    return check.sum_up()


if __name__ == "__main__":
    sys.exit(main())
