"""What was installed is what is in `src/segue`: code, finding pages and the typing marker."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, distribution, entry_points
from pathlib import Path, PurePosixPath

import pytest

from segue.core.findings import RULES

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(scope="module")
def installed() -> set[PurePosixPath]:
    """The files of the installed package, or a skip when it is not installed from a wheel."""
    try:
        files = distribution("segue").files or []
    except PackageNotFoundError:
        files = []
    package = {PurePosixPath(each.as_posix()) for each in files if each.parts[0] == "segue"}
    if not package and not os.environ.get("CI"):
        pytest.skip("segue is not installed from a wheel here")
    return {path for path in package if path.suffix != ".pyc"}


def test_the_wheel_holds_every_file_of_the_source(installed: set[PurePosixPath]) -> None:
    source = {
        PurePosixPath(path.relative_to(SOURCE).as_posix())
        for path in (SOURCE / "segue").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert installed == source


def test_the_wheel_is_typed(installed: set[PurePosixPath]) -> None:
    assert PurePosixPath("segue/py.typed") in installed


def test_the_wheel_has_a_page_for_every_rule(installed: set[PurePosixPath]) -> None:
    pages = {path.stem for path in installed if path.parent.parts[-2:] == ("findings", "pages")}

    assert {rule.code for rule in RULES} <= pages


def test_the_command_is_called_segue(installed: set[PurePosixPath]) -> None:
    assert installed
    [command] = entry_points(group="console_scripts", name="segue")

    assert command.value == "segue.cli:main"
