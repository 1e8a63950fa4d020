"""Follow a folder of logs on a cluster and write reports as conversations end, as Parquet.

spark-submit samples/spark/follow.py REPORTS CHECKPOINT FOLDER

Files are read in the order of their modification times. A stopped query continues where it stopped.
With `--once`, it stops after reading the existing files. Use `--rest` afterwards to write the
reports of open conversations and of late events.
"""

from argparse import ArgumentParser
from datetime import timedelta

from pyspark.sql import SparkSession

from segue.spark import follow, lines_in, unfinished

parser = ArgumentParser(description="Follow a folder of logs.")
parser.add_argument("reports", help="the folder to add reports to, as Parquet")
parser.add_argument("checkpoint", help="the folder where Spark keeps its progress")
parser.add_argument("folder", help="the folder into which complete logs are moved")
parser.add_argument("--once", action="store_true", help="stop after reading the existing files")
parser.add_argument("--rest", metavar="REPORTS", help="only write reports of open conversations")
parser.add_argument(
    "--idle", type=float, metavar="HOURS", help="report conversations idle for HOURS"
)
parser.add_argument("--files", type=int, default=100, help="the number of files read at once")
parser.add_argument(
    "--every", default="10 seconds", metavar="TIME", help="how often to look for files"
)
given = parser.parse_args()
if given.once and given.idle is not None:
    parser.error("--once cannot be used with --idle: leave out one of them")

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
