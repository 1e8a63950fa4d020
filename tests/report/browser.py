"""A real Chromium for the tests of the page, or a skip that says why there is none."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

__all__ = ["Opened", "chromium", "opened"]

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the Chromium of the machine, or the one that playwright installed."""
    path = next(filter(None, map(which, _NAMES)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        except Error as error:
            pytest.skip(f"no Chromium can be started: {error.message.splitlines()[0]}")
        with browser:
            yield browser


class Opened:
    """A page in a browser, and everything it complained about or asked the network for."""

    def __init__(self, page: Page, *expected: str) -> None:
        """Take what it may ask for, and complain about, by how that begins."""
        self.page = page
        self.expected = ("file:", "blob:", *expected)
        self.troubles: list[str] = []
        page.on("console", lambda message: self._note(message.text))
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("dialog", lambda dialog: self._note(dialog.message))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, trouble: str) -> None:
        if not trouble.startswith(self.expected):
            self.troubles.append(trouble)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements, blanks made one.

        What the page does not draw until it is in view has no text before its second frame.
        """
        self.page.evaluate(_TWO_FRAMES)
        found = self.page.locator(selector).all_inner_texts()
        return [re.sub(r"\s+", " ", text).strip() for text in found]

    def titles(self) -> list[str]:
        """What the list shows, from the top."""
        return self.texts(".row b")


_TWO_FRAMES = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"


@contextmanager
def opened(
    browser: Browser, file: Path, width: int = 1200, scheme: str = "light", at: str = ""
) -> Iterator[Opened]:
    """Open a report, and find at the end that nothing went wrong in it."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    it = Opened(page)
    try:
        page.goto(f"{file.as_uri()}{at}")
        page.wait_for_selector("body[data-ready]", state="attached")
        page.wait_for_selector("#story :is(h2, .empty)", state="attached")
        yield it
        assert it.troubles == []
    finally:
        page.close()
