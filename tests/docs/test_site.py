"""The documentation builds as a site, and each of its pages can be reached from the menu."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
REACHED_BY_LINKS = {"reference/rules"}  # the table of rules links to the page of each


def entries(menu: object) -> Iterator[str]:
    if isinstance(menu, str):
        yield menu
    else:
        for value in menu.values() if isinstance(menu, dict) else menu:  # type: ignore[attr-defined]
            yield from entries(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "zensical.toml", folder)
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


@pytest.mark.thorough
def test_the_site_has_the_pages_and_no_scripts_that_make_them(site: Path) -> None:
    assert (site / "explanation/events/index.html").is_file()
    assert not list(site.rglob("*.py"))


class Links(HTMLParser):
    """The links of a page, and the places that links may lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.places: set[str] = {"", "__skip"}
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        for name, value in attrs:
            if name in {"href", "src"} and value is not None:
                self.found.add(value)
            if name in {"id", "name"} and value is not None:
                self.places.add(value)


@pytest.mark.thorough
def test_every_link_inside_the_site_leads_to_a_place(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html") if page.name != "404.html"}
    lost = []
    for page, links in pages.items():
        for link in links.found:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (page.parent / unquote(url.path)).resolve() if url.path else page
            target = target / "index.html" if target.is_dir() else target
            known = target in pages and unquote(url.fragment) in pages[target].places
            if not known and (url.fragment or not target.is_file()):
                lost.append(f"{page.relative_to(site)}: {link}")

    assert len(pages) > 100
    assert lost == [], "\n".join(lost)


def test_every_page_is_in_the_menu() -> None:
    menu = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    listed = [Path(entry) for entry in entries(menu)]

    assert len(listed) == len(set(listed))
    assert set(listed) <= pages
    missing = pages - set(listed)
    assert {path.parent.as_posix() for path in missing} == REACHED_BY_LINKS
