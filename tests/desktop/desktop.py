"""A person's desktop for the tests: a screen, a session bus, a window manager, a tray, notifications, a keychain.

Everything is private: a home folder of its own, a runtime folder, a bus and a screen of its own.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import left

HERE = Path(__file__).parent
APP = Path(os.environ["WEBCODEX_DESKTOP"])
SERVER = APP.with_name("webcodex")
PICTURES = Path(os.environ.get("WEBCODEX_PICTURES", tempfile.gettempdir()))
# Programs of the test kit that some of the tests need, and where things are left.
HANDED_ON = ["WEBCODEX_CONTROL_PLANE", "WEBCODEX_SECRETS_SCAN", "WEBCODEX_LEFT"]
READ_CLIPBOARD = """
import gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
print(Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_text() or "", end="")
"""


def enter():
    """Starts this script again on a screen and a bus of its own, unless it is there already."""
    if os.environ.get("WEBCODEX_ON_DESKTOP"):
        return
    with left.folder("webcodex-desktop-") as home:
        runtime = Path(home, "run")
        runtime.mkdir(mode=0o700)
        environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": home, "XDG_RUNTIME_DIR": str(runtime),
            "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "WEBCODEX_ON_DESKTOP": "1",
            "WEBCODEX_DESKTOP": str(APP), "WEBCODEX_PYTHON": os.environ["WEBCODEX_PYTHON"], "WEBCODEX_PICTURES": str(PICTURES),
            "WEBCODEX_LOG": os.environ.get("WEBCODEX_LOG", "debug"), "PYTHONDONTWRITEBYTECODE": "1",
        }
        environment |= {name: os.environ[name] for name in HANDED_ON if name in os.environ}
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "dbus-run-session", "--"]
        ended = subprocess.run([*screen, sys.executable, *sys.argv], env=environment)
    sys.exit(ended.returncode)


class Services:
    """The programs of the desktop, ended at the end."""

    def __init__(self, tray: bool = True, keychain: bool = True):
        self.notifications: list[dict] = []
        self._running: list[subprocess.Popen] = []
        self._start("openbox", "--sm-disable")
        if keychain:
            unlock = ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"]
            self._start(*unlock, stdin=subprocess.PIPE).stdin.write(b"password\n")
            self._running[-1].stdin.close()
        self._start(sys.executable, HERE / "notification_service.py", stdout=subprocess.PIPE)
        threading.Thread(target=self._listen, args=[self._running[-1].stdout], daemon=True).start()
        if tray:
            self._start(sys.executable, HERE / "status_notifier_watcher.py")
        names = ["org.freedesktop.Notifications"] + ["org.kde.StatusNotifierWatcher"] * tray + ["org.freedesktop.secrets"] * keychain
        for name in names:
            subprocess.run(["gdbus", "wait", "--session", "--timeout", "15", name], check=True)

    def _start(self, *command, **pipes) -> subprocess.Popen:
        self._running.append(subprocess.Popen([str(word) for word in command], stderr=subprocess.DEVNULL, **pipes))
        return self._running[-1]

    def _listen(self, lines):
        for line in lines:
            self.notifications.append(json.loads(line))

    def end(self):
        for process in reversed(self._running):
            process.terminate()
            process.wait(10)


def clipboard() -> str:
    return subprocess.run([sys.executable, "-c", READ_CLIPBOARD], capture_output=True, text=True, timeout=20, check=True).stdout


def processes() -> dict[int, str]:
    """Everything of ours that runs now: the app, its programs, and the web view's."""
    found = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
            belongs = os.environ["HOME"].encode() in (process / "environ").read_bytes()
            name = Path(os.readlink(process / "exe")).name
            if state != "Z" and belongs and (name.startswith("webcodex") or name.startswith("WebKit") and name != "WebKitWebDriver"):
                found[int(process.name)] = name
    return found


def start_again(*arguments: str) -> int:
    """Starts the app while it runs, as a person does from the menu of programs; returns the exit code."""
    return subprocess.run([APP, *arguments], timeout=30).returncode


class Client:
    """An MCP client that was given address and credential."""

    def __init__(self, url: str, credential: str, name: str = "claude-code"):
        command = [os.environ["WEBCODEX_PYTHON"], HERE / "client.py", url, name]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        left.planted("the clients' credential", credential)
        self._say(credential)
        assert self._hear() == {"connected": True}

    def _say(self, line: str):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def _hear(self):
        line = self.process.stdout.readline()
        assert line, "the client ended"
        return json.loads(line)

    def ask(self, tool: str, **arguments):
        """Sends a call; `answer` waits for what comes of it."""
        self._say(json.dumps({"tool": tool, "arguments": arguments}))

    def answer(self) -> dict:
        return self._hear()

    def call(self, tool: str, **arguments) -> dict:
        self.ask(tool, **arguments)
        return self.answer()

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


class Checks:
    """Named checks, each counted. They tell one story, so after a failed one the rest fails without a try."""

    def __init__(self):
        self.passed = 0
        self.failed: list[str] = []

    def __call__(self, name: str, check):
        if self.failed:
            self.failed.append(name)
            print(f"FAILED  {name} (not tried)", flush=True)
            return
        try:
            check()
        except Exception:
            self.failed.append(name)
            print(f"FAILED  {name}", flush=True)
            traceback.print_exc()
            picture = PICTURES / f"{name.replace(' ', '-').replace('/', '-')[:80]}.png"
            subprocess.run(["import", "-window", "root", picture], stderr=subprocess.DEVNULL)
            print(f"        the screen is in {picture}", flush=True)
        else:
            self.passed += 1
            print(f"ok      {name}", flush=True)

    def all_of(self, story: object):
        """Runs every public method in the order it is written down; its name is what it checks."""
        for name, step in type(story).__dict__.items():
            if callable(step) and not name.startswith("_"):
                self(name.replace("_", " "), lambda: step(story))

    def sum_up(self) -> int:
        print(f"{self.passed} passed, {len(self.failed)} failed", flush=True)
        return 1 if self.failed else 0
