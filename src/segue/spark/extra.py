"""What the extra `spark` brings, in one place, and what is said when it is not there."""

from segue.errors import ConfigurationError

try:
    import google.protobuf  # noqa: F401 - Spark needs it for state, and does not say so
    import pyarrow as arrow  # noqa: ICN001 - a word
    from pyspark.sql import DataFrame, Row, SparkSession, functions
    from pyspark.sql.streaming import DataStreamReader, StatefulProcessor
    from pyspark.sql.types import BinaryType, LongType, StructField, StructType
except ImportError as error:
    msg = 'segue.spark needs an extra: python -m pip install "segue[spark]"'
    raise ConfigurationError(msg) from error

__all__ = [
    "BinaryType",
    "DataFrame",
    "DataStreamReader",
    "LongType",
    "Row",
    "SparkSession",
    "StatefulProcessor",
    "StructField",
    "StructType",
    "arrow",
    "functions",
]
