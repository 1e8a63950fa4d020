"""Keys that bring all lines of a conversation to one worker.

A key is computed by the line reader of `segue.logs`, and never in SQL. No worker sees the first
line of the log, so the options say how conversations are identified before any worker starts.
Lines without a conversation are distributed by their numbers, since a log may be full of them.
Blank lines, and lines that the filters exclude, are dropped.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from segue.core.errors import ConfigurationError
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.spark.extra import DataFrame, StructType, functions, pa
from segue.spark.lines import files_of

_SPREAD: Final = 1024
_CONVERSATION: Final = b"of "


def keyed(lines: DataFrame, options: ReplayOptions) -> DataFrame:
    """Return the data frame `lines` with the columns `key` and `row` added in front.

    `key` is a byte string that identifies the conversation of the line, and `row` is the 0-based
    number of the line in its partition. Lines without a delivery are left out.
    """
    before = StructType().add("key", "binary").add("row", "long")
    return lines.mapInArrow(partial(_keyed, options), StructType([*before, *lines.schema]))


def options_of(given: Mapping[str, Any]) -> ReplayOptions:
    """Create replay options from keyword arguments.

    Raise `ConfigurationError` for a field mapping of records or CSV, which is not read line by
    line.
    """
    options = ReplayOptions(**given)
    if options.field_mapping is not None and options.field_mapping.is_framed:
        raise ConfigurationError("Spark reads lines: leave out records_at and lines='csv'")
    return options


def with_key(options: ReplayOptions, logs: Iterable[DataFrame]) -> ReplayOptions:
    """Return the options with a `key`. If they have none, the first delivery of the logs decides.

    Each of `logs` is a data frame from `lines_in`. Their files are searched in the order of a batch
    until one has a delivery with a conversation id, so usually only one block is read.
    """
    if options.key is not None:
        return options
    for log in logs:
        for file in files_of(log):
            lines = log.where(functions.col("file") == file).select("line")
            first = lines.mapInArrow(partial(_first_keying, options), "key string").first()
            if first is not None:
                return replace(options, key=first.key)
    return replace(options, key="conversation")


def identity_of(key: bytes) -> str | None:
    """Return the id of the conversation in a `key` column, or None if the line belongs to none."""
    if not key.startswith(_CONVERSATION):
        return None
    return key.removeprefix(_CONVERSATION).decode()


def _first_keying(
    options: ReplayOptions, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield the `key` that the first delivery in a partition decides on, if there is one."""
    reader = LineReader(options)
    for batch in batches:
        for line in batch.column("line").to_pylist():
            reader.read_any(line, None)
            if reader.keying is not None:
                yield pa.RecordBatch.from_pydict({"key": pa.array([reader.keying], pa.string())})
                return


def _keyed(options: ReplayOptions, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    reader, count = LineReader(options), 0
    for batch in batches:
        kept: list[int] = []
        keys: list[bytes] = []
        for index, line in enumerate(batch.column("line").to_pylist()):
            delivery = reader.read(line, None)
            if delivery is not None:
                kept.append(index)
                keys.append(_key(reader.key_of(delivery), count + index))
        rows = pa.array([count + index for index in kept], pa.int64())
        taken = batch.take(pa.array(kept, pa.int64()))
        count += batch.num_rows
        yield pa.RecordBatch.from_arrays(
            [pa.array(keys, pa.binary()), rows, *taken.columns],
            names=["key", "row", *batch.schema.names],
        )


def _key(identity: str | None, number: int) -> bytes:
    if identity is None:
        return b"line %d" % (number % _SPREAD)
    return _CONVERSATION + identity.encode()
