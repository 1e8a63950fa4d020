"""The documentation builds as a site, and each of its pages can be reached from the menu."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
REACHED_BY_LINKS = {"reference/rules"}  # the table of rules links to the page of each


def entries(menu: object) -> Iterator[str]:
    if isinstance(menu, str):
        yield menu
    else:
        for value in menu.values() if isinstance(menu, dict) else menu:  # type: ignore[attr-defined]
            yield from entries(value)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "zensical.toml", tmp_path)

    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=tmp_path,
        env=os.environ | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "build/site/explanation/events/index.html").is_file()
    assert not list((tmp_path / "build/site").rglob("*.py"))


def test_every_page_is_in_the_menu() -> None:
    menu = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    listed = [Path(entry) for entry in entries(menu)]

    assert len(listed) == len(set(listed))
    assert set(listed) <= pages
    missing = pages - set(listed)
    assert {path.parent.as_posix() for path in missing} == REACHED_BY_LINKS
