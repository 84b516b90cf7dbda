"""Just enough WebDriver to look at the page of the real window and to click in it."""

import base64
import json
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PORT = 4446
# Finds what a person would: something visible with this accessible name or text, the innermost first.
FIND = """
const [selector, words, within] = arguments;
const root = within ? document.querySelector(within) : document;
if (!root) return null;
const seen = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden" && !e.closest("[inert]");
const name = (e) => (e.getAttribute("aria-label") ?? e.innerText ?? "").trim().replace(/\\s+/g, " ");
const all = [...root.querySelectorAll(selector)].filter(seen);
return all.find((e) => name(e) === words) ?? all.findLast((e) => name(e).includes(words)) ?? null;
"""


class NotSeen(AssertionError):
    """Something did not come to be in time."""


def until(said: str, found, timeout: float = 15):
    """Waits until `found()` is truthy and returns it."""
    end = time.monotonic() + timeout
    while True:
        value = found()
        if value:
            return value
        if time.monotonic() > end:
            raise NotSeen(f"not within {timeout:.0f} s: {said}")
        time.sleep(0.05)


def call(method: str, path: str, body: dict | None = None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, {"content-type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["value"]
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{method} {path}: {error.read().decode()[:300]}") from None


class Driver:
    """The program that starts the app and speaks to its page."""

    def __init__(self, environment: dict, output: Path | None = None):
        """What the app writes goes to `output`, where one is named."""
        automation = {"TAURI_AUTOMATION": "true", "TAURI_WEBVIEW_AUTOMATION": "true"}
        to = output.open("wb") if output else None
        self.process = subprocess.Popen(["WebKitWebDriver", f"--port={PORT}"], env=environment | automation, stdout=to, stderr=to)
        until("WebKitWebDriver answers", self.answers)

    def answers(self) -> bool:
        try:
            return bool(call("GET", "/status"))
        except (OSError, RuntimeError):
            return False

    def end(self):
        self.process.terminate()
        self.process.wait(10)


class Page:
    """The page of one start of the app."""

    def __init__(self, app: Path, arguments: list[str]):
        options = {"binary": str(app), "args": arguments}
        answer = call("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.session = f"/session/{answer['sessionId']}"

    def script(self, text: str, *arguments):
        return call("POST", f"{self.session}/execute/sync", {"script": text, "args": list(arguments)})

    def find(self, words: str, selector: str = "button, a, [role]", within: str | None = None) -> str | None:
        found = self.script(FIND, selector, words, within)
        return found and found[ELEMENT]

    def click(self, words: str, selector: str = "button, a, [role=radio], [role=switch], [role=menuitem]", within: str | None = None):
        """Clicks as a person does: with the pointer, on what is visible."""
        until(f"“{words}” can be clicked", lambda: self._clicked(self.find(words, selector, within)))

    def click_at(self, selector: str):
        find = "return document.querySelector(arguments[0])"
        until(f"{selector} can be clicked", lambda: self._clicked((self.script(find, selector) or {}).get(ELEMENT)))

    def _clicked(self, element: str | None) -> bool:
        """Clicks, unless it is not there or something else, such as a sheet that is just closing, lies above it."""
        if element is None:
            return False
        try:
            call("POST", f"{self.session}/element/{element}/click", {})
        except RuntimeError as error:
            if any(reason in str(error) for reason in ("not interactable", "intercepted", "stale element")):
                return False
            raise
        return True

    def type_into(self, selector: str, text: str):
        element = until(f"{selector} is there", lambda: self.script("return document.querySelector(arguments[0])", selector))
        call("POST", f"{self.session}/element/{element[ELEMENT]}/value", {"text": text})

    def frame(self, index: int | None):
        """Goes into a frame of the present document, or back to the window's own with None."""
        call("POST", f"{self.session}/frame", {"id": index})

    def in_page_of_apps(self, ask):
        """What `ask()` finds in the page that the window shows in its two frames; nothing while it is not there."""
        try:
            self.frame(0)
            self.frame(0)
            return ask()
        except RuntimeError as error:
            if "no such frame" not in str(error) and "no such window" not in str(error):
                raise
            return None
        finally:
            self.frame(None)

    def go(self, page: str):
        self.click_at(f"nav [data-page={page}]")

    @property
    def text(self) -> str:
        return self.script("return document.body.innerText")

    @property
    def title(self) -> str:
        return self.script("return document.querySelector('h1')?.innerText ?? ''")

    def says(self, words: str, timeout: float = 15):
        """Waits until the page says this somewhere."""
        try:
            until(f"the page says “{words}”", lambda: words in self.text, timeout)
        except NotSeen as error:
            raise NotSeen(f"{error}; it says: {self.text[:600]!r}") from None

    def picture(self, file: Path):
        file.write_bytes(base64.b64decode(call("GET", f"{self.session}/screenshot")))

    def end(self):
        call("DELETE", self.session)
