"""Real drag and drop from another program's window onto ours. As a program it is that other window."""

import pathlib
import subprocess
import sys
import time

from webdriver import until


def window_named(title: str) -> str | None:
    """The newest visible window with exactly this title."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], capture_output=True, text=True)
    return (found.stdout.split() or [None])[-1]


def place_of(window: str) -> dict[str, int]:
    shell = subprocess.run(["xdotool", "getwindowgeometry", "--shell", window], capture_output=True, text=True, check=True)
    pairs = (line.split("=") for line in shell.stdout.split())
    return {key: int(value) for key, value in pairs if value.lstrip("-").isdigit()}


def _pointer(*words: str):
    subprocess.run(["xdotool", *words], check=True)


def drop(paths: list, title: str = "WebCodex", before_release=lambda: None):
    """Drags files and folders from a window of their own to the middle of ours and lets go."""
    source = subprocess.Popen([sys.executable, __file__, *map(str, paths)], stdout=subprocess.PIPE, text=True)
    try:
        start = place_of(until("the other window is there", lambda: window_named("dragged")))
        end = place_of(until("our window is there", lambda: window_named(title)))
        x, y = start["X"] + 40, start["Y"] + 40
        to_x, to_y = end["X"] + end["WIDTH"] // 2, end["Y"] + end["HEIGHT"] // 2
        time.sleep(0.3)
        _pointer("mousemove", str(x), str(y), "sleep", "0.2", "mousedown", "1", "sleep", "0.1")
        _pointer("mousemove_relative", "8", "8", "sleep", "0.1", "mousemove_relative", "15", "15", "sleep", "0.1")
        for step in range(1, 9):
            _pointer("mousemove", str(x + (to_x - x) * step // 8), str(y + (to_y - y) * step // 8), "sleep", "0.04")
        _pointer("mousemove_relative", "2", "2", "sleep", "0.3")
        before_release()
        _pointer("mouseup", "1")
        source.wait(10)
    finally:
        source.kill()
        source.wait()
    assert "GET" in source.stdout.read(), "the dragged paths were never asked for"


def _offer(paths: list[str]):
    import gi

    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, Gtk

    uris = [pathlib.Path(path).absolute().as_uri() for path in paths]
    window = Gtk.Window(title="dragged", decorated=False)
    window.set_default_size(120, 80)
    box = Gtk.EventBox()
    box.add(Gtk.Label(label="drag me"))
    window.add(box)
    box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    box.drag_source_add_uri_targets()

    def give(_widget, _context, selection, _info, _time):
        print("GET", flush=True)
        selection.set_uris(uris)

    box.connect("drag-data-get", give)
    box.connect("drag-end", lambda *_: Gtk.main_quit())
    window.move(20, 60)
    window.set_keep_above(True)
    window.show_all()
    Gtk.main()


if __name__ == "__main__":
    _offer(sys.argv[1:])
