"""The check as a batch on Spark gives what one process gives."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.logs.story import CLEAN, body, jsonl, lines, mixed
from tests.logs.test_keying import STORY, of
from tests.scale.corpus import write_hot, write_overlong
from tests.scale.digest import digest
from tests.spark.conftest import counting, digest_of
from tests.spark.missing import MISSING

from segue.core.findings import Policy
from segue.errors import ConfigurationError
from segue.logs import FieldMapping, replay
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.sources import lines_of

Check = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def check(spark: Any) -> Check:
    """Checks on Spark; gives the reports."""
    from segue.spark import check  # noqa: PLC0415 - an extra

    def reports(paths: Any, **options: Any) -> list[dict[str, Any]]:
        return [json.loads(row.report) for row in check(spark, paths, **options).collect()]

    return reports


@pytest.fixture
def at_once(spark: Any) -> Iterator[Callable[[int], None]]:
    """Says how many rows a worker is given at once."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    yield lambda count: spark.conf.set(name, count)
    spark.conf.unset(name)


@pytest.fixture
def in_blocks(spark: Any) -> Iterator[Callable[[int], None]]:
    """Says how many bytes of a file are read as one partition."""
    name = "spark.sql.files.maxPartitionBytes"
    yield lambda size: spark.conf.set(name, size)
    spark.conf.unset(name)


@pytest.mark.parametrize("batch", [1, 100, 10_000])
def test_every_number_of_partitions_and_every_size_of_batches_comes_to_the_same(
    check: Check, at_once: Callable[[int], None], corpus: list[str], right: str, batch: int
) -> None:
    at_once(batch)
    for partitions in (1, 3, 7):
        assert digest(check(corpus, partitions=partitions)) == right


def test_the_number_of_partitions_may_be_left_to_spark(
    check: Check, corpus: list[str], right: str
) -> None:
    assert digest(check(corpus)) == right


# The key.


def test_the_key_may_be_given(
    check: Check, corpus: list[str], right: str, right_by_bot: str
) -> None:
    assert digest(check(corpus, key="conversation")) == right
    assert digest(counting(check(corpus, key="bot"))) == right_by_bot


@pytest.mark.parametrize("first", ["bot", "conversation"])
def test_the_first_delivery_decides_on_the_key(
    check: Check, in_blocks: Callable[[int], None], tmp_path: Path, first: str
) -> None:
    in_blocks(500)
    named = list(mixed(of("b-1", *STORY), of("b-2", *STORY)))
    bare = [line["body"] for line in named]
    logs = [["{", 5], named, bare] if first == "bot" else [["{", 5], bare, named]
    paths = [tmp_path / name for name in ("1 ü%20.jsonl", "2 + 2", "3")]
    for path, log in zip(paths, logs, strict=True):
        path.write_bytes(jsonl(log))

    for given in (tmp_path, paths):
        found = check(given, partitions=2)
        assert {report["keyed_by"] for report in found if report["conversation_id"]} == {first}
        assert digest(found) == digest_of(paths, ReplayOptions())


# What must be seen: faults, planted.


def test_files_in_another_order_are_in_the_digest(
    check: Check, corpus: list[str], right: str
) -> None:
    assert digest(check(corpus[::-1])) != right


def test_a_file_that_is_lost_is_in_the_digest(check: Check, corpus: list[str], right: str) -> None:
    assert digest(check(corpus[1:])) != right


