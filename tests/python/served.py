"""Starts `webcodex share` on the folder under test and ends it afterwards."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import left


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
    with left.folder() as data, left.output() as output:
        process = subprocess.Popen(
            [os.environ["WEBCODEX_EXE"], "share", "--tunnel", "none", "--json", folder],
            env={**os.environ, "WEBCODEX_DATA_DIR": data},
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
        )
        try:
            ready = json.loads(process.stdout.readline())
            left.planted("a shared folder's credential", ready["credential"])
            yield Served(Path(folder), ready["mcp_url"], ready["credential"], ready["project"])
        finally:
            process.terminate()
            process.wait(timeout=30)
