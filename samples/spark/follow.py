"""Follow a folder of logs on a cluster: reports as conversations end, as Parquet.

spark-submit samples/spark/follow.py REPORTS CHECKPOINT FOLDER

Files are read in the order of their times of modification. A query that was stopped goes on where
it stopped; with `--once` it stops when it has read the files that are there. Then `--rest` writes
the reports of conversations still open and of what came late.
"""

from argparse import ArgumentParser
from datetime import timedelta

from pyspark.sql import SparkSession

from segue.spark import follow, lines_in, unfinished

parser = ArgumentParser(description="Follow a folder of logs.")
parser.add_argument("reports", help="the folder that reports are added to, as Parquet")
parser.add_argument("checkpoint", help="the folder where Spark keeps how far it is")
parser.add_argument("folder", help="the folder that logs are moved to when they are complete")
parser.add_argument("--once", action="store_true", help="stop when all there is has been read")
parser.add_argument("--rest", metavar="REPORTS", help="read nothing; write what is still open")
parser.add_argument("--idle", type=float, metavar="HOURS", help="report what is idle so long")
parser.add_argument("--files", type=int, default=100, help="how many are read at once")
parser.add_argument("--every", default="10 seconds", metavar="TIME", help="look for files so often")
given = parser.parse_args()
if given.once and given.idle is not None:
    parser.error("with --idle there is always something to wait for: leave out --once")

spark = SparkSession.builder.appName("segue follow").getOrCreate()
if given.rest:
    unfinished(spark, given.checkpoint).write.parquet(given.rest)
else:
    files = spark.readStream.option("maxFilesPerTrigger", given.files)
    idle = None if given.idle is None else timedelta(hours=given.idle)
    reports = follow(lines_in(files, given.folder), idle=idle).writeStream.format("parquet")
    often = {"availableNow": True} if given.once else {"processingTime": given.every}
    reports.option("checkpointLocation", given.checkpoint).option("path", given.reports).trigger(
        **often
    ).start().awaitTermination()
spark.stop()
