"""The lines of text files, read by Spark as bytes, with their places.

A line ends at a newline only, where Spark would also split at a carriage return. Bytes that are not
UTF-8 are a finding and must not stop a worker.
"""

from segue.spark.extra import DataFrame, DataStreamReader, SparkSession, functions

PLACE = ("file", "block")
"""The columns that order the lines of one path, before the order of rows in a partition."""


def lines_in(reader: SparkSession | DataStreamReader, path: str) -> DataFrame:
    """Return the lines of a file, a folder or a pattern.

    `reader` is a session, or its `readStream` for a stream. The columns are `line`, which has the
    bytes, and `file` and `block`, which have the place. Spark decompresses files by their suffix
    (`.gz`), and skips files whose names begin with `.` or `_`.
    """
    text = reader.read if isinstance(reader, SparkSession) else reader
    return text.text(path, lineSep="\n").select(
        functions.col("value").cast("binary").alias("line"),
        functions.col("_metadata.file_path").alias("file"),
        functions.col("_metadata.file_block_start").alias("block"),
    )
