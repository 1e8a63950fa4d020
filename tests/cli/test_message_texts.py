"""`--include-text`: what was said, quoted in the page and nowhere else."""

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Segue, Write
from tests.report.columns import values_of
from tests.report.story import line


def stories(page: Path) -> list[dict[str, Any]]:
    """What a page has of its conversations."""
    found = re.findall(r'data-part="stories">([\w+/=]*)<', page.read_text("utf-8"))
    read = [json.loads(zlib.decompress(b64decode(data))) for data in found]
    return [story for column in read for story in values_of(column)]


def said(page: Path) -> list[tuple[int, str]]:
    """What a page quotes: lines and texts."""
    return sorted(
        (line, body["query"])
        for story in stories(page)
        for (line, *_), body in zip(story["deliveries"], story.get("bodies", ()), strict=False)
        if body is not None and "query" in body
    )


LINES = [
    line("user message", "c-1", "08:00:00"),
    line("NA entry a-1", "c-1", "08:00:01"),
    "",
    "{",
    line("agent message a-1", "c-1", "08:00:02"),
    line("user message", "c-2", "08:00:03"),
    line("END", "c-1", "08:00:04"),
]
FIRST, SECOND, THIRD = (1, "Hello"), (5, "Hello"), (6, "Hello")


@pytest.mark.parametrize(
    ("more", "quoted"),
    [
        ([], [FIRST, SECOND, THIRD]),
        (["--conversation", "c-2"], [THIRD]),
        (["--since", "2026-03-02T08:00:01Z"], [SECOND, THIRD]),
        (["--until", "2026-03-02T08:00:02Z"], [FIRST]),
    ],
)
def test_messages_are_quoted_as_far_as_the_check_reads_them(
    segue: Segue,
    write: Write,
    tmp_path: Path,
    more: list[str],
    quoted: list[tuple[int, str]],
) -> None:
    write("shift.jsonl", LINES)

    done = segue("check", "shift.jsonl", "--output", "html=out.html", "--include-text", *more)

    assert said(tmp_path / "out.html") == quoted
    assert "Hello" not in done.out


def test_without_the_option_nothing_is_quoted(segue: Segue, write: Write, tmp_path: Path) -> None:
    write("shift.jsonl", LINES)
    segue("check", "shift.jsonl", "--output", "html=out.html")

    assert said(tmp_path / "out.html") == []


def test_a_repeated_delivery_is_quoted_once_and_a_text_is_only_text(
    segue: Segue,
    write: Write,
    tmp_path: Path,
) -> None:
    envelope = json.loads(line("user message", "c-1", "08:00:00")) | {"delivery_id": "d-1"}
    envelope["body"]["query"] = "one\r\n\x1b[31mtwo"
    write("shift.jsonl", [json.dumps(envelope)] * 2)
    segue("check", "shift.jsonl", "--format", "html", "--include-text", "--output=html=out.html")

    assert [text for _, text in said(tmp_path / "out.html")] == ["one\n\\x1b[31mtwo"]


def test_a_foreign_log_is_quoted_as_well(segue: Segue, write: Write, tmp_path: Path) -> None:
    bodies = [json.loads(line("user message")), json.loads(line("END"))]
    write("shift.jsonl", [json.dumps({"request": {"body": body}}) for body in bodies])
    where = ("--body-at", "/request/body")
    segue("check", "shift.jsonl", *where, "--output=html=out.html", "--include-text")

    assert [text for _, text in said(tmp_path / "out.html")] == ["Hello"]


@pytest.mark.parametrize("more", [["--sort", "received_at"], ["--jobs", "2"]])
def test_any_log_can_be_quoted(segue: Segue, write: Write, tmp_path: Path, more: list[str]) -> None:
    write("shift.jsonl", LINES)
    segue("check", "shift.jsonl", *more, "--output=html=out.html", "--include-text")

    assert said(tmp_path / "out.html") == [FIRST, SECOND, THIRD]


def test_texts_are_for_the_page(segue: Segue, write: Write) -> None:
    write("shift.jsonl", LINES)

    done = segue("check", "--include-text", "shift.jsonl")

    assert done.code == 2
    assert done.out == ""
    assert "--include-text is for the format html: add --output html=FILE" in done.err


def test_causes_and_the_page_are_shown_in_one_run(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    write("shift.jsonl", LINES)
    options = ("--causes", "--output=html=both.html")
    causes = segue("check", "shift.jsonl", "--causes").out
    segue("check", "shift.jsonl", "--output=html=page.html")

    assert segue("check", "shift.jsonl", *options).out == causes
    assert stories(tmp_path / "both.html") == stories(tmp_path / "page.html")
