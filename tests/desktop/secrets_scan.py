"""Looks for secrets where none may be; the test kit's scan does the looking."""

import json
import os
import subprocess
from pathlib import Path

# Where the product keeps secrets on purpose, as files that only their owner can read.
KEPT = ".local/share/webcodex/credentials"


class Secrets:
    """The secrets of a test, and every place that was looked at."""

    def __init__(self, secrets: dict[str, str]):
        self.secrets = secrets
        self.findings: list[str] = []

    def text(self, place: str, text: str):
        self._look(texts={place: text})

    def folder(self, folder: Path) -> list[str]:
        """Looks into everything below the folder and returns the files it has read."""
        return self._look(folders=[str(folder)])

    def processes(self, processes: dict[int, str]):
        """What everybody sees of these processes, and their environments."""
        assert processes, "nothing runs"
        self._look(processes=list(processes))

    def found_none(self):
        assert not self.findings, self.findings

    def _look(self, **where) -> list[str]:
        kept = [str(Path(os.environ["HOME"], KEPT))]
        asked = {"secrets": self.secrets, "texts": {}, "folders": [], "processes": [], "kept": kept} | where
        program = os.environ["WEBCODEX_SECRETS_SCAN"]
        looked = subprocess.run([program], input=json.dumps(asked), capture_output=True, text=True, timeout=120)
        assert looked.returncode == 0, looked.stderr
        said = json.loads(looked.stdout)
        self.findings += said["findings"]
        return said["files"]
