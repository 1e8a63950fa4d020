"""The corpus has what it must have, and the digest fails on what must not happen to it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from tests.scale.corpus import LATE, TIE, write, write_hot, write_overlong
from tests.scale.digest import digest

from segue import replay
from segue.core.conversation import Report
from segue.core.findings import RULES
from segue.logs.sources import lines_of

pytestmark = pytest.mark.thorough

NAMES = ["1-morning.jsonl", "2-noon.jsonl", "3-evening.jsonl", "4-night.jsonl"]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    paths = write(tmp_path_factory.mktemp("corpus"))
    assert [path.name for path in paths] == NAMES
    return [line for path in paths for line in lines_of(path)]


@pytest.fixture(scope="module")
def right(lines: list[bytes]) -> str:
    return digest(replay(lines))


def without(reports: Iterator[Report], lost: str) -> Iterator[Report]:
    return (report for report in reports if report.conversation_id != lost)


def test_the_corpus_offends_every_rule_and_has_every_kind_of_report(lines: list[bytes]) -> None:
    reports = list(replay(lines))
    codes = {finding.code for report in reports for finding in report.findings}

    assert codes == {rule.code for rule in RULES}
    assert sum(report.late for report in reports) > 20
    assert sum(report.conversation_id is None for report in reports) > 20
    assert sum(report.clean for report in reports) > 50
    assert sum(report.phase.value != "ended" for report in reports) > 20


def test_conversations_of_the_corpus_cross_from_file_to_file(tmp_path: Path) -> None:
    paths = write(tmp_path)
    alone = [report for path in paths for report in replay(path)]

    assert digest(alone) != digest(replay(chain.from_iterable(map(lines_of, paths))))
    assert paths[-1].read_bytes() == b""
    assert not paths[1].read_bytes().endswith(b"\n")


def test_the_corpus_is_the_same_every_time(tmp_path: Path, lines: list[bytes]) -> None:
    assert [line for path in write(tmp_path) for line in lines_of(path)] == lines


def test_the_corpus_has_every_end_of_a_line(lines: list[bytes]) -> None:
    for what in (b"\n", b"\r\n", b"  \t\n", b"\r\r\n"):
        assert what in lines
    assert any(b'":\r"' in line for line in lines)
    assert any(line.startswith(b"{") and line.endswith(b"}\r\n") for line in lines)


def test_neither_order_nor_lines_nor_names_are_in_the_digest(
    tmp_path: Path, lines: list[bytes], right: str
) -> None:
    path = tmp_path / "all.jsonl.gz"
    ended = (line if line.endswith(b"\n") else line + b"\n" for line in lines)
    path.write_bytes(gzip.compress(b"".join(ended), 1))

    assert digest(reversed(list(replay(path)))) == right
    assert digest(replay([b"\n", *lines])) == right
    assert digest([report.to_dict() for report in replay(lines)]) == right


def test_a_lost_conversation_is_in_the_digest(lines: list[bytes], right: str) -> None:
    for report in (*replay(lines),)[::40]:
        if report.conversation_id is not None:
            assert digest(without(replay(lines), report.conversation_id)) != right


def test_a_conversation_reported_in_two_halves_is_in_the_digest(
    lines: list[bytes], right: str
) -> None:
    half = len(lines) // 2
    assert digest([*replay(lines[:half]), *replay(lines[half:])]) != right


def test_a_swapped_tie_is_in_the_digest(lines: list[bytes], right: str) -> None:
    first, second, *_ = [
        index for index, line in enumerate(lines) if f'"{TIE}"'.encode() in line and b"COLD" in line
    ]
    swapped = list(lines)
    swapped[first], swapped[second] = lines[second], lines[first]
    assert digest(replay(swapped)) != right


def test_a_dropped_late_report_is_in_the_digest(lines: list[bytes], right: str) -> None:
    reports = list(replay(lines))
    [late] = [each for each in reports if each.late and each.conversation_id == LATE]
    assert digest([report for report in reports if report is not late]) != right


def test_a_report_that_comes_twice_is_in_the_digest(lines: list[bytes], right: str) -> None:
    reports = list(replay(lines))
    assert digest([*reports, reports[0]]) != right


def test_a_line_split_at_its_carriage_return_is_in_the_digest(
    lines: list[bytes], right: str
) -> None:
    assert digest(replay(b"".join(lines).splitlines())) != right


def test_lines_in_the_order_of_their_times_are_in_the_digest(
    lines: list[bytes], right: str
) -> None:
    assert digest(replay(lines, sort="received_at")) != right


def test_a_line_that_is_too_long_is_one_finding(tmp_path: Path) -> None:
    stray, whole = replay(write_overlong(tmp_path / "log.jsonl"))

    assert [finding.code for finding in stray.findings] == ["SG501"]
    assert (whole.clean, whole.events) == (True, 4)


def test_the_endless_conversation_ends(tmp_path: Path) -> None:
    reports = {report.conversation_id: report for report in replay(write_hot(tmp_path / "l", 4000))}

    assert len(reports) == 41
    assert reports["hot"].events == 4004
    assert reports["hot"].phase.value == "ended"
