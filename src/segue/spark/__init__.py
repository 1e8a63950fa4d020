"""Spark: the check on a cluster, as a batch over files or as a stream; needs the extra `spark`.

It decides how lines reach the worker that judges their conversation, and in which order.  House
rules: (1) the library computes the key of a line, never SQL; (2) a worker judges with the replayer
of `logs`, so that there is one meaning of a log, and the same reports come out; (3) a partition is
streamed, and no conversation is ever held as lines.  It refuses to know what is legal.
"""

from segue.spark.batch import check
from segue.spark.lines import lines_in
from segue.spark.stream import follow, unfinished

__all__ = ["check", "follow", "lines_in", "unfinished"]
