"""The app without its page: started hidden, its memory given back, killed, told to end, its window off the screen."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import desktop
import drag
import tray
from webdriver import until

HOME = Path(os.environ["HOME"])
PLACE = HOME / ".local/share/webcodex/window.json"


def start(*arguments: str) -> subprocess.Popen:
    environment = os.environ | {"WEBCODEX_WINDOW_RELEASE_SECS": "1"}
    return subprocess.Popen([desktop.APP, *arguments], env=environment)


def names() -> list[str]:
    return sorted(desktop.processes().values())


def window():
    return drag.window_named("WebCodex")


def web_views() -> list[str]:
    return [name for name in names() if name.startswith("WebKitWebProcess")]


def close():
    subprocess.run(["wmctrl", "-F", "-c", "WebCodex"], check=True)


def in_tray(said: str) -> bool:
    return any(label.startswith(said) for label in tray.labels())


def main() -> int:
    desktop.enter()
    check = desktop.Checks()
    services = desktop.Services()
    app = start("--hidden")
    with check("started hidden it is ready in the tray and has no page"):
        until("the tray says it", lambda: tray.items() and in_tray("Ready"), 30)
        assert not window() and not web_views(), names()
        assert names().count("webcodex") == 2, names()
    with check("a second start shows the window also when both were started hidden"):
        assert desktop.start_again("--hidden") == 0
        until("the window is there", window)
    with check("the place of the window is kept"):
        subprocess.run(["wmctrl", "-F", "-r", "WebCodex", "-e", "0,60,40,900,600"], check=True)
        until("it is written", lambda: PLACE.exists() and json.loads(PLACE.read_text())["width"] == 900)
    with check("closed for a while it gives the memory of its page back"):
        close()
        until("the web view is gone", lambda: not web_views(), 20)
        assert tray.items() and names().count("webcodex") == 2, names()
    with check("and the next start brings it back where it was"):
        assert desktop.start_again() == 0
        shown = drag.place_of(until("the window is there", window))
        assert (shown["WIDTH"], shown["HEIGHT"]) == (900, 600), shown
        assert abs(shown["X"] - 60) < 30 and abs(shown["Y"] - 40) < 50, shown
    with check("killed it leaves no process"):
        os.kill(app.pid, signal.SIGKILL)
        app.wait()
        until(f"nothing is left of {desktop.processes()}", lambda: not desktop.processes(), 15)
    with check("what the killed one held keeps nobody from starting"):
        app = start("--hidden")
        until("the tray says it", lambda: tray.items() and in_tray("Ready"), 30)
    with check("asked to end it ends in order"):
        app.send_signal(signal.SIGTERM)
        assert app.wait(20) == 0
        until(f"nothing is left of {desktop.processes()}", lambda: not desktop.processes(), 5)
    with check("a window whose screen is gone comes back to the one that is there"):
        PLACE.write_text(json.dumps({"x": 5000, "y": 4000, "width": 900, "height": 600, "maximized": False}))
        app = start()
        shown = drag.place_of(until("the window is there", window))
        assert 0 <= shown["X"] <= 1280 - 900 and 0 <= shown["Y"] <= 800 - 600, shown
        assert (shown["WIDTH"], shown["HEIGHT"]) == (900, 600), shown
        app.terminate()
        app.wait(20)
    with check("a damaged place is none"):
        PLACE.write_text('{"x": 50')
        app = start()
        until("the window is there", window)
        app.terminate()
        app.wait(20)
    with check("nothing is left"):
        until(f"nothing is left of {desktop.processes()}", lambda: not desktop.processes(), 15)
    services.end()
    return check.sum_up()


if __name__ == "__main__":
    sys.exit(main())
