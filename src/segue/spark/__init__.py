"""Checks of logs on a Spark cluster, as a batch over files or as a stream.

This package needs the extra `spark`. The workers read and replay lines with `segue.logs`, so their
reports are those of `segue.replay`. Partitions are streamed, so the lines of a conversation are
never in memory together.
"""

from segue.spark.batch import check
from segue.spark.finding_causes import causes
from segue.spark.lines import lines_in
from segue.spark.stream import follow, unfinished

__all__ = ["causes", "check", "follow", "lines_in", "unfinished"]
