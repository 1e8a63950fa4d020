"""Several processes that read one log, with the reports of one process in its order.

chunks          where logs are cut
chunk_replayer  what a worker makes of a chunk
report_codec    reports on their way between processes
pool            the worker processes
coordinator     chunks put together to one replay
"""

from segue.logs.parallel.chunks import LogChunks, count_processes
from segue.logs.parallel.coordinator import ParallelRun

__all__ = ["LogChunks", "ParallelRun", "count_processes"]
