"""The lines of text files, which Spark reads as bytes with their positions.

A line ends only at a newline, whereas Spark by default also splits at a carriage return. Bytes that
are not UTF-8 must not stop a worker, because they are reported as a finding.
"""

import re
from typing import Final

from segue.spark.extra import DataFrame, DataStreamReader, SparkSession, functions

_LOCAL: Final = "^file:/+"
"""The beginning of the address of a local file. Spark writes `file:/` or `file:///`."""
_ROOT: Final = "file:///"

PLACE = ("file", "block")
"""The columns that sort the lines of one path, before their row numbers in a partition do."""


def lines_in(reader: SparkSession | DataStreamReader, path: str) -> DataFrame:
    """Return a data frame with a row for each line of a file, a folder or a pattern.

    `reader` is a session, or its `readStream` for a stream. The column `line` has the bytes of a
    line. `file` and `block` have its position: the address of the file, and the offset in bytes of
    the block that Spark read. Spark decompresses files by their suffix (`.gz`), and skips files
    whose names begin with `.` or `_`.
    """
    text = reader.read if isinstance(reader, SparkSession) else reader
    return text.text(path, lineSep="\n").select(
        functions.col("value").cast("binary").alias("line"),
        functions.regexp_replace("_metadata.file_path", _LOCAL, _ROOT).alias("file"),
        functions.col("_metadata.file_block_start").alias("block"),
    )


def files_of(lines: DataFrame) -> list[str]:
    """Return the addresses of the files of a data frame from `lines_in`, in the order of a batch.

    The values are those of its column `file`.
    """
    return sorted(re.sub(_LOCAL, _ROOT, file) for file in lines.inputFiles())
