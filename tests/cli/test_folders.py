"""Folders with other files beside the logs."""

import gzip
import json
import os
from pathlib import Path

import pytest
from tests.analysis.compare.story import PLAIN, log
from tests.cli.command import Segue
from tests.families import family


@pytest.fixture
def days() -> Path:
    """Two days, each with a conversation."""
    folder = Path("days")
    folder.mkdir()
    for day in ("1", "3"):
        lines = [json.dumps(each) for each in log(*PLAIN, conversation=f"c-{day}")]
        (folder / f"day-{day}.jsonl").write_text("\n".join(lines))
    return folder


def test_what_is_no_log_is_left_out_and_named(segue: Segue, days: Path) -> None:
    (days / "NOTES.txt").write_text("Logs of March.\n")
    (days / "day-2.json").write_text('{"known": []}')

    done = segue("check", "days")

    assert done.code == 0
    assert "2 conversations" in done.out
    assert done.err == (
        "segue: files that are not logs are left out: days/NOTES.txt, days/day-2.json\n"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@family("command", ["check", "sniff", "convert", "stats"])
def test_a_pipe_in_a_folder_is_left_out_and_named(segue: Segue, days: Path, command: str) -> None:
    if not (days / "pipe").exists():
        os.mkfifo(days / "pipe")

    done = segue(command, "days")

    assert done.code == 0
    assert "segue: pipes, devices and links in folders are left out: days/pipe\n" in done.err


def test_of_many_files_some_are_named(segue: Segue, days: Path) -> None:
    for number in range(7):
        (days / f"{number}.md").write_text("Notes\n")

    err = segue("check", "days").err

    assert "days/4.md and 2 more\n" in err


def test_a_file_that_is_named_is_not_left_out(segue: Segue, days: Path) -> None:
    notes = days / "NOTES.txt"
    notes.write_text("Logs of March.\n")

    done = segue("check", "days", str(notes))

    assert done.code == 2
    assert "days/NOTES.txt cannot be read: its line is not a delivery" in done.err


def test_a_folder_without_logs_is_refused(segue: Segue) -> None:
    Path("notes").mkdir()
    Path("notes/a.txt").write_text("Notes\n")

    done = segue("check", "notes")

    assert done.code == 2
    assert "notes/a.txt cannot be read: its line is not a delivery" in done.err


def test_a_log_of_another_layout_is_refused_before_anything_is_read(
    segue: Segue, days: Path
) -> None:
    wrapped = [json.dumps({"in": each}) for each in log(*PLAIN, conversation="c-2")]
    (days / "day-2.log.gz").write_bytes(gzip.compress("\n".join(wrapped).encode()))

    done = segue("check", "days")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "segue: days/day-2.log.gz has another layout than the logs before it: "
        "read it by itself, with --body-at /in\n"
    )


def test_a_log_without_options_among_others_is_refused_too(segue: Segue, days: Path) -> None:
    wrapped = [json.dumps({"in": each}) for each in log(*PLAIN, conversation="c-2")]
    (days / "day-0.jsonl").write_text("\n".join(wrapped))

    done = segue("check", "days")

    assert (done.code, done.out) == (2, "")
    assert (
        "days/day-1.jsonl has another layout than the logs before it: read it by itself, without"
        in done.err
    )


def test_a_damaged_log_of_a_folder_is_still_an_error(segue: Segue, days: Path) -> None:
    (days / "day-2.jsonl.gz").write_bytes(gzip.compress(b"{}" * 999)[:20])

    done = segue("check", "days")

    assert done.code == 2
    assert "day-2.jsonl.gz cannot be read" in done.err
