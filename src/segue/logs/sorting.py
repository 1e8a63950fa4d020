"""Order by time: in memory, or on disk for logs that are larger.

It decides where lines wait until it is their turn.  House rules: the order is that of the instants,
and of one instant that of the logs and their lines; both ways give the same.  Who calls has read
the times: nothing is read here.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import itemgetter
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from segue.errors import ConfigurationError
from segue.logs import _duckdb

__all__ = ["Order", "Row", "in_memory", "on_disk", "where_it_fits"]

Row: TypeAlias = tuple[int, int, int, str | None, object]
"""Instant, number of the log, number of the line, conversation, line."""

Order: TypeAlias = Callable[[Iterable[Row]], Iterator[Row]]
"""Takes rows in the order of logs and lines and gives them in the order of time."""

_MEMORY: Final = "1GB"
_SIZE: Final = re.compile(r"[0-9]+(?:\.[0-9]+)? ?[KMGT]i?B\Z")
_AT_ONCE: Final = 2000
_TABLE: Final = (
    "CREATE TABLE lines (instant BIGINT, log INTEGER, number BIGINT, conversation BLOB, line BLOB)"
)
_INSERT: Final = (
    "INSERT INTO lines SELECT unnest($1::BIGINT[]), unnest($2::INTEGER[]), unnest($3::BIGINT[]),"
    " unnest($4::BLOB[]), unnest($5::BLOB[])"
)
_SORTED: Final = "SELECT * FROM lines ORDER BY instant, log, number"


def where_it_fits(memory: str | None = None) -> Order:
    """Return the order on disk where the extra `duckdb` is installed, else the one in memory.

    `memory` (`500MB`) is what may be held before it goes to disk; it asks for the extra.
    """
    if memory is None and not _duckdb.is_there():
        return in_memory
    return on_disk(_MEMORY if memory is None else memory)


def in_memory(rows: Iterable[Row]) -> Iterator[Row]:
    """Sort rows of any lines."""
    return iter(sorted(rows, key=itemgetter(0)))


def on_disk(memory: str) -> Order:
    """Return what sorts rows whose lines are bytes, in so much memory and a temporary folder.

    Raises `ConfigurationError` at once for what is no size of memory, and without the extra.
    """
    if not _SIZE.match(memory):
        msg = f"the memory to sort in is a size such as 500MB or 4GB, not {memory!r}"
        raise ConfigurationError(msg)
    _duckdb.connect("sorting on disk").close()

    def order(rows: Iterable[Row]) -> Iterator[Row]:
        with TemporaryDirectory(prefix="segue-") as folder:
            yield from _sorted(rows, memory, folder)

    return order


def _sorted(rows: Iterable[Row], memory: str, folder: str) -> Iterator[Row]:
    from duckdb import Error  # noqa: PLC0415 - an extra, and heavy

    pieces = iter(rows)
    with _duckdb.connect(
        "sorting on disk",
        memory_limit=memory,
        temp_directory=folder,
        preserve_insertion_order=False,
    ) as database:
        try:
            database.execute(_TABLE)
            while piece := list(islice(pieces, _AT_ONCE)):
                instants, logs, numbers, conversations, lines = zip(*piece, strict=True)
                names = [None if each is None else each.encode()
                         for each in conversations]  # fmt: skip
                columns = (instants, logs, numbers, names, lines)
                database.execute(_INSERT, [list(column) for column in columns])
            database.execute(_SORTED)
            while found := database.fetchmany(_AT_ONCE):
                for instant, log, number, name, line in found:
                    identity = None if name is None else name.decode()
                    yield instant, log, number, identity, line
        except Error as error:
            msg = (
                f"the lines cannot be sorted in {memory} of memory and {folder}: "
                f"{_duckdb.reason(error)}; give more memory, or a larger disk by TMPDIR"
            )
            raise ConfigurationError(msg) from error
