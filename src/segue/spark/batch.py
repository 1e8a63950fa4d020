"""Batch checks of files, whose lines are first sorted by conversation.

The lines of one conversation keep the order of the given paths, then of the file names, then of the
lines in a file. A worker replays one conversation after the other, so it holds the state of only
one in memory.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import groupby
from operator import itemgetter
from os import PathLike, fspath
from typing import Any

from segue.core.conversation import Report
from segue.core.errors import ConfigurationError
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.replaying import start_replay
from segue.logs.sources import LogPath
from segue.spark.extra import DataFrame, SparkSession, functions
from segue.spark.keys import keyed, options_of, with_key
from segue.spark.lines import PLACE, lines_in
from segue.spark.reports import report_rows


def check(
    spark: SparkSession,
    paths: LogPath | Sequence[LogPath],
    *,
    partitions: int | None = None,
    **options: Any,
) -> DataFrame:
    """Return a data frame with a row for each report of `segue.replay` on these files.

    The files are read as one log. A path is a file, a folder or a pattern such as `logs/*.jsonl`.
    `options` are those of `segue.logs.ReplayOptions`: `policy`, `partial`, `field_mapping`,
    `conversations`, `since`, `until`, `time_zone`, `day_first`, `time_format`, `key` and `race`.
    A conversation never leaves the window, so every event after its END is explained with it.
    `partitions` is the number of tasks that replay conversations. By default Spark chooses it. The
    reports have no line numbers, and the order of the rows is undefined.

    Spark reads the files when rows are requested, and again each time, so write the rows to a table
    if you need them more than once. Without `key`, this function reads the files up to their first
    delivery, which decides.
    """
    logs = logs_of(spark, paths)
    choices = replace(with_key(options_of(options), logs), window=sys.maxsize)
    conversations = sorted_lines(logs, choices, partitions)
    return report_rows(conversations.select("key", "line"), partial(_reports, choices))


def logs_of(spark: SparkSession, paths: LogPath | Sequence[LogPath]) -> list[DataFrame]:
    """Return a data frame with the lines of each path. Raise `ConfigurationError` for no path."""
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not given:
        raise ConfigurationError("paths is empty: give at least one file, folder or pattern")
    return [lines_in(spark, fspath(path)) for path in given]


def sorted_lines(
    logs: Sequence[DataFrame], options: ReplayOptions, partitions: int | None
) -> DataFrame:
    """Return the lines of all logs as a data frame in which each conversation is contiguous.

    All lines of a conversation are in one partition, with the same value in the column `key`, in
    the order of the logs, files and lines.
    """
    numbered = (log.withColumn("path", functions.lit(number)) for number, log in enumerate(logs))
    lines = keyed(reduce(DataFrame.unionAll, numbered), options)
    by_key = ["key"] if partitions is None else [partitions, "key"]
    return lines.repartition(*by_key).sortWithinPartitions("key", "path", *PLACE, "row")


def _reports(options: ReplayOptions, lines: Iterator[tuple[bytes, bytes]]) -> Iterator[Report]:
    """Replay the conversations in one partition, and yield their reports.

    `lines` are sorted pairs `(key, line)`, in which the lines of a conversation have the same key.
    """
    for _, rows in groupby(lines, key=itemgetter(0)):
        plan = Replay(lines=map(itemgetter(1), rows), options=options, numbered=False)
        yield from start_replay(plan).reports()
