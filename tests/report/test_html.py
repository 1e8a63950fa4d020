"""The file of the page: what is in it, in which portions, and what is not."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Any

import pytest
from tests.report.columns import values_of
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import early, line, log, rendered

import segue
from segue.report import RunSummary, renderer


def parts(text: str) -> list[tuple[str, Any]]:
    """The data of a page, by name."""
    found = re.findall(r'<script type="text/plain" data-part="(\w+)">([\w+/=]*)</script>', text)
    read = [(name, json.loads(zlib.decompress(b64decode(data)))) for name, data in found]
    return [(n, values_of(each) if n in {"rows", "stories"} else each) for n, each in read]


def test_the_browser_knows_script_and_style_by_their_digest() -> None:
    text = rendered("html", early())
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', text)
    for tag in ("script", "style"):
        [code] = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = b64encode(sha256(code.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("; require-trusted-types-for 'script'")


def test_the_file_needs_no_other() -> None:
    text = rendered("html", early())

    assert not re.search(r"(?:src|href)\s*=|@import|url\((?!#)", text)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]


def test_a_row_is_what_the_list_shows_and_searches() -> None:
    [[_, [row]]] = [part for part in parts(rendered("html", early())) if part[0] == "rows"]

    assert row == [
        "c-1",
        "st-1",
        "ended",
        0,
        [1, 0, 0],
        ["SG103"],
        [["a-1", "Ada"], ["a-2", "Ben"]],
        7,
        "",
        1,
        0,
        0,
        None,
        [],
    ]


def test_a_story_has_events_segments_and_findings() -> None:
    lines = [line("NA entry a-1", "c-1", "08:00:00"), line("NA exit a-1", "c-1", "08:00:07")]
    found = dict(parts(rendered("html", lines)))
    [[story], [row]] = found["stories"], found["rows"]

    assert story["rows"] == [[0, 0, "NA entry", "a-1", 1], [1, 1, "NA exit", "a-1", 2]]
    assert story["deliveries"] == [[1, 0, "hooks", "", "", ""], [2, 7000, "hooks", "", "", ""]]
    [segment] = story["segments"]
    assert row[12] == 1_772_438_400_000  # when it began
    assert segment["times"] == [7000, None, 7000]
    assert story["metrics"]["connected_time"] == 7000
    assert segment["connections"] == [[0, 1, 0, 7000, "NA", "NA"]]
    assert [finding["code"] for finding in story["findings"]] == ["SG108"]


def test_a_story_has_the_bounds_of_figures_that_are_not_as_told() -> None:
    lines = [line("NA entry a-1", "c-1", "08:00:00"), line("END", "c-1", "08:00:07")]
    [[story]] = [stories for name, stories in parts(rendered("html", lines)) if name == "stories"]

    assert story["metrics"]["connected_time"] == story["metrics"]["handle_time"] == 7000
    assert story["mended"]["connected_time"] == [0, 7000]
    assert "handle_time" not in story["mended"]
    assert "estimated" not in story["metrics"]


@pytest.mark.thorough
def test_stories_are_written_by_the_hundred_and_rows_of_the_list_by_thousands() -> None:
    written: list[str] = []
    page = renderer("html", written.append)
    lines = [each for number in range(2050) for each in log("END", conversation=f"c-{number}")]
    before = 0
    for count, report in enumerate(segue.replay(lines), start=1):
        page.show(report)
        if count % 100:
            assert len(written) == before
        else:
            assert len(written) > before
            before = len(written)
    page.finish(RunSummary())
    found = parts("".join(written))
    assert [name for name, _ in found] == [
        *(["stories"] * 20),
        "rows",
        *("stories", "rows", "situations", "run"),
    ]
    sizes = {name: [len(each) for part, each in found if part == name] for name, _ in found}
    assert sizes["rows"] == [2000, 50]
    assert sizes["stories"] == [100] * 20 + [50]


def test_no_text_of_a_conversation_and_nothing_that_acts_is_in_the_file() -> None:
    text = rendered("html", hostile())
    told = json.dumps(parts(text), ensure_ascii=False)

    assert SECRET not in text + told
    assert not any(character in text + told for character in HOSTILE)


def test_bodies_are_in_it_on_request() -> None:
    [_, story] = dict(parts(rendered("html", hostile(), include_text=True)))["stories"]
    told = json.dumps(story, ensure_ascii=False)

    assert story["bodies"][1]["query"] == SECRET
    assert not any(character in told for character in HOSTILE)


@pytest.mark.parametrize("lines", [[], early()])
def test_the_same_log_is_the_same_file(lines: list[str]) -> None:
    assert rendered("html", lines) == rendered("html", lines)
