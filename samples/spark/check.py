"""Check logs on a cluster and write one row per report as Parquet.

spark-submit samples/spark/check.py REPORTS LOG...

A log is a file, a folder or a pattern that Spark can read (such as `s3a://…`). Several are read as
one log in the order given. At the end, the script prints the number of findings of each rule.
"""

from argparse import ArgumentParser

from pyspark.sql import SparkSession, functions

from segue.spark import check

parser = ArgumentParser(description="Check logs on a cluster.")
parser.add_argument("reports", help="the folder to write as Parquet; it must not exist")
parser.add_argument("logs", nargs="+")
parser.add_argument("--partial", choices=["start", "end", "both"], help="the log is cut")
parser.add_argument("--partitions", type=int, help="the number of tasks that replay")
given = parser.parse_args()

spark = SparkSession.builder.appName("segue check").getOrCreate()
# Write the rows before counting them, because every query would read all logs again.
check(spark, given.logs, partitions=given.partitions, partial=given.partial).write.parquet(
    given.reports
)
reports = spark.read.parquet(given.reports)
counts = reports.select(functions.explode("codes").alias("rule")).groupBy("rule").count()
counts.orderBy("rule").show(1000)
print(f"{reports.count()} reports, {reports.where('not valid').count()} with errors")  # noqa: T201
spark.stop()
