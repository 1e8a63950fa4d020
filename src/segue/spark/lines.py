"""Reads the lines of text files by Spark, as bytes, with the place where they stood.

A line ends at a newline only; Spark would also split at a carriage return.  Bytes that are not
UTF-8 are a finding and must not stop a worker.
"""

from segue.spark.extra import DataFrame, DataStreamReader, SparkSession, functions

PLACE = ("file", "block")
"""The columns that order what is read of one path, beside the order of rows in a partition."""


def lines_in(reader: SparkSession | DataStreamReader, path: str) -> DataFrame:
    """Return the lines of a file, a folder or a pattern, of a session or of its `readStream`.

    The columns are `line`, its bytes, and `file` and `block`, which say where it stood. Spark
    unpacks files by their names (`.gz`) and reads no file whose name begins with `.` or `_`.
    """
    text = reader.read if isinstance(reader, SparkSession) else reader
    return text.text(path, lineSep="\n").select(
        functions.col("value").cast("binary").alias("line"),
        functions.col("_metadata.file_path").alias("file"),
        functions.col("_metadata.file_block_start").alias("block"),
    )
