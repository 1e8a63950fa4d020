"""Causes on Spark are those of one process and of several."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.analysis.causes.test_causes import conversation, late_end_lines

import segue
from segue.analysis.causes import Counts, cause_notes, find_causes
from segue.errors import ConfigurationError
from segue.logs.plan import ChunkSizes, Detail, Replay, ReplayOptions
from segue.logs.replaying import start_replay


def by_several(paths: list[Path]) -> segue.analysis.RootCauses:
    plan = Replay(
        logs=tuple(paths),
        options=ReplayOptions(note=cause_notes(), settled=True),
        detail=Detail(history=False),
        jobs=2,
        chunk_sizes=ChunkSizes(1_000, 60_000),
    )
    counts = Counts()
    for report in start_replay(plan).reports():
        counts.add(report)
    return find_causes(counts)


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Two files: a bot goes wrong in the second, an agent in both; conversations cross."""
    lines = list(_lines())
    paths = [tmp_path / "first day.jsonl", tmp_path / "second.jsonl"]
    paths[0].write_text("\n".join(lines[:901]) + "\n")
    paths[1].write_text("\n".join(lines[901:]) + "\n")
    return paths


def _lines() -> Iterator[str]:
    for number in range(600):
        is_second = number >= 300
        yield from conversation(
            number,
            f"st-{number % 2}",
            f"a-{number % 7}",
            is_wrong=(is_second and number % 2 == 1) or number % 7 == 3,
        )
    yield from (line.replace('"c-', '"l-') for line in late_end_lines())


def test_one_process_several_and_spark_say_the_same(spark: Any, logs: list[Path]) -> None:
    from segue.spark import causes  # noqa: PLC0415 - an extra

    alone = segue.causes(logs)

    assert len(alone.causes) > 1
    assert by_several(logs) == alone
    for partitions in (1, 5):
        on_spark = causes(spark, logs, partitions=partitions)
        assert on_spark.sentences() == alone.sentences()
        assert on_spark == alone


def test_a_file_that_is_a_cause_is_named_by_its_path(spark: Any, tmp_path: Path) -> None:
    from segue.spark import causes  # noqa: PLC0415 - an extra

    logs = [tmp_path / "first day.jsonl", tmp_path / "zweiter Täg.jsonl"]
    for is_second, path in enumerate(logs):
        said = (conversation(n + 300 * is_second, is_wrong=bool(is_second)) for n in range(300))
        path.write_text("".join(f"{line}\n" for lines in said for line in lines), "utf-8")

    [cause] = causes(spark, tmp_path).causes
    assert cause.where == (("file", str(logs[1])),)


def test_options_are_those_of_a_check(spark: Any, logs: list[Path]) -> None:
    from segue.spark import causes  # noqa: PLC0415 - an extra

    policy = segue.Policy(ignore=("SG203",))

    assert causes(spark, logs[0], policy=policy) == segue.causes(logs[0], policy=policy)
    with pytest.raises(ConfigurationError, match="paths is empty"):
        causes(spark, [])


def test_what_overtook_another_waits_as_it_does_in_a_check(spark: Any, tmp_path: Path) -> None:
    """Of every second conversation the exit stands before the entry."""
    from segue.spark import causes  # noqa: PLC0415 - an extra

    log, race = tmp_path / "log.jsonl", timedelta(seconds=30)
    with log.open("w") as file:
        for number in range(600):
            enters, leaves, ends = conversation(number, f"st-{number % 2}")
            some = (leaves, enters, ends) if number % 2 else (enters, leaves, ends)
            file.writelines(f"{line}\n" for line in some)

    assert causes(spark, log).causes
    assert causes(spark, log, race=race).causes == ()
    assert causes(spark, log, race=race) == segue.causes(log, race=race)
