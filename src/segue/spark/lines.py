"""Lines of text files, as Spark reads them: bytes, and where they stood.

It decides what a line is to Spark.  House rules: a line ends at a newline and nowhere else, where
Spark would split at a carriage return as well; it is bytes from the start, because what is no
UTF-8 is a finding and must not stop a worker.
"""

from segue.spark.extra import DataFrame, DataStreamReader, SparkSession, functions

__all__ = ["PLACE", "lines_in"]

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
