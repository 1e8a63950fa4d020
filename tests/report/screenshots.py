"""Pictures of the page, to be looked at: each scene at each width, in each scheme, and printed.

    python -m tests.report.screenshots DIRECTORY [SCENE...]

A Chromium is needed.  A page that complains is named.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from urllib.request import Request, urlopen

from playwright.sync_api import Browser
from tests.cli.server import Serving
from tests.report.browser import Opened, chromium
from tests.report.scenes import SCENES, day
from tests.report.story import rendered
from tests.server.http.world import END, ENTRY, EXIT, delivery, transfer

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
"""Each picture of a report, and the address of what is in it."""
LIVE = "live"
"""The picture of the inspector, while deliveries come in."""
PAUSE = 0.1
SETTLED = 1_000


def picture(browser: Browser, address: str, width: int, look: str, to: Path) -> list[str]:
    """Take a picture; return what the page complained about."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.emulate_media(**LOOKS[look])  # type: ignore[arg-type]
    it = Opened(page, "http://127.0.0.1:")
    page.goto(address)
    page.wait_for_selector("body[data-ready]", state="attached")
    if "#" not in address:
        page.evaluate("document.body.classList.remove('reading')")
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=to, full_page=look == "print")
    page.close()
    return it.troubles


@contextmanager
def inspected(folder: Path) -> Iterator[str]:
    """Serve an inspector that deliveries come to all the time; yield its address."""
    done = Event()
    with Serving(folder, "--no-auth", "--quiet", "--store=memory") as server:
        sender = Thread(target=deliver, args=(server.url, done))
        sender.start()
        try:
            yield f"{server.url}/inspect#live"
        finally:
            done.set()
            sender.join()


def deliver(url: str, done: Event) -> None:
    """Send to one conversation that goes on, and to new ones, some of them with a mistake."""
    number = 0
    while not done.wait(PAUSE):
        number += 1
        again = [EXIT, transfer("redial", "entry")] if number > 1 else [ENTRY]
        ends = [ENTRY, EXIT, END] if number % 3 else [ENTRY, END]
        for body in (delivery("live", *again), delivery(f"c-{number:04}", *ends)):
            headers = {"Content-Type": "application/json"}
            with urlopen(Request(f"{url}/agentdesk/api/v1/hooks/st-1", body, headers)):  # noqa: S310
                pass


def main(folder: Path, names: list[str]) -> None:
    """Take all pictures, or those of these names."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "report.html"
    file.write_text(rendered("html", day()), "utf-8", newline="\n")
    with chromium() as browser, inspected(folder) as live:
        addresses = {name: f"{file.as_uri()}{at}" for name, at in SHOWN.items()} | {LIVE: live}
        for name in names or addresses:
            for width in WIDTHS:
                for look in LOOKS:
                    to = folder / f"{name}-{width}-{look}.png"
                    for trouble in picture(browser, addresses[name], width, look, to):
                        sys.stderr.write(f"{to.name}: {trouble}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
