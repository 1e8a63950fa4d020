"""Replay of a log by several processes, with the same reports in the same order as by one process.

chunks          the division of logs into chunks
chunk_replayer  the replay of a chunk in a worker
report_codec    the serialization of reports between processes
pool            the worker processes
coordinator     the merging of chunks into one replay
"""

from segue.logs.parallel.chunks import LogChunks, count_processes
from segue.logs.parallel.coordinator import ParallelRun

__all__ = ["LogChunks", "ParallelRun", "count_processes"]
