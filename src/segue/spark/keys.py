"""Keys that bring all lines of a conversation to one worker.

A key is computed by the line reader of `segue.logs`, and never in SQL. Because no worker sees the
first line of the log, conversations are identified by bot and id unless the options say otherwise.
Lines without a conversation are distributed by their numbers, since a log may be full of them.
Blank lines, and lines that the filters exclude, are dropped.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from segue.core.errors import ConfigurationError
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.spark.extra import DataFrame, StructType, pa

_SPREAD: Final = 1024
_CONVERSATION: Final = b"of "


def keyed(lines: DataFrame, options: ReplayOptions) -> DataFrame:
    """Return the lines with two columns added in front, `key` and `row`.

    `key` is a byte string that identifies the conversation, and `row` is the 0-based number of the
    line in its partition.
    """
    before = StructType().add("key", "binary").add("row", "long")
    return lines.mapInArrow(partial(_keyed, options), StructType([*before, *lines.schema]))


def options_of(given: Mapping[str, Any]) -> ReplayOptions:
    """Return the replay options for these keyword arguments, with the key "bot" by default.

    Raise `ConfigurationError` for a field mapping of records or CSV, which is not read line by
    line.
    """
    options = ReplayOptions(**{"key": "bot", **given})
    if options.field_mapping is not None and options.field_mapping.is_framed:
        raise ConfigurationError("Spark reads lines: leave out records_at and lines='csv'")
    return options


def identity_of(key: bytes) -> str | None:
    """Return the conversation that a key identifies, or None for the key of other lines."""
    if not key.startswith(_CONVERSATION):
        return None
    return key.removeprefix(_CONVERSATION).decode()


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
