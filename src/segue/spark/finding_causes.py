"""A search for the causes of findings: the workers count, and the driver compares the counts."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

from segue.analysis.causes import Counts, RootCauses, cause_notes, find_causes
from segue.core.conversation import Report
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.replay_run import replayer_of
from segue.logs.sources import LogPath
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
    """Return the causes that `segue.causes` finds in these files, read as one log.

    The arguments are those of `check`. If a cause is a file, it is named by its full path, or by
    its address if it is not on this machine, such as `s3://logs/today.jsonl`.

    The files are read before the function returns. Each worker sends its counts to the driver: at
    most a million events of eight bytes and their attributes, but no text.
    """
    choices = options_of({**options, "note": cause_notes()})
    lines = sorted_lines(spark, paths, choices, partitions).select("key", "file", "line")
    counts = Counts()
    for row in lines.mapInArrow(partial(_counted, choices), "counts binary").collect():
        counts.merge(pickle.loads(row.counts))  # noqa: S301 - from a worker of this job
    return find_causes(counts, choices.time_zone)


def _counted(options: ReplayOptions, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield one record batch, whose only value is the pickled `Counts` of a partition."""
    counts = Counts()
    for _, lines in groupby(rows_of(batches), key=itemgetter(0)):
        for report in _reports(options, lines):
            counts.add(report)
    yield pa.RecordBatch.from_pydict({"counts": pa.array([pickle.dumps(counts)], pa.binary())})


def _reports(options: ReplayOptions, lines: Iterable[tuple[bytes, str, bytes]]) -> Iterator[Report]:
    """Yield the reports of one conversation, whose lines may be in several files."""
    replayer = replayer_of(Replay(lines=(), options=options))
    for file, some in groupby(lines, key=itemgetter(1)):
        replayer.change_source(_name_of(file))
        yield from replayer.feed_all(map(itemgetter(2), some), first=None)
    yield from replayer.close()


def _name_of(address: str) -> str:
    """Return a local path for a `file://` address, and any other address unchanged."""
    return unquote(address.removeprefix(_LOCAL)) if address.startswith(_LOCAL) else address
