"""Law: whatever a line is, the other lines of the log are read, by every command, from anywhere."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cli.commands import LOG_READERS
from tests.fuzz.seeds import SEEDS, odd_log_line, odd_log_lines

import segue
from segue.cli.app import run as run_command
from segue.core.conversation import Report
from segue.logs import FieldMapping
from segue.logs.plan import ChunkSizes, Replay
from segue.logs.replaying import start_replay
from segue.report.export import FORMATS as EXPORT_FORMATS
from segue.report.renderers import FORMATS
from segue.testing import story

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MANY, PIECES = 100_000, 10
WITNESS = [
    json.dumps({"received_at": "2026-03-02T09:00:00Z", "body": body}).encode()
    for body in story("NA entry by a-1", "WARM exit by a-9", conversation_id="c-witness")
]
EXPECTED = [("SG201", 1), ("SG107", None), ("SG108", None)]
MORE = {
    "diff": ("{}.other", "--key", "bot"),  # an odd line may decide it otherwise
    "export": ("--to", "xes"),
    "repair": ("--write", "{}.fixed"),
    "show": ("c-witness",),
}
"""What a command needs besides a log."""
COMMANDS = {
    **{name: (name, "{}", *MORE.get(name, ())) for name in LOG_READERS},
    **{f"check as {name}": ("check", "{}", "--format", name) for name in FORMATS},
    **{f"export to {name}": ("export", "{}", "--to", name) for name in EXPORT_FORMATS},
    "html with texts": ("check", "{}", "--format", "html", "--include-text"),
    "sorted": ("check", "{}", "--sort", "received_at"),
    "sorted on disk": ("check", "{}", "--sort", "received_at", "--sort-memory", "100MB"),
    "mapped": ("check", "{}", "--body-at", "/body"),
    "the other diff": ("diff", "{}.other", "{}", "--key", "bot"),
}


def with_witness(odd: bytes, at: int) -> list[bytes]:
    return [*WITNESS[:at], odd, *WITNESS[at:]]


def of_witness(reports: Iterable[Report]) -> list[tuple[str, int | None]]:
    """Return what is found in the conversation that every log here has."""
    [report] = [report for report in reports if report.conversation_id == "c-witness"]
    return [(finding.code, finding.place.event) for finding in report.findings]


def readings(lines: list[bytes]) -> Iterator[Iterable[Report]]:
    yield segue.replay(lines)
    yield segue.replay(lines, sort="received_at")
    yield segue.replay(lines, field_mapping=FieldMapping(body_at="/body"))


def run(*arguments: str) -> tuple[int, str]:
    """Run a command; return its exit code and its errors."""
    errors, output = io.StringIO(), io.TextIOWrapper(io.BytesIO())  # convert writes bytes to it
    with redirect_stdout(output), redirect_stderr(errors), pytest.raises(SystemExit) as done:
        run_command(arguments)
    return int(str(done.value.code)), errors.getvalue()


def no_command_ends_at(folder: Path, command: str, odd: bytes, at: int) -> None:
    log = folder / "log.jsonl"
    log.write_bytes(b"\n".join(with_witness(odd, at)))
    log.with_name("log.jsonl.other").write_bytes(b"\n".join(WITNESS))

    code, errors = run(*(argument.format(log) for argument in COMMANDS[command]))

    assert code in (0, 1), errors


@settings(max_examples=4 * settings().max_examples)
@given(odd_log_lines, st.integers(0, 2))
def test_whatever_a_line_is_the_others_are_read(odd: bytes, at: int) -> None:
    for reports in readings(with_witness(odd, at)):
        assert of_witness(reports) == EXPECTED


@pytest.mark.thorough
@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_ends_at_a_seed(tmp_path: Path, command: str, name: str) -> None:
    no_command_ends_at(tmp_path, command, SEEDS[name], 0)


@pytest.mark.thorough
@settings(max_examples=200)
@given(odd_log_lines, st.sampled_from(sorted(COMMANDS)), st.integers(0, 2))
def test_no_command_ends_at_an_odd_line(
    tmp_path_factory: pytest.TempPathFactory, odd: bytes, command: str, at: int
) -> None:
    no_command_ends_at(tmp_path_factory.getbasetemp(), command, odd, at)


def packed(folder: Path, data: bytes) -> Iterator[Path]:
    for name, pack in (("plain", bytes), ("gz", gzip.compress), ("zst", zstd.compress)):
        log = folder / name
        log.write_bytes(pack(data))
        yield log


def test_packed_seeds_are_read_by_one_process_and_by_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"\n".join([WITNESS[0], *SEEDS.values(), WITNESS[1]])
    logs: list[Any] = [*packed(tmp_path, data), "-"]
    for log in logs:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert of_witness(segue.replay(log)) == EXPECTED
        many = Replay(logs=(log,), jobs=2, chunk_sizes=ChunkSizes(1, 4_000))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert of_witness(start_replay(many).reports()) == EXPECTED


@pytest.mark.slow
@pytest.mark.skipif("SEGUE_LONG" not in os.environ, reason="takes minutes; set SEGUE_LONG=1")
@pytest.mark.parametrize("piece", range(PIECES))
def test_a_hundred_thousand_odd_lines_end_nothing(piece: int) -> None:
    random = Random(int(os.environ.get("SEGUE_SEED", "0")) * PIECES + piece)
    for _ in range(MANY // PIECES):
        for reports in readings(with_witness(odd_log_line(random), random.randrange(3))):
            assert of_witness(reports) == EXPECTED
