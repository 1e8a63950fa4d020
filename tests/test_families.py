"""A family of cases fails for each case that fails, under its name, and in every kind of report."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]

FAMILY = """
import pytest
from tests.families import family

@family("number", range(300))
@family("letter", ["a", "b"], ids=str.upper)
def test_planted(letter: str, number: int, tmp_path) -> None:
    assert (letter, number) not in {("a", 7), ("b", 299)}, "planted"

@family(("left", "right"), [(1, 1), pytest.param(2, 3, id="two"), (4, 4)])
def test_pairs(left: int, right: int) -> None:
    if left == 4:
        pytest.skip("not today")
    assert left == right

@family("name", ["x", "\\0", "\\udcff"])
def test_in_order(name: str) -> None:
    assert len(name) == 1
"""


@pytest.mark.parametrize("workers", [1, pytest.param(0, marks=pytest.mark.thorough)])
def test_a_planted_failure_is_reported_by_name(pytester: pytest.Pytester, workers: int) -> None:
    pytester.makepyfile(FAMILY)

    result = pytester.runpytest_subprocess(
        *("-n", str(workers), "--junitxml=x.xml"),
        *("-o", "verbosity_subtests=0", "-o", f"pythonpath={ROOT}"),
    )

    result.assert_outcomes(passed=1, failed=5)  # two tests and three of their cases
    result.stdout.fnmatch_lines_random(
        ["* test_planted *7-A* *", "* test_planted *299-B* *", "* test_pairs *two* *"]
    )
    found = ET.parse(Path(pytester.path, "x.xml"))  # noqa: S314 - our own
    texts = [failure.text or "" for failure in found.findall(".//failure")]
    assert len(texts) == 5
    assert [text for case in ("7-A", "299-B", "two") for text in texts if f"case: {case}" in text]
