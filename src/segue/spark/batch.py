"""A batch: all lines of some files, sorted to their conversations, judged where they come to.

It decides the order of lines: paths as they were given, files of one path by name, lines as they
stand.  House rule: a worker sees one conversation after the other, each from its first line to its
last, and holds the state of one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import itemgetter
from os import PathLike, fspath
from typing import Any, Final

from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.logs import LogPath, Replayer, ReplayOptions
from segue.spark.extra import DataFrame, SparkSession, arrow, functions
from segue.spark.keys import keyed
from segue.spark.lines import PLACE, lines_in
from segue.spark.reports import SCHEMA, batches_of

__all__ = ["check"]

_AHEAD: Final = 64
_Batches = Iterable[arrow.RecordBatch]


def check(
    spark: SparkSession,
    paths: LogPath | Sequence[LogPath],
    *,
    partitions: int | None = None,
    **options: Any,  # noqa: ANN401 - of several types
) -> DataFrame:
    """Return a row for each report that `segue.replay` would give of these files, read as one log.

    A path is a file, a folder or a pattern. `options` are those of `segue.logs.ReplayOptions`:
    `policy`, `partial`, `field_mapping`, `conversations`, `since`, `until`, `time_zone`,
    `day_first`. A report is the same as anywhere else, but for the numbers of its
    lines: it has none. The rows are in no order. `partitions` is how many tasks judge; by default
    Spark decides.

    Nothing is read before rows are asked for, and everything each time they are: write them.
    """
    choices = ReplayOptions(**options)
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not given:
        msg = "there are no paths: name at least one file, folder or pattern"
        raise ConfigurationError(msg)
    logs = (
        lines_in(spark, fspath(path)).withColumn("path", functions.lit(number))
        for number, path in enumerate(given)
    )
    lines = keyed(reduce(DataFrame.unionAll, logs), choices)
    by_key = ["key"] if partitions is None else [partitions, "key"]
    conversations = lines.repartition(*by_key).sortWithinPartitions("key", "path", *PLACE, "row")
    return conversations.select("key", "line").mapInArrow(_judge(choices), SCHEMA)


def _judge(options: ReplayOptions) -> Callable[[_Batches], Iterator[arrow.RecordBatch]]:
    """Return what makes reports of a sorted partition, for `mapInArrow`."""
    return lambda batches: batches_of(_reports(options, batches))


def _reports(options: ReplayOptions, batches: _Batches) -> Iterator[Report]:
    for _, rows in groupby(_rows(batches), key=itemgetter(0)):
        replayer = Replayer(options)
        yield from replayer.feed_all(map(itemgetter(1), rows), _AHEAD, first=None)
        yield from replayer.close()


def _rows(batches: _Batches) -> Iterator[tuple[bytes, bytes]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
