"""Sorts the lines of logs by time, in memory or on disk.

Lines with equal times keep the order of the logs and of the lines in them, or the reverse order of
lines in a log that is newest first. Sorting in memory and on disk gives the same order.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from operator import itemgetter
from tempfile import TemporaryDirectory
from typing import Final, Literal, TypeAlias

from segue.core.errors import ConfigurationError
from segue.logs import duckdb_connection

TimedLine: TypeAlias = tuple[int, int, int, str | None, object]
"""A tuple of microseconds since 1970, log index, line number, conversation key, and line."""

Sorter: TypeAlias = Callable[[Iterable[TimedLine]], Iterator[TimedLine]]
"""A function that takes lines in their original order and yields them sorted by time."""

_MEMORY: Final = "1GB"
_SIZE: Final = re.compile(r"[0-9]+(?:\.[0-9]+)? ?[KMGT]i?B\Z")
_BATCH: Final = 2000
_TABLE: Final = (
    "CREATE TABLE lines (instant BIGINT, log INTEGER, number BIGINT, conversation BLOB, line BLOB)"
)
_INSERT: Final = (
    "INSERT INTO lines SELECT unnest($1::BIGINT[]), unnest($2::INTEGER[]), unnest($3::BIGINT[]),"
    " unnest($4::BLOB[]), unnest($5::BLOB[])"
)
_SORTED: Final = "SELECT * FROM lines ORDER BY instant, log, number"

Sort: TypeAlias = Literal["received_at", "newest_first"]
"""An order of lines: by their times, of lines with equal times the first or the last one first."""

SORTS: Final[tuple[Sort, ...]] = ("received_at", "newest_first")


def pick_sorter(memory: str | None = None, sort: Sort = "received_at") -> Sorter:
    """Choose a function that sorts lines by time, using the disk if possible.

    Return one that sorts in memory if the extra `duckdb` is not installed.

    Args:
        memory: The maximum memory before spilling to disk, such as `500MB`. Requires the extra.
        sort: The order of lines.

    """
    if memory is None and not duckdb_connection.is_installed():
        return sorter_in_memory(sort)
    return sorter_on_disk(_MEMORY if memory is None else memory, sort)


def sort_in_memory(rows: Iterable[TimedLine]) -> Iterator[TimedLine]:
    """Sort lines of any type by time, and return an iterator over them."""
    return iter(sorted(rows, key=itemgetter(0)))


def sorter_in_memory(sort: Sort) -> Sorter:
    """Return a function that sorts lines of any type in memory."""
    return sort_in_memory if sort == "received_at" else _sort_newest_first


def _sort_newest_first(rows: Iterable[TimedLine]) -> Iterator[TimedLine]:
    return iter(sorted(rows, key=lambda row: (row[0], row[1], -row[2])))


def sorter_on_disk(memory: str, sort: Sort = "received_at") -> Sorter:
    """Return a function that sorts lines of bytes by time, using a temporary folder.

    Raises `ConfigurationError` if `memory` is not a size, or if the extra `duckdb` is not
    installed.

    Args:
        memory: The maximum memory before spilling to disk, such as `500MB`.
        sort: The order of lines.

    """
    if not _SIZE.match(memory):
        msg = f"the memory for sorting must be a size such as 500MB or 4GB, not {memory!r}"
        raise ConfigurationError(msg)
    duckdb_connection.connect("sorting on disk").close()
    return partial(_sorted, memory=memory, sort=sort)


def _sorted(rows: Iterable[TimedLine], memory: str, sort: Sort) -> Iterator[TimedLine]:
    remaining = iter(rows)
    with (
        TemporaryDirectory(prefix="segue-") as folder,
        duckdb_connection.connect(
            "sorting on disk",
            memory_limit=memory,
            temp_directory=folder,
            preserve_insertion_order=False,
        ) as database,
        duckdb_connection.errors_as(
            lambda reason: ConfigurationError(
                f"the lines cannot be sorted with {memory} of memory and {folder}: {reason}; "
                "allow more memory, or set TMPDIR to a folder on a larger disk"
            )
        ),
    ):
        database.execute(_TABLE)
        while batch := list(islice(remaining, _BATCH)):
            instants, logs, numbers, conversations, lines = zip(*batch, strict=True)
            names = [None if each is None else each.encode() for each in conversations]
            columns = (instants, logs, numbers, names, lines)
            database.execute(_INSERT, [list(column) for column in columns])
        database.execute(_SORTED if sort == "received_at" else f"{_SORTED} DESC")
        while found := database.fetchmany(_BATCH):
            for instant, log, number, name, line in found:
                yield instant, log, number, None if name is None else name.decode(), line
