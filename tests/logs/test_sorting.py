"""Sorter by time, in memory and on disk: the same lines in the same order."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.logs.story import body, enveloped, jsonl, told

from segue.core.conversation import Report
from segue.errors import ConfigurationError, UnreadableLog
from segue.logs import replay
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.logs.sorting import (
    Sorter,
    TimedLine,
    pick_sorter,
    sort_in_memory,
    sorter_in_memory,
    sorter_on_disk,
)
from segue.logs.sources import lines_of
from segue.testing import event_logs

ORDERS = [
    pytest.param(sort_in_memory, id="in memory"),
    pytest.param(sorter_on_disk("256MB"), id="on disk"),
]
INSTANTS = st.sampled_from([-(2**63), -1, 0, 1, 2**62])
IDENTITIES = st.none() | st.text() | st.sampled_from(["", "\0"])


def numbered(rows: list[tuple[int, int, str | None, bytes]]) -> list[TimedLine]:
    """Rows as they come: logs one after the other, the lines of each numbered."""
    ordered = sorted(rows, key=lambda row: row[1])
    return [
        (instant, log, number, identity, line)
        for number, (instant, log, identity, line) in enumerate(ordered)
    ]


@given(st.lists(st.tuples(INSTANTS, st.integers(0, 2), IDENTITIES, st.binary())).map(numbered))
def test_both_orders_are_the_same(rows: list[TimedLine]) -> None:
    assert list(sorter_on_disk("256MB")(rows)) == list(sort_in_memory(rows))


@pytest.mark.parametrize("order", ORDERS)
def test_many_lines_of_one_time_keep_their_order(order: Sorter) -> None:
    chance = Random(1)
    rows: list[TimedLine] = [
        (chance.randrange(3), 0, number, f"c-{number}", b"%d" % number) for number in range(9_000)
    ]
    given = list(order(iter(rows)))
    assert given != rows
    assert [row[:3] for row in given] == sorted(row[:3] for row in rows)
    assert all(row == rows[row[2]] for row in given)


@pytest.mark.parametrize(
    "order", [sorter_in_memory("newest_first"), sorter_on_disk("256MB", "newest_first")]
)
def test_the_last_of_lines_of_one_time_is_the_first(order: Sorter) -> None:
    rows: list[TimedLine] = [
        (5, 0, 1, None, b"a"),
        (3, 0, 2, None, b"b"),
        (3, 0, 3, None, b"c"),
        (3, 1, 1, None, b"d"),
    ]

    assert [row[4] for row in order(rows)] == [b"c", b"b", b"d", b"a"]


@pytest.mark.parametrize("order", ORDERS)
def test_of_nothing_comes_nothing(order: Sorter) -> None:
    assert list(order([])) == []


@pytest.mark.thorough
@given(event_logs(), st.randoms(use_true_random=False))
def test_a_shuffled_log_gives_the_same_reports_either_way(log: list[Any], chance: Random) -> None:
    lines = jsonl(log).splitlines()
    chance.shuffle(lines)

    def reports(order: Sorter) -> list[dict[str, Any]]:
        replayer = Replayer(ReplayOptions())
        half = len(lines) // 2
        logs = [("one", lines[:half]), ("two", lines[half:])]
        return list(map(full, [*replayer.feed_sorted(logs, order), *replayer.close()]))

    assert reports(sorter_on_disk("256MB")) == reports(sort_in_memory)


def full(report: Report) -> dict[str, Any]:
    """A report with the names of its logs, which are not in its JSON."""
    return report.to_dict() | {"sources": [finding.place.source for finding in report.findings]}


def test_a_file_waits_on_disk_and_leaves_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    path = tmp_path / "log"
    path.write_bytes(jsonl(body("END", conversation=f"c-{n}") for n in range(5_000)))

    reports = replay(path, sort="received_at")
    next(reports)
    assert [each.name[:6] for each in folder.iterdir()] == ["segue-"]
    reports.close()  # type: ignore[attr-defined]
    assert list(folder.iterdir()) == []


def test_without_the_extra_lines_are_sorted_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pick_sorter() is not sort_in_memory
    monkeypatch.setattr("segue.logs.duckdb_connection.find_spec", lambda _: None)
    assert pick_sorter() is sort_in_memory


def test_memory_can_only_be_limited_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ConfigurationError, match=r'needs an extra: .* "segue\[duckdb\]"'):
        replay(tmp_path / "log", sort="received_at", sort_memory="500MB")


@pytest.mark.parametrize("memory", ["much", "-1GB", "", "1", "80%"])
def test_what_is_no_size_of_memory_is_said_at_once(tmp_path: Path, memory: str) -> None:
    with pytest.raises(ConfigurationError, match="the memory for sorting must be a size"):
        replay(tmp_path / "log", sort="received_at", sort_memory=memory)


def test_too_little_memory_says_what_to_do() -> None:
    rows = ((number, 0, number, None, b"x" * 1000) for number in range(20_000))
    with pytest.raises(
        ConfigurationError, match=r"cannot be sorted with 1MB of memory .* allow more"
    ):
        list(sorter_on_disk("1MB")(rows))


def test_a_log_that_breaks_off_is_still_that(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield from jsonl([body("NA entry a-1")]).splitlines()
        yield from lines_of(tmp_path / "missing")

    feed = Replayer(ReplayOptions()).feed_sorted([("one", broken())], sorter_on_disk("256MB"))
    with pytest.raises(UnreadableLog, match="missing"):
        list(feed)


_PEAK = """
import resource, sys
from segue import replay

count = sum(1 for _ in replay(sys.argv[1], sort="received_at", sort_memory="400MB"))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.slow
def test_a_log_larger_than_its_memory_is_sorted(tmp_path: Path) -> None:
    """A gigabyte, backwards, in less than that."""
    path, padding = tmp_path / "log", "x" * 1800
    with path.open("wb") as out:
        for number in reversed(range(500_000)):
            at = datetime.fromtimestamp(1_772_000_000 + number, UTC).isoformat()
            text = "NA entry a-1" if number % 2 == 0 else "END"
            line = enveloped(text, conversation=f"c-{number // 2}", received_at=at, x=padding)
            out.write(json.dumps(line).encode() + b"\n")
    size = path.stat().st_size // 1024**2
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path)], capture_output=True, check=False
    )
    reports, peak = map(int, done.stdout.split())
    assert size > 1000
    assert reports == 250_000
    assert peak < size * 3 // 4


def test_lines_given_one_by_one_may_be_anything() -> None:
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    log = [
        enveloped("END", received_at=at.replace(hour=10)),
        enveloped("NA entry a-1", received_at=at),
    ]
    (report,) = replay(log, sort="received_at")
    assert told(report) == ["SG107 event 1"]


def test_lines_outside_the_window_name_no_log(tmp_path: Path) -> None:
    """The entry is in the log of the evening. The message of the morning is before `since`."""
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    morning, evening = tmp_path / "morning.jsonl", tmp_path / "evening.jsonl"
    evening.write_bytes(jsonl([enveloped("NA entry a-1", received_at=at.isoformat())]))
    before = at.replace(hour=8).isoformat()
    morning.write_bytes(jsonl([enveloped("user message", received_at=before)]))

    (report,) = replay([evening, morning], sort="received_at", since=at)

    assert [each.code for each in report.findings] == ["SG107", "SG108"]
    assert {each.place.source for each in report.findings} == {str(evening)}
