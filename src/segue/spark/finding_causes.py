"""The causes of the findings in some files: counted by the workers, searched for by the driver."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

from segue.analysis.causes import Counts, RootCauses, cause_notes, find_causes
from segue.core.conversation import Report
from segue.logs import LogPath, Replay, ReplayOptions, replayer_of
from segue.spark.batch import sorted_lines
from segue.spark.extra import SparkSession, pa
from segue.spark.keys import options_of
from segue.spark.reports import rows_of

_LOCAL = "file://"


def causes(
    spark: SparkSession,
    paths: LogPath | Sequence[LogPath],
    *,
    partitions: int | None = None,
    **options: Any,
) -> RootCauses:
    """Return which mistakes go together with which attribute, and since when.

    They are those of `segue.causes`, of the same files read as one log. The arguments are those of
    `check`; a file is named by its whole path, or by its address if it is not on this machine.

    The files are read at once. Each worker sends what it has counted, at most a million events of
    eight bytes and their attributes, and no text.
    """
    choices = options_of({**options, "note": cause_notes()})
    lines = sorted_lines(spark, paths, choices, partitions).select("key", "file", "line")
    counts = Counts()
    for row in lines.mapInArrow(partial(_counted, choices), "counts binary").collect():
        counts.merge(pickle.loads(row.counts))  # noqa: S301 - from a worker of this job
    return find_causes(counts, choices.time_zone)


def _counted(options: ReplayOptions, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the reports of a partition."""
    counts = Counts()
    for _, lines in groupby(rows_of(batches), key=itemgetter(0)):
        for report in _reports(options, lines):
            counts.add(report)
    yield pa.RecordBatch.from_pydict({"counts": pa.array([pickle.dumps(counts)], pa.binary())})


def _reports(options: ReplayOptions, lines: Iterable[tuple[bytes, str, bytes]]) -> Iterator[Report]:
    """Replay the lines of one conversation, which may be in several files."""
    replayer = replayer_of(Replay(lines=(), options=options))
    for file, some in groupby(lines, key=itemgetter(1)):
        replayer.change_source(_name_of(file))
        yield from replayer.feed_all(map(itemgetter(2), some), first=None)
    yield from replayer.close()


def _name_of(address: str) -> str:
    """Return the name that a file has where it is read without Spark."""
    return unquote(address.removeprefix(_LOCAL)) if address.startswith(_LOCAL) else address
