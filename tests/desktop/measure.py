"""Measures the app as a person meets it: start to a drawn window, start to ready, memory, processor time at rest.

Prints one JSON object on the last line; `cargo xtask bench --only desktop` shows it. Docs: `docs/benchmark.md`.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import gi

gi.require_version("Gdk", "3.0")
from gi.repository import Gdk  # noqa: E402

import desktop  # noqa: E402
import tray  # noqa: E402
from webdriver import until  # noqa: E402

# A blank window has one colour or a few; letters and lines with soft edges have many.
COLOURS_OF_A_PAGE = 24
REST = float(os.environ.get("WEBCODEX_MEASURE_REST_SECS", "60"))
ROUNDS = int(os.environ.get("WEBCODEX_MEASURE_ROUNDS", "5"))


def start(*arguments: str, release_after: int = 3600) -> subprocess.Popen:
    environment = os.environ | {"WEBCODEX_WINDOW_RELEASE_SECS": str(release_after)}
    return subprocess.Popen([desktop.APP, *arguments], env=environment)


def drawn() -> bool:
    root = Gdk.get_default_root_window()
    picture = Gdk.pixbuf_get_from_window(root, 0, 0, root.get_width(), root.get_height())
    pixels, row = picture.get_pixels(), picture.get_rowstride()
    colours = set()
    for top in range(0, len(pixels) - row, row * 5):
        line = pixels[top : top + root.get_width() * 3]
        colours.update(zip(line[0::3], line[1::3], line[2::3]))
        if len(colours) > COLOURS_OF_A_PAGE:
            return True
    return False


def ready() -> bool:
    with contextlib.suppress(Exception):
        return bool(tray.items()) and any(label.startswith("Ready") for label in tray.labels())
    return False


def seconds_until(condition, since: float) -> float:
    while not condition():
        assert time.monotonic() - since < 60, "it never came"
        time.sleep(0.002)
    return time.monotonic() - since


def started(*arguments: str, condition) -> tuple[subprocess.Popen, float]:
    begun = time.monotonic()
    app = start(*arguments)
    return app, seconds_until(condition, begun)


def end(app: subprocess.Popen):
    app.terminate()
    app.wait(20)
    until("nothing is left", lambda: not desktop.processes(), 15)


def memory() -> dict[str, float]:
    """Megabytes of all processes: resident, and with shared pages divided among those that share them."""
    sums = {"Rss": 0, "Pss": 0}
    for process in desktop.processes():
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            name = line.split(":")[0]
            if name in sums:
                sums[name] += int(line.split()[1])
    return {name: kilobytes * 1.024 / 1000 for name, kilobytes in sums.items()}


def processor_seconds() -> float:
    used = 0
    for process in desktop.processes():
        for thread in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):
                used += int((thread / "schedstat").read_text().split()[0])
    return used / 1e9


def main() -> int:
    desktop.enter()
    services = desktop.Services()
    times: dict[str, list[float]] = {"drawn": [], "ready": [], "ready_hidden": []}
    # The first start makes folders and credentials; it counts as itself only.
    app, first = started("--hidden", condition=ready)
    end(app)
    for _ in range(ROUNDS):
        app, seconds = started(condition=drawn)
        times["drawn"].append(seconds)
        end(app)
        app, seconds = started(condition=ready)
        times["ready"].append(seconds)
        end(app)
        app, seconds = started("--hidden", condition=ready)
        times["ready_hidden"].append(seconds)
        end(app)
    found = {f"{name}_ms": statistics.median(values) * 1000 for name, values in times.items()}
    found["first_ready_hidden_ms"] = first * 1000
    found |= at_rest()
    services.end()
    print(json.dumps(found))
    return 0


def at_rest() -> dict[str, float]:
    app, _ = started("--hidden", condition=ready)
    time.sleep(5)
    hidden = memory()
    before = processor_seconds()
    time.sleep(REST)
    share = (processor_seconds() - before) / REST * 100
    assert desktop.start_again() == 0
    seconds_until(drawn, time.monotonic())
    time.sleep(3)
    opened = memory()
    end(app)
    app, _ = started(condition=drawn)
    end(app)
    app = start(release_after=1)
    seconds_until(drawn, time.monotonic())
    time.sleep(2)
    subprocess.run(["wmctrl", "-F", "-c", "WebCodex"], check=True)
    until("the page is gone", lambda: not any(name.startswith("WebKitWeb") for name in desktop.processes().values()), 20)
    time.sleep(5)
    released = memory()
    end(app)
    kinds = {"hidden": hidden, "open": opened, "released": released}
    sizes = {f"{kind}_{name.lower()}_mb": value for kind, sizes in kinds.items() for name, value in sizes.items()}
    return sizes | {"idle_percent": share}


if __name__ == "__main__":
    sys.exit(main())
