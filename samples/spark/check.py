"""Check logs on a cluster: one row for each report, as Parquet.

spark-submit samples/spark/check.py REPORTS LOG...

A log is a file, a folder or a pattern, wherever Spark can read (`s3a://…`); several are read as one
log, in the order given. At the end it prints how many findings there are of each rule.
"""

from argparse import ArgumentParser

from pyspark.sql import SparkSession, functions

from segue.spark import check

parser = ArgumentParser(description="Check logs on a cluster.")
parser.add_argument("reports", help="the folder that is written, as Parquet; it must not be there")
parser.add_argument("logs", nargs="+")
parser.add_argument("--partial", choices=["start", "end", "both"], help="the log is cut")
parser.add_argument("--partitions", type=int, help="how many tasks replay")
given = parser.parse_args()

spark = SparkSession.builder.appName("segue check").getOrCreate()
# Written first and counted then: every query of the rows reads everything again.
check(spark, given.logs, partitions=given.partitions, partial=given.partial).write.parquet(
    given.reports
)
reports = spark.read.parquet(given.reports)
counts = reports.select(functions.explode("codes").alias("rule")).groupBy("rule").count()
counts.orderBy("rule").show(1000)
print(f"{reports.count()} reports, {reports.where('not valid').count()} with errors")  # noqa: T201
spark.stop()
