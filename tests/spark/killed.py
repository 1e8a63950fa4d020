"""A batch on a cluster of two executors, of which one is killed while it works.

It prints the digest of the reports, and whether the executor died in the middle of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.scale.digest import digest
from tests.spark.conftest import QUICK, configured

EXECUTOR = b"CoarseGrainedExecutorBackend"
PARTITIONS = 24


def main(paths: list[str]) -> None:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "JDK_JAVA_OPTIONS": QUICK}
    from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra

    from segue.spark import check  # noqa: PLC0415 - an extra

    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        spark = configured(builder, Path(folder)).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        killer = Killer(spark.sparkContext.statusTracker())
        killer.start()
        rows = check(spark, paths, partitions=PARTITIONS).collect()
        killer.is_over.set()
        killer.join()
        print(digest(json.loads(row.report) for row in rows))  # noqa: T201
        print(killer.outcome)  # noqa: T201
        spark.stop()


class Killer(threading.Thread):
    """Kills an executor as soon as the last stage has some results and lacks others."""

    def __init__(self, tracker: Any) -> None:
        super().__init__(daemon=True)
        self._tracker = tracker
        self.is_over = threading.Event()
        self.outcome = "nothing was killed"

    def run(self) -> None:
        while not self.is_over.wait(0.02):
            for stage in self._tracker.getActiveStageIds():
                info = self._tracker.getStageInfo(stage)
                if (
                    info is not None
                    and info.numTasks == PARTITIONS
                    and 2 <= info.numCompletedTasks < PARTITIONS // 2
                    and info.numActiveTasks > 0
                ):
                    os.kill(next(executors(os.getpid())), signal.SIGKILL)
                    self.outcome = "killed while tasks were running"
                    return


def executors(ancestor: int) -> Iterator[int]:
    """Yield the processes of executors below this one."""
    for children in Path(f"/proc/{ancestor}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            if EXECUTOR in Path(f"/proc/{child}/cmdline").read_bytes():
                yield child
            else:
                yield from executors(child)


if __name__ == "__main__":
    main(sys.argv[1:])
