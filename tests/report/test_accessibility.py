"""What axe-core says of the page: nothing, in either scheme, with forced colours, on a phone."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.report.browser import chromium
from tests.report.scenes import day
from tests.report.story import rendered

AXE = "axe_playwright_python"
RUN = "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations)"

pytestmark = pytest.mark.skipif(find_spec(AXE) is None, reason="axe-playwright-python is absent")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(rendered("html", day()), "utf-8", newline="\n")
    return path


@pytest.mark.parametrize(
    ("at", "width", "media"),
    [
        ("#long-faults?e=14", 1400, {"color_scheme": "light"}),
        ("#long-faults?f=1", 1400, {"color_scheme": "dark"}),
        ("#transfer-untaken?v=ladder", 1400, {"color_scheme": "light"}),
        ("#transfer-untaken?v=ladder", 1400, {"color_scheme": "dark"}),
        ("#overnight", 375, {"color_scheme": "light"}),
        ("#agents-40", 1400, {"color_scheme": "dark"}),
        ("#late", 800, {"forced_colors": "active"}),
        ("#call", 800, {"color_scheme": "light"}),
        ("#?v=overview", 1400, {"color_scheme": "light"}),
        ("#?v=overview", 1400, {"color_scheme": "dark"}),
        ("#nothing", 375, {"color_scheme": "dark"}),
    ],
)
def test_axe_finds_nothing(
    browser: Browser, page_file: Path, at: str, width: int, media: dict[str, str]
) -> None:
    with browser.new_context(
        bypass_csp=True,  # axe is a script that the policy of the page does not name
        viewport={"width": width, "height": 900},
    ) as context:
        page = context.new_page()
        page.emulate_media(**media)  # type: ignore[arg-type]
        page.goto(f"{page_file.as_uri()}{at}")
        page.wait_for_selector("body[data-ready]", state="attached")
        page.wait_for_selector("#story :is(h2, .empty)", state="attached")
        page.evaluate(files(AXE).joinpath("axe.min.js").read_text("utf-8"))
        found = page.evaluate(RUN)

    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
