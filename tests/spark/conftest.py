"""One Spark for all tests of a process: starting it costs seconds."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.scale.corpus import write
from tests.scale.digest import digest
from tests.spark.missing import MISSING

from segue.core.conversation import Report
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.logs.sources import lines_of

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def configured(builder: Any, folder: Path) -> Any:
    """A builder of sessions for tests: small, silent, and leaving nothing behind."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if MISSING is not None:
        pytest.skip(MISSING)
    from pyspark import sql  # noqa: PLC0415 - of an extra

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("JDK_JAVA_OPTIONS", os.environ.get("JDK_JAVA_OPTIONS", QUICK))
        builder = sql.SparkSession.builder.master("local[2]")
        session = configured(builder, tmp_path_factory.mktemp("spark")).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of the equality corpus, in their order."""
    return [str(path) for path in write(tmp_path_factory.mktemp("corpus"))]


@pytest.fixture(scope="session")
def right(corpus: list[str]) -> str:
    """The digest of one process, in which the first delivery decides on the key."""
    return digest_of(corpus, ReplayOptions())


@pytest.fixture(scope="session")
def right_by_bot(corpus: list[str], right: str) -> str:
    """The digest of one process that distinguishes conversations by bot and id."""
    by_bot = digest_of(corpus, ReplayOptions(key="bot"), counting)
    assert by_bot != right, "the corpus has no id that two bots use"
    return by_bot


def counting(reports: Iterable[Report | Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the reports that count, whatever their order: a stream may replace a report often."""
    whole: dict[tuple[str, str | None], Mapping[str, Any]] = {}
    others: list[Mapping[str, Any]] = []
    for report in reports:
        value = report.to_dict() if isinstance(report, Report) else report
        if value["conversation_id"] is None or (value["late"] and not value["replaces"]):
            others.append(value)
            continue
        key = value["conversation_id"], value["bot_id"]
        whole[key] = max(whole.get(key, value), value, key=_extent)
    return [*others, *whole.values()]


def _extent(report: Mapping[str, Any]) -> tuple[int, int, bool]:
    return report["events"], report["transcription"]["actions"], report["late"]


def digest_of(
    paths: Iterable[str | Path],
    options: ReplayOptions,
    chosen: Callable[[list[Report]], Iterable[Report | Mapping[str, Any]]] = iter,
) -> str:
    """Return the digest of one process that reads these files as one log."""
    replayer = Replayer(options)
    reports = [report for path in paths for report in replayer.feed_all(lines_of(path))]
    return digest(chosen([*reports, *replayer.close()]))
