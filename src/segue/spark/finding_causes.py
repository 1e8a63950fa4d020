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
from segue.spark.batch import logs_of, sorted_lines
from segue.spark.extra import SparkSession, pa
from segue.spark.keys import options_of, with_key
from segue.spark.reports import rows_of

_LOCAL = "file://"


def causes(
    spark: SparkSession,
    paths: LogPath | Sequence[LogPath],
    *,
    partitions: int | None = None,
    **options: Any,
) -> RootCauses:
    """Find common root causes of the findings in these files, as `segue.causes` does for one log.

    The arguments are those of `check`. If a file is a cause, it is named by its full path, or by
    its address if it is not on this machine, such as `s3://logs/today.jsonl`.

    The files are read before the function returns. Each worker sends its counts to the driver: at
    most a million events of eight bytes and their attributes, but no text.
    """
    logs = logs_of(spark, paths)
    choices = with_key(options_of({**options, "note": cause_notes(), "settled": True}), logs)
    lines = sorted_lines(logs, choices, partitions).select("key", "file", "line")
    counts = Counts()
    for row in lines.mapInArrow(partial(_counted, choices), "counts binary").collect():
        counts.merge(pickle.loads(row.counts))  # noqa: S301 - from a worker of this job
    return find_causes(counts, choices.time_zone)


def _counted(options: ReplayOptions, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Replay one partition, and yield a record batch with its `Counts` as a pickled value."""
    counts = Counts()
    for _, lines in groupby(rows_of(batches), key=itemgetter(0)):
        for report in _reports(options, lines):
            counts.add(report)
    yield pa.RecordBatch.from_pydict({"counts": pa.array([pickle.dumps(counts)], pa.binary())})


def _reports(options: ReplayOptions, lines: Iterable[tuple[bytes, str, bytes]]) -> Iterator[Report]:
    """Replay the lines of one conversation, which may be in several files, and yield its reports.

    `lines` are triples `(key, file, line)`.
    """
    replayer = replayer_of(Replay(lines=(), options=options))
    for file, some in groupby(lines, key=itemgetter(1)):
        replayer.change_source(_name_of(file))
        yield from replayer.feed_all(map(itemgetter(2), some), first=None)
    yield from replayer.close()


def _name_of(address: str) -> str:
    """Convert a `file://` address to a local path. Other addresses are returned unchanged."""
    return unquote(address.removeprefix(_LOCAL)) if address.startswith(_LOCAL) else address
