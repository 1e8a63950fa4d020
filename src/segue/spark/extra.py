"""Imports from the packages of the extra `spark`.

Importing this module raises `ConfigurationError`, which names the extra, if a package is missing.
"""

from importlib import import_module

from segue.core.errors import ConfigurationError

try:
    import_module("google.protobuf")  # Spark needs it for state, but does not require it
    import pyarrow as pa
    from pyspark.sql import DataFrame, Row, SparkSession, functions
    from pyspark.sql.streaming import DataStreamReader, StatefulProcessor
    from pyspark.sql.streaming.stateful_processor import TimerValues
    from pyspark.sql.types import StructType
except ImportError as error:
    msg = 'segue.spark needs an extra: python -m pip install "segue[spark]"'
    raise ConfigurationError(msg) from error

__all__ = [
    "DataFrame",
    "DataStreamReader",
    "Row",
    "SparkSession",
    "StatefulProcessor",
    "StructType",
    "TimerValues",
    "functions",
    "pa",
]
