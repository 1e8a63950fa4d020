"""Checks logs on a Spark cluster, as a batch over files or as a stream; needs the extra `spark`.

The key of a line is computed by the reader of `logs`, and conversations are replayed by its
replayer, so that the reports are those of `segue.replay`.  A partition is streamed: no conversation
is held as lines.
"""

from segue.spark.batch import check
from segue.spark.finding_causes import causes
from segue.spark.lines import lines_in
from segue.spark.stream import follow, unfinished

__all__ = ["causes", "check", "follow", "lines_in", "unfinished"]
