"""The app without its page: started hidden, its memory given back, killed, told to end, its window off the screen."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import desktop
import drag
import tray
from webdriver import until

HOME = Path(os.environ["HOME"])
PLACE = HOME / ".local/share/webcodex/window.json"
KILLS = 50


def start(*arguments: str) -> subprocess.Popen:
    environment = os.environ | {"WEBCODEX_WINDOW_RELEASE_SECS": "1"}
    return subprocess.Popen([desktop.APP, *arguments], env=environment)


def names() -> list[str]:
    return sorted(desktop.processes().values())


def window():
    return drag.window_named("WebCodex")


def web_views() -> list[str]:
    return [name for name in names() if name.startswith("WebKitWebProcess")]


def resident(process: int) -> int:
    """Kilobytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def close():
    subprocess.run(["wmctrl", "-F", "-c", "WebCodex"], check=True)


def in_tray(said: str) -> bool:
    return any(label.startswith(said) for label in tray.labels())


class Hidden:
    app: subprocess.Popen

    def started_hidden_it_is_ready_in_the_tray_and_has_no_page(self):
        self.app = start("--hidden")
        until("the tray says it", lambda: tray.items() and in_tray("Ready"), 30)
        assert not window() and not web_views(), names()
        assert names().count("webcodex") == 2, names()

    def at_rest_it_lets_go_of_what_its_start_needed(self):
        started_with = resident(self.app.pid)
        until("memory is given back", lambda: resident(self.app.pid) < started_with * 0.8, 20)

    def a_second_start_shows_the_window_also_when_both_were_started_hidden(self):
        assert desktop.start_again("--hidden") == 0
        until("the window is there", window)

    def the_place_of_the_window_is_kept(self):
        subprocess.run(["wmctrl", "-F", "-r", "WebCodex", "-e", "0,60,40,900,600"], check=True)
        until("it is written", lambda: PLACE.exists() and json.loads(PLACE.read_text())["width"] == 900)

    def closed_for_a_while_it_gives_the_memory_of_its_page_back(self):
        close()
        until("the web view is gone", lambda: not any(name.startswith("WebKit") for name in names()), 20)
        assert tray.items() and names().count("webcodex") == 2, names()

    def the_next_start_brings_it_back_where_it_was(self):
        assert desktop.start_again() == 0
        shown = drag.place_of(until("the window is there", window))
        assert (shown["WIDTH"], shown["HEIGHT"]) == (900, 600), shown
        assert abs(shown["X"] - 60) < 30 and abs(shown["Y"] - 40) < 50, shown

    def killed_it_leaves_no_process(self):
        os.kill(self.app.pid, signal.SIGKILL)
        self.app.wait()
        nothing_is_left()

    def killed_at_any_moment_of_its_start_it_leaves_no_process(self):
        for _ in range(KILLS):
            app = start("--hidden")
            # The moment is the input: before, while and after its programs start.
            time.sleep(random.uniform(0, 1.5))
            app.kill()
            app.wait()
            nothing_is_left()

    def what_the_killed_one_held_keeps_nobody_from_starting(self):
        self.app = start("--hidden")
        until("the tray says it", lambda: tray.items() and in_tray("Ready"), 30)

    def asked_to_end_it_ends_in_order(self):
        self._end()
        nothing_is_left()

    def a_window_whose_screen_is_gone_comes_back_to_the_one_that_is_there(self):
        PLACE.write_text(json.dumps({"x": 5000, "y": 4000, "width": 900, "height": 600, "maximized": False}))
        self.app = start()
        shown = drag.place_of(until("the window is there", window))
        assert 0 <= shown["X"] <= 1280 - 900 and 0 <= shown["Y"] <= 800 - 600, shown
        assert (shown["WIDTH"], shown["HEIGHT"]) == (900, 600), shown
        self._end()

    def a_damaged_place_is_none(self):
        PLACE.write_text('{"x": 50')
        self.app = start()
        until("the window is there", window)
        self._end()
        nothing_is_left()

    def _end(self):
        self.app.terminate()
        assert self.app.wait(20) == 0


def nothing_is_left():
    until("nothing is left", lambda: not desktop.processes(), 15)


def main() -> int:
    desktop.enter()
    checks = desktop.Checks()
    services = desktop.Services()
    checks.all_of(Hidden())
    services.end()
    return checks.sum_up()


if __name__ == "__main__":
    sys.exit(main())
