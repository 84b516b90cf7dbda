"""Newer versions of the app: only with the right signature, only while nothing is at work, and whole or not at all."""

import base64
import functools
import hashlib
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import desktop
import tray
from webdriver import until

HOME = Path(os.environ["HOME"])
DATA = HOME / ".local/share/webcodex"
APP = HOME / "app" / desktop.APP.name
NEWER = "99.0.0"
# A download is looked at byte by byte, by a build for debugging.
PATIENCE = 120
SETTINGS = """
[desktop]
language = "en"
secrets = "owner_file"
first_run_done = true
model_roots = ["{work}"]

[desktop.new_projects]
permission = "edit_run"
ask_first = false
"""


class Signer:
    """Signs as `tauri signer` does."""

    def __init__(self, folder: Path):
        self.key = folder / "key.pem"
        folder.mkdir()
        self._openssl("genpkey", "-algorithm", "ed25519", "-out", self.key)
        public = self._openssl("pkey", "-in", self.key, "-pubout", "-outform", "DER")[-32:]
        self.number = hashlib.sha256(public).digest()[:8]
        self.public = self._packed(f"untrusted comment: a key for tests\n{self._line(b'Ed', public)}\n")

    def sign(self, content: bytes, version: str) -> str:
        signature = self._signed(hashlib.blake2b(content).digest())
        comment = f"timestamp:1\tfile:app\tversion:{version}"
        whole = base64.b64encode(self._signed(signature + comment.encode())).decode()
        line = self._line(b"ED", signature)
        return self._packed(f"untrusted comment: a test\n{line}\ntrusted comment: {comment}\n{whole}\n")

    def _line(self, kind: bytes, content: bytes) -> str:
        return base64.b64encode(kind + self.number + content).decode()

    def _packed(self, text: str) -> str:
        return base64.b64encode(text.encode()).decode()

    def _signed(self, message: bytes) -> bytes:
        file = self.key.with_name("message")
        file.write_bytes(message)
        return self._openssl("pkeyutl", "-sign", "-inkey", self.key, "-rawin", "-in", file)

    def _openssl(self, *arguments) -> bytes:
        return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True).stdout


class Releases:
    """The address where newer versions are announced."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir()
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def announce(self, version: str, content: bytes, signature: str):
        (self.folder / "app").write_bytes(content)
        release = {"version": version, "url": f"{self.address}/app", "signature": signature}
        (self.folder / "latest.json").write_text(json.dumps(release))

    def withdraw(self):
        (self.folder / "latest.json").unlink()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def status() -> dict:
    try:
        return json.loads((DATA / "desktop.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {"update": {"state": "?"}, "projects": []}


def update() -> str:
    return status()["update"]["state"]


def apps() -> list[int]:
    return [number for number, name in desktop.processes().items() if name.startswith("webcodex-desktop")]


class Update:
    def __init__(self):
        self.signer, self.stranger = Signer(HOME / "ours"), Signer(HOME / "theirs")
        self.releases = Releases(HOME / "releases")
        APP.parent.mkdir()
        for file in [desktop.APP, desktop.SERVER]:
            shutil.copy2(file, APP.with_name(file.name))
        # Smaller: a build for debugging takes its time to look at a signature.
        subprocess.run(["strip", APP], check=True)
        self.old = APP.read_bytes()
        self.new = self.old + b"a newer version"
        self.work = HOME / "work"
        self.work.mkdir()
        DATA.mkdir(parents=True, mode=0o700)
        (DATA / "settings.toml").write_text(SETTINGS.format(work=self.work))

    def it_starts_and_nobody_looked_yet(self):
        told = {"WEBCODEX_UPDATE_URL": f"{self.releases.address}/latest.json", "WEBCODEX_UPDATE_KEY": self.signer.public}
        self.app = subprocess.Popen([APP, "--hidden"], env=os.environ | told)
        until("it is ready", lambda: status().get("state") == "ready", 30)
        assert update() == "unknown", update()

    def without_an_answer_it_says_that_it_could_not_look(self):
        self._look("failed")

    def the_same_version_is_no_news(self):
        version = status()["version"]
        self.releases.announce(version, self.new, self.signer.sign(self.new, version))
        self._look("newest")

    def a_version_signed_by_a_stranger_is_refused(self):
        self.releases.announce(NEWER, self.new, self.stranger.sign(self.new, NEWER))
        self._is_refused()

    def a_version_that_was_changed_after_it_was_signed_is_refused(self):
        self.releases.announce(NEWER, self.new + b"!", self.signer.sign(self.new, NEWER))
        self._is_refused()

    def an_older_version_under_a_newer_number_is_refused(self):
        self.releases.announce(NEWER, self.new, self.signer.sign(self.new, "0.0.1"))
        self._is_refused()

    def what_is_no_program_is_not_installed_and_the_app_comes_back(self):
        text = b"no program, but signed"
        self.releases.announce(NEWER, text, self.signer.sign(text, NEWER))
        self._look("available")
        before = apps()
        tray.click(f"Install version {NEWER}")
        until("the app has started again", lambda: apps() and apps() != before and status().get("state") == "ready", PATIENCE)
        assert APP.read_bytes() == self.old

    def nothing_is_replaced_while_a_command_runs(self):
        self.releases.announce(NEWER, self.new, self.signer.sign(self.new, NEWER))
        self._look("available")
        credential = (DATA / "credentials" / "client").read_text().strip()
        self.client = desktop.Client(status()["address"]["local"], credential)
        project = self.client.call("register_project", path=str(self.work))["output"]["project"]
        self.client.ask("run_shell", project=project, script="touch began; while [ ! -e go ]; do sleep 0.05; done; touch ended")
        until("the command runs", (self.work / "began").exists)
        until("the app sees it", lambda: status()["state"] == "working")
        before = apps()
        tray.click(f"Install version {NEWER}")
        until("the app says why not", lambda: "work_runs" in self._log())
        assert (update(), apps(), APP.read_bytes() == self.old) == ("available", before, True)

    def the_command_runs_to_its_end(self):
        (self.work / "go").touch()
        answer = self.client.answer()
        assert answer["success"] and (self.work / "ended").exists(), answer
        self.client.end()
        until("nothing is at work", lambda: status()["state"] != "working")

    def then_it_is_installed_and_runs(self):
        before = apps()
        tray.click(f"Install version {NEWER}")
        until("the app has started again", lambda: apps() and apps() != before and status().get("state") == "ready", PATIENCE)
        assert APP.read_bytes() == self.new and os.access(APP, os.X_OK)
        assert [project["path"] for project in status()["projects"]] == [str(self.work)]

    def it_ends_and_leaves_nothing(self):
        tray.click("Quit WebCodex")
        until("nothing is left", lambda: not desktop.processes(), 20)

    def _look(self, expected: str):
        tray.click("Check for updates")
        until(f"the update is {expected}", lambda: update() == expected, 20)

    def _is_refused(self):
        self._look("available")
        before = apps()
        tray.click(f"Install version {NEWER}")
        until("it is refused", lambda: update() == "failed", PATIENCE)
        assert apps() == before and APP.read_bytes() == self.old
        assert status()["state"] == "ready"

    def _log(self) -> str:
        return "".join(file.read_text() for file in (DATA / "logs").glob("*.log"))


def main() -> int:
    desktop.enter()
    checks = desktop.Checks()
    services = desktop.Services(keychain=False)
    checks.all_of(Update())
    services.end()
    return checks.sum_up()


if __name__ == "__main__":
    sys.exit(main())
