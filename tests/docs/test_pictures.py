"""The pictures of the pages: each is shown, is small, loads nothing, and is of today.

`python docs/images/make.py` makes them anew.
"""

import re
import runpy
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from docs.metrics_page import EXAMPLE, example_report
from docs.metrics_picture import bars_of

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
PICTURES = sorted(
    path
    for folder in (IMAGES, ROOT / "docs" / "reference")
    for path in folder.iterdir()
    if path.suffix in (".png", ".svg")
)
MAKE: dict[str, Any] = runpy.run_path(str(IMAGES / "make.py"))


def squeezed(text: str) -> str:
    """A text without its blanks, which are where lines happen to be broken."""
    return re.sub(r"\s", "", text)


def test_every_picture_is_shown_and_every_shown_one_is_there() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in (ROOT / "docs").rglob("*.md")
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text("utf-8"))
    }

    assert shown == {path.resolve() for path in PICTURES}


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_is_small_and_loads_nothing(path: Path) -> None:
    assert path.stat().st_size < 150_000
    if path.suffix == ".svg":
        assert not re.search(r"url\(.?https?:|href|<script", path.read_text("utf-8"))


@pytest.mark.parametrize("name", MAKE["SHOTS"])
def test_a_terminal_says_what_is_said_today(name: str) -> None:
    svg = (IMAGES / f"{name}.svg").read_text("utf-8")
    [drawn] = re.findall(r'<g class="segue-\w+-matrix">(.*?)</g>', svg, re.DOTALL)
    text = unescape(re.sub(r"<[^>]*>", "", drawn))

    assert squeezed(text) == squeezed(MAKE["shown"](MAKE["SHOTS"][name]))


def test_the_bars_of_the_metrics_add_up() -> None:
    seconds: Counter[tuple[str, str]] = Counter()
    for bar in bars_of(EXAMPLE, example_report().to_dict()):
        seconds[bar.row, bar.metric] += bar.end - bar.start

    assert seconds == {
        ("conversation", "answer_time"): 10,
        ("conversation", "connected_time"): 90 + 55 + 25,
        ("conversation", "transfer_gap"): 5,
        ("conversation", "drop_gap"): 15,
        ("conversation", "wrapup_time"): 15,
        ("a-1, primary", "connected_time"): 90,
        ("a-2, consultant", "connected_time"): 20,
        ("a-3, primary", "connected_time"): 55 + 25,
        ("transcription", "active"): 30 + 30 + 95,
        ("transcription", "hold_time"): 30,
        ("transcription", "handover"): 5,
        ("talk", "talk_time"): 30 + 30 + 55 + 25,
        ("two at once", "overlap_time"): 20,
        ("responses", "response"): 12 + 18,
    }
    metrics = example_report().metrics.to_dict()
    for (row, metric), length in seconds.items():
        if row in ("conversation", "talk", "two at once"):
            assert metrics[metric] == length
