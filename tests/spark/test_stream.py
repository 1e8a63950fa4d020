"""The check as a stream on Spark, killed and started again, gives what one process gives."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.logs.story import CLEAN, enveloped, jsonl, lines, mixed
from tests.logs.test_keying import STORY, of
from tests.scale.digest import digest
from tests.spark.conftest import QUICK, counting
from tests.spark.test_batch import spread

from segue.errors import ConfigurationError
from segue.logs import replay

FOLLOW = Path(__file__).parents[2] / "samples" / "spark" / "follow.py"
PATIENCE = 300.0
Follow = Callable[..., list[dict[str, Any]]]


def in_turn(folder: Path) -> list[Path]:
    """Give files the times at which they would have been written."""
    files = sorted(folder.iterdir())
    for number, file in enumerate(files):
        os.utime(file, (1_772_000_000 + number, 1_772_000_000 + number))
    return files


def reports_in(rows: Any) -> list[dict[str, Any]]:
    return [json.loads(row.report) for row in rows.select("report").collect()]


@pytest.fixture
def follow(spark: Any, tmp_path: Path) -> Follow:
    """Follows a folder until all is read, some files a batch; gives the reports that came."""
    from segue.spark import follow, lines_in  # noqa: PLC0415 - an extra

    def reports(folder: Path, files: int, checkpoint: str = "kept", **options: Any) -> Any:
        stream = lines_in(spark.readStream.option("maxFilesPerTrigger", files), str(folder))
        out = tmp_path / f"{checkpoint}-reports"
        query = (
            follow(stream, **options)
            .writeStream.format("parquet")
            .option("path", str(out))
            .option("checkpointLocation", str(tmp_path / checkpoint))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination(PATIENCE)
        return reports_in(spark.read.schema("report string").parquet(str(out)))

    return reports


@pytest.fixture
def rest(spark: Any, tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """What the end of the log brings."""
    from segue.spark import unfinished  # noqa: PLC0415 - an extra

    return lambda checkpoint="kept", **options: reports_in(
        unfinished(spark, tmp_path / checkpoint, **options)
    )


def written(folder: Path, *logs: Iterable[Any]) -> Path:
    folder.mkdir()
    for number, log in enumerate(logs):
        (folder / f"{number}.jsonl").write_bytes(jsonl(log))
    in_turn(folder)
    return folder


def test_batches_that_are_killed_and_started_again_come_to_the_same(
    spark: Any, corpus: list[str], right_by_bot: str, tmp_path: Path, rest: Follow
) -> None:
    folder, checkpoint, out = tmp_path / "logs", tmp_path / "kept", tmp_path / "reports"
    folder.mkdir()
    spread(corpus, folder, files=6)
    in_turn(folder)
    command = [sys.executable, str(FOLLOW), str(out), str(checkpoint), str(folder)]
    command += ["--once", "--files", "1"]
    for planned in (2, 4):
        # That batch is planned, and whatever of it is done has to be done again.
        kill_when(checkpoint / "offsets" / str(planned), command)
        assert not (checkpoint / "commits" / "5").exists()
    subprocess.run(command, env=environment(), check=True, capture_output=True)

    assert (checkpoint / "commits" / "5").exists()
    assert digest(counting([*reports_in(spark.read.parquet(str(out))), *rest()])) == right_by_bot


def environment() -> dict[str, str]:
    return os.environ | {
        "PYSPARK_PYTHON": sys.executable,
        "JDK_JAVA_OPTIONS": QUICK,
        "PYSPARK_SUBMIT_ARGS": "--conf spark.sql.shuffle.partitions=2 pyspark-shell",
    }


def kill_when(there: Path, command: list[str]) -> None:
    """Kill all processes of a command as soon as a file is there."""
    process = subprocess.Popen(
        command,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE
    try:
        while not there.exists():
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_stream_that_forgets_is_in_the_digest(
    corpus: list[str], right_by_bot: str, tmp_path: Path, follow: Follow, rest: Follow
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    spread(corpus, folder, files=2)
    in_turn(folder)
    whole = [*follow(folder, 2, "whole"), *rest("whole")]
    halves: list[dict[str, Any]] = []
    for file in in_turn(folder):
        half = tmp_path / f"half-{file.name}"
        half.mkdir()
        file.rename(half / "log")
        halves += [*follow(half, 1, file.name), *rest(file.name)]

    assert digest(counting(whole)) == right_by_bot
    assert digest(counting(halves)) != right_by_bot


def test_what_is_late_is_told_in_its_batch(tmp_path: Path, follow: Follow, rest: Follow) -> None:
    end = enveloped("END", delivery_id="d-9")
    logs = [[*lines(*CLEAN[:3]), end], [end, *lines("END", "user message")], lines("user message")]
    folder = written(tmp_path / "logs", *logs)
    came = sorted(follow(folder, 1), key=lambda report: report["events"])
    told = [(report["events"], report["late"], report["replaces"]) for report in came]
    assert told == [(4, False, False), (6, True, True), (7, True, True)]
    assert rest() == []
    expected = counting(replay(chain.from_iterable(logs), key="bot"))
    assert digest(counting(came)) == digest(expected)


def test_a_stream_distinguishes_by_id_alone_if_told_so(
    tmp_path: Path, follow: Follow, rest: Follow
) -> None:
    log = list(mixed(of("b-1", *STORY), of("b-2", *STORY)))[:-1]
    folder = written(tmp_path / "logs", log)
    found = [*follow(folder, 1, key="conversation"), *rest(key="conversation")]
    assert {report["keyed_by"] for report in found} == {"conversation"}
    assert digest(found) == digest(replay(log, key="conversation"))


def test_a_conversation_that_is_silent_too_long_is_reported_and_forgotten(
    spark: Any, tmp_path: Path
) -> None:
    from segue.spark import follow, lines_in  # noqa: PLC0415 - an extra

    late = [*lines(*CLEAN, "END", conversation="c-2")]
    folder = written(tmp_path / "logs", [*lines("NA entry a-1"), *late], [])
    stream = lines_in(spark.readStream, str(folder))
    query = (
        follow(stream, idle=timedelta(seconds=1))
        .writeStream.format("memory")
        .queryName("silent")
        .option("checkpointLocation", str(tmp_path / "kept"))
        .start()
    )
    deadline = time.monotonic() + PATIENCE
    try:
        while spark.table("silent").count() < 3:
            assert query.exception() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        (tmp_path / "more").write_bytes(jsonl(lines("END")))
        (tmp_path / "more").rename(folder / "more")
        while spark.table("silent").count() < 4:
            assert query.exception() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        query.stop()
    told = [
        (report["conversation_id"], report["late"], [f["code"] for f in report["findings"]])
        for report in reports_in(spark.table("silent"))
    ]
    assert sorted(told) == [
        ("c-1", False, ["SG107", "SG108"]),
        ("c-1", False, ["SG122"]),  # a new one: the first has been forgotten
        ("c-2", False, []),
        ("c-2", True, ["SG109"]),
    ]


def test_a_time_of_silence_is_longer_than_none(follow: Follow, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="`idle` must be positive"):
        follow(written(tmp_path / "logs", []), 1, idle=timedelta(0))


def test_nothing_of_a_stream_waits_for_others(
    follow: Follow, rest: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    with pytest.raises(
        ConfigurationError, match="race is not possible in a stream: leave it out, or"
    ):
        follow(written(tmp_path / "logs", []), 1, race=timedelta(seconds=30))
    with pytest.raises(
        ConfigurationError, match="race is not possible in a stream: leave it out, or"
    ):
        rest(race=timedelta(seconds=30))


def test_lines_of_a_queue_are_put_in_the_order_of_their_columns(
    spark: Any, tmp_path: Path, rest: Follow
) -> None:
    from segue.spark import follow  # noqa: PLC0415 - an extra

    folder = tmp_path / "queue"
    said = [json.dumps(line) for line in lines(*CLEAN)]
    rows = [(said[offset], offset) for offset in (2, 0, 3, 1)]
    spark.createDataFrame(rows, "line string, offset long").repartition(4).write.parquet(
        str(folder)
    )
    stream = spark.readStream.schema("line string, offset long").parquet(str(folder))
    query = (
        follow(stream)
        .writeStream.format("memory")
        .queryName("reports")
        .option("checkpointLocation", str(tmp_path / "kept"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(PATIENCE)
    (report,) = reports_in(spark.table("reports"))
    assert report["clean"]
    assert rest() == []
