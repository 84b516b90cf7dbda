"""Starts `webcodex share` on the folder under test and ends it afterwards."""

import json
import os
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Served:
    """A shared folder: where it is and how to reach it."""

    folder: Path
    mcp_url: str
    credential: str
    project: str

    @property
    def base_url(self) -> str:
        return self.mcp_url.removesuffix("/mcp")

    @property
    def authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.credential}"}


@contextmanager
def share():
    """Shares `WEBCODEX_PROJECT` with the executable `WEBCODEX_EXE`."""
    folder = os.environ["WEBCODEX_PROJECT"]
    with tempfile.TemporaryDirectory(prefix="webcodex-data-") as data:
        process = subprocess.Popen(
            [os.environ["WEBCODEX_EXE"], "share", "--tunnel", "none", "--json", folder],
            env={**os.environ, "WEBCODEX_DATA_DIR": data},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            ready = json.loads(process.stdout.readline())
            yield Served(Path(folder), ready["mcp_url"], ready["credential"], ready["project"])
        finally:
            process.terminate()
            process.wait(timeout=30)
