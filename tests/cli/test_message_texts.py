"""`--include-text`: what was said, quoted in the page and nowhere else."""

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Segue, Write
from tests.report.story import line


def said(page: Path) -> list[dict[str, Any]]:
    """What a page quotes."""
    found = re.findall(r'data-part="said">([\w+/=]*)<', page.read_text("utf-8"))
    return [each for data in found for each in json.loads(zlib.decompress(b64decode(data)))]


LINES = [
    line("user message", "c-1", "08:00:00"),
    line("NA entry a-1", "c-1", "08:00:01"),
    "",
    "{",
    line("agent message a-1", "c-1", "08:00:02"),
    line("user message", "c-2", "08:00:03"),
    line("END", "c-1", "08:00:04"),
]
FIRST = {
    "conversation": "c-1",
    "bot": "",
    "kind": "user message",
    "agent": "a-1",
    "line": 1,
    "at": 1_772_438_400_000,
    "text": "Hello",
}
SECOND = FIRST | {"kind": "agent message", "line": 5, "at": 1_772_438_402_000}
THIRD = FIRST | {"conversation": "c-2", "bot": "", "line": 6, "at": 1_772_438_403_000}


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
    quoted: list[dict[str, Any]],
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

    assert [each["text"] for each in said(tmp_path / "out.html")] == ["one\n\\x1b[31mtwo"]


def test_a_foreign_log_is_quoted_as_well(segue: Segue, write: Write, tmp_path: Path) -> None:
    bodies = [json.loads(line("user message")), json.loads(line("END"))]
    write("shift.jsonl", [json.dumps({"request": {"body": body}}) for body in bodies])
    where = ("--body-at", "/request/body")
    segue("check", "shift.jsonl", *where, "--output=html=out.html", "--include-text")

    assert [each["text"] for each in said(tmp_path / "out.html")] == ["Hello"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["shift.jsonl"], "--include-text is for the format html: add --output html=FILE"),
        (["-", "--format", "html"], "reads the log a second time: give one file"),
        (["shift.jsonl", "shift.jsonl", "--format", "html"], "reads the log a second time"),
        (["shift.jsonl", "--sort", "received_at", "--format", "html"], "a second time"),
    ],
)
def test_what_cannot_be_meant_is_said(
    segue: Segue,
    write: Write,
    arguments: list[str],
    why: str,
) -> None:
    write("shift.jsonl", LINES)

    done = segue("check", "--include-text", *arguments)

    assert done.code == 2
    assert done.out == ""
    assert why in done.err