def test_lines_split_at_a_carriage_return_are_in_the_digest(
    check: Check, corpus: list[str], right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from segue.spark.lines import lines_in  # noqa: PLC0415 - an extra

    class Reader:
        """Reads text as Spark does when nobody says where lines end."""

        def __init__(self, session: Any) -> None:
            self._session = session

        def text(self, path: str, **_: str) -> Any:
            return self._session.read.text(path)

    monkeypatch.setattr(
        "segue.spark.batch.lines_in",
        lambda session, path: lines_in(Reader(session), path),
    )
    assert digest(check(corpus)) != right


def test_lines_of_several_files_in_the_order_of_their_numbers_are_in_the_digest(
    check: Check, corpus: list[str], right: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = spread(corpus, tmp_path)
    monkeypatch.setattr("segue.spark.batch.PLACE", ())
    assert digest(check(folder)) != right


# Files.


def spread(corpus: list[str], folder: Path, files: int = 12) -> str:
    """Write all lines into some files: mixed anew, each conversation in its order."""
    reader, chance = LineReader(ReplayOptions()), Random(11)
    logs: dict[str | None, list[bytes]] = defaultdict(list)
    for path in corpus:
        for line in lines_of(path):
            delivery = reader.read(line, None)
            identity = None if delivery is None else delivery.conversation_id
            logs[identity].append(line.removesuffix(b"\n") + b"\n")
    turns = [identity for identity, log in logs.items() for _ in log]
    chance.shuffle(turns)
    mixed = [logs[identity].pop(0) for identity in turns]
    cuts = [0, *sorted(chance.sample(range(len(mixed)), files - 1)), len(mixed)]
    for number, (start, end) in enumerate(pairwise(cuts)):
        (folder / f"part-{number:02}").write_bytes(b"".join(mixed[start:end]))
    return str(folder)


def test_a_folder_of_files_mixed_anew_comes_to_the_same(
    check: Check, corpus: list[str], right: str, tmp_path: Path
) -> None:
    folder = spread(corpus, tmp_path)
    assert digest(check(folder, partitions=3)) == right
    assert digest(check(f"{folder}/part-*")) == right


def test_files_cut_into_blocks_come_to_the_same(
    check: Check, in_blocks: Callable[[int], None], corpus: list[str], right: str
) -> None:
    in_blocks(20_000)
    assert digest(check(corpus, partitions=3)) == right


def test_packed_files_and_names_with_spaces_are_read(check: Check, tmp_path: Path) -> None:
    first, second = lines(*CLEAN)[:2], lines(*CLEAN)[2:]
    (tmp_path / "a log.gz").write_bytes(gzip.compress(jsonl(first)))
    (tmp_path / "b ü.jsonl").write_bytes(b"\xef\xbb\xbf" + jsonl(second))
    (report,) = check([tmp_path / "a log.gz", str(tmp_path / "b ü.jsonl")])
    assert report["clean"]


def test_a_line_that_is_too_long_is_a_finding_here_too(check: Check, tmp_path: Path) -> None:
    path = write_overlong(tmp_path / "log")
    assert digest(check(path)) == digest(replay(path))


def test_nothing_gives_nothing_and_no_path_is_a_mistake(check: Check, tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    assert check(tmp_path) == []
    with pytest.raises(ConfigurationError, match="paths is empty"):
        check([])


# ReplayOptions, and what comes out.


def test_options_are_those_of_a_log(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = [
        {"at": "2026-03-02T08:00:00", "said": body("NA entry a-1", conversation=name)}
        for name in ("c-1", "c-2", "c-3")
    ]
    path.write_bytes(jsonl([*log, {"at": "2026-03-02T10:00:00", "said": body("END")}]))
    options: dict[str, Any] = {
        "field_mapping": FieldMapping(body_at="/said", time_at="/at"),
        "policy": Policy(severity={"SG108": "note"}, ignore=("SG107",)),
        "conversations": ("c-1", "c-2"),
        "until": datetime(2026, 3, 2, 9, tzinfo=UTC),
    }
    found = check(path, **options)
    assert len(found) == 2
    assert digest(found) == digest(replay(path, **options))
    assert {f["severity"] for report in found for f in report["findings"]} == {"note"}
    with pytest.raises(ConfigurationError, match="`partial` must be"):
        check(path, partial="middle")


def test_columns_beside_the_report_are_for_counting(spark: Any, tmp_path: Path) -> None:
    from segue.spark import check  # noqa: PLC0415 - an extra

    path = tmp_path / "log"
    log = [*lines(*CLEAN), *lines("END"), body("END", conversation="c-ü"), 5]
    path.write_bytes(jsonl(log))
    rows = check(spark, str(path)).orderBy("conversation_id", "late").collect()

    assert [(row.conversation_id, row.late, row.valid, row.codes) for row in rows] == [
        (None, False, False, ["SG501"]),
        ("c-1", False, True, []),
        ("c-1", True, False, ["SG109"]),
        ("c-ü", False, True, ["SG122"]),
    ]
    assert json.loads(rows[1].report) == next(replay(path)).to_dict()


# What lasts.


@pytest.mark.thorough
@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_an_executor_that_is_killed_takes_nothing_with_it(corpus: list[str], right: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.killed", *corpus],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == [right, "killed while tasks were running"]


@pytest.mark.slow
def test_an_endless_conversation_is_streamed_through_a_worker(check: Check, tmp_path: Path) -> None:
    path = write_hot(tmp_path / "log")
    assert digest(check(path, partitions=2)) == digest(replay(path))
