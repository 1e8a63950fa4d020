"""Pictures of the page, to be looked at: each scene at each width, in each scheme, and printed.

    python -m tests.report.screenshots DIRECTORY [SCENE...]

A Chromium is needed.  A page that complains is named.
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser
from tests.report.browser import Opened, chromium
from tests.report.scenes import SCENES, day
from tests.report.story import rendered

WIDTHS = 375, 800, 1400, 2400
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
    "print": {"media": "print", "color_scheme": "light"},
}
SHOWN = {
    "list": "",
    "overview": "#?v=overview",
    "ladder": "#long-faults?v=ladder",
    "event": "#long-faults?e=14",
    **{name: f"#{name}" for name in SCENES},
}
"""Each picture, and the address of what is in it."""


def picture(browser: Browser, address: str, width: int, look: str, to: Path) -> list[str]:
    """Take a picture; return what the page complained about."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.emulate_media(**LOOKS[look])  # type: ignore[arg-type]
    it = Opened(page)
    page.goto(address)
    page.wait_for_selector("body[data-ready]", state="attached")
    if "#" not in address:
        page.evaluate("document.body.classList.remove('reading')")
    page.wait_for_timeout(200)
    page.screenshot(path=to, full_page=look == "print")
    page.close()
    return it.troubles


def main(folder: Path, names: list[str]) -> None:
    """Take all pictures, or those of these names."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "report.html"
    file.write_text(rendered("html", day()), "utf-8", newline="\n")
    with chromium() as browser:
        for name in names or SHOWN:
            for width in WIDTHS:
                for look in LOOKS:
                    to = folder / f"{name}-{width}-{look}.png"
                    for trouble in picture(
                        browser, f"{file.as_uri()}{SHOWN[name]}", width, look, to
                    ):
                        sys.stderr.write(f"{to.name}: {trouble}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
