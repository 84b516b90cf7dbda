"""The first steps of a new person, for days that begin after them."""

from pathlib import Path

import drag
from webdriver import Page, until


def take(page: Page, folder: Path):
    """From the empty window to Home, with one folder that models may edit and run in unasked."""
    drag.drop([folder])
    until("it is added", lambda: page.script("return document.querySelectorAll('[data-result=added]').length === 1"))
    page.click("Continue")
    finish(page)


def finish(page: Page):
    """From the question what models may do to Home."""
    page.click("Edit and run", "[role=radio]")
    if page.script("return document.querySelector('[role=switch][aria-checked=true]') !== null"):
        page.click_at("[role=switch]")
    page.click("Continue")
    page.says("Step 3 of 3")
    page.click("Later")
    until("Home is shown", lambda: page.script("return document.querySelector('nav [data-page=home]') !== null"))
