"""What tests leave behind for the scan for secrets, the last step of `cargo xtask test`.

A folder of the product made here goes with the test; where `WEBCODEX_LEFT` names a folder it lies in there and stays.
"""

import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

LEFT = os.environ.get("WEBCODEX_LEFT")


@contextmanager
def folder(prefix: str = "webcodex-data-"):
    """A folder for the product."""
    if LEFT:
        yield tempfile.mkdtemp(prefix=prefix, dir=LEFT)
    else:
        with tempfile.TemporaryDirectory(prefix=prefix) as made:
            yield made


def output():
    """An open file for what the product writes to standard error."""
    return tempfile.NamedTemporaryFile(prefix="output-", dir=LEFT, delete=not LEFT)


def report(text: str):
    """Keeps a report that the product gave."""
    if LEFT:
        handle, name = tempfile.mkstemp(prefix="report-", dir=LEFT)
        os.close(handle)
        Path(name).write_text(text)


def planted(name: str, secret: str):
    """Tells that the product is about to get this secret."""
    if LEFT:
        file = os.open(Path(LEFT, "planted.jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(file, (json.dumps({"name": name, "secret": secret}) + "\n").encode())
        os.close(file)
