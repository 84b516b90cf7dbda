"""The installer for Windows, compiled with NSIS and run under wine: installs, updates, refuses while the app runs, and
removes everything that is its own and nothing that is the person's.

The executables in it are stand-ins; what it does with them is the same. Needs the programs `makensis` and `wine`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "installers" / "windows" / "webcodex.nsi"
UNINSTALL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\WebCodex"
RUN = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run"
APP, SERVER = "webcodex-desktop.exe", "webcodex.exe"
PATIENCE = 60

passed = 0


def check(name, holds, found=""):
    global passed
    if not holds:
        sys.exit(f"FAILED: {name} {found}")
    passed += 1
    print(f"ok: {name}", flush=True)


def until(name, holds):
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    check(name, holds())


class Computer:
    """A Windows of its own, gone when the test ends."""

    def __init__(self, folder):
        self.prefix = folder / "wine"
        self.environment = os.environ | {
            "WINEPREFIX": str(self.prefix), "WINEARCH": "win64", "WINEDEBUG": "-all", "DISPLAY": "",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
        }
        self.run("wineboot", "--init")
        users = [user for user in (self.prefix / "drive_c" / "users").iterdir() if user.name != "Public"]
        self.home = users[0]
        self.installed = self.home / "AppData" / "Local" / "Programs" / "WebCodex"
        menu = self.home / "AppData" / "Roaming" / "Microsoft" / "Windows" / "Start Menu" / "Programs"
        self.shortcut = menu / "WebCodex.lnk"

    def run(self, *arguments):
        done = subprocess.run(["wine", *map(str, arguments)], env=self.environment, capture_output=True, text=True,
                              timeout=300, check=False)
        return done.returncode, done.stdout

    def start(self, *arguments):
        return subprocess.Popen(["wine", *map(str, arguments)], env=self.environment, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def value(self, key, name):
        code, text = self.run("reg", "query", key, "/v", name)
        return text.split("REG_SZ")[-1].strip() if code == 0 else None

    def end(self):
        subprocess.run(["wineserver", "-k"], env=self.environment, check=False)
        subprocess.run(["wineserver", "-w"], env=self.environment, check=False, timeout=PATIENCE)


def pack(folder, version, contents):
    """The installer of a version with these executables."""
    source = folder / version
    source.mkdir()
    for name, content in contents.items():
        (source / name).write_bytes(content)
    installer = folder / f"WebCodex-{version}-setup.exe"
    defined = {"VERSION": version, "SOURCE": source, "OUTPUT": installer}
    subprocess.run(["makensis", "-V2", "-WX", *(f"-D{name}={value}" for name, value in defined.items()), SCRIPT],
                   check=True, stdout=subprocess.DEVNULL)
    return installer


def whole_life(folder, computer):
    program = (computer.prefix / "drive_c" / "windows" / "system32" / "cmd.exe").read_bytes()
    first = pack(folder, "1.0.0", {APP: b"MZ first", SERVER: program})
    second = pack(folder, "2.0.0", {APP: b"MZ second", SERVER: program + b"second"})

    check("it installs silently", computer.run(first, "/S")[0] == 0)
    app, server = computer.installed / APP, computer.installed / SERVER
    check("the executables are there", app.read_bytes() == b"MZ first" and server.read_bytes() == program)
    check("so is the licence", (computer.installed / "LICENSE").is_file())
    check("the start menu has it", computer.shortcut.is_file())
    check("the list of programs has its version", computer.value(UNINSTALL, "DisplayVersion") == "1.0.0")

    running = computer.start(server)
    running.stdout.readline()
    code, _ = computer.run(second, "/S")
    check("an update refuses while the app runs", code != 0, code)
    check("and changes nothing", app.read_bytes() == b"MZ first" and server.read_bytes() == program)
    check("not even its version", computer.value(UNINSTALL, "DisplayVersion") == "1.0.0")
    running.communicate(b"exit\n", timeout=PATIENCE)
    check("the update installs afterwards", computer.run(second, "/S")[0] == 0)
    check("both executables are new", app.read_bytes() == b"MZ second" and server.read_bytes() != program)
    check("and so is the version", computer.value(UNINSTALL, "DisplayVersion") == "2.0.0")

    kept = computer.home / "AppData" / "Roaming" / "WebCodex" / "settings.toml"
    kept.parent.mkdir(parents=True)
    kept.write_text("[desktop]\n")
    foreign = computer.installed / "notes.txt"
    foreign.write_text("mine")
    computer.run("reg", "add", RUN, "/v", "WebCodex", "/d", "x", "/f")
    computer.run("reg", "add", RUN, "/v", "Other", "/d", "y", "/f")
    check("it is removed silently", computer.run(computer.installed / "uninstall.exe", "/S")[0] == 0)
    until("its files are gone", lambda: [file.name for file in computer.installed.iterdir()] == ["notes.txt"])
    until("so is its place in the start menu", lambda: not computer.shortcut.exists())
    until("and in the list of programs", lambda: computer.value(UNINSTALL, "DisplayVersion") is None)
    check("it does not start at login any more", computer.value(RUN, "WebCodex") is None)
    check("other programs do", computer.value(RUN, "Other") == "y")
    check("what is the person's stays", kept.read_text() == "[desktop]\n" and foreign.read_text() == "mine")


def main():
    for program in ["makensis", "wine"]:
        if shutil.which(program) is None:
            sys.exit(f"this test needs the program `{program}`; on Debian: apt install nsis wine wine64")
    with tempfile.TemporaryDirectory(prefix="webcodex-setup-") as name:
        computer = Computer(Path(name))
        try:
            whole_life(Path(name), computer)
        finally:
            computer.end()
    print(f"{passed} passed, 0 failed")


main()
