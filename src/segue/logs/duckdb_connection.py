"""Connections to DuckDB, which sorts more than fits in memory and reads Parquet.

A connection is limited to its memory, uses one thread, downloads nothing and shows no progress. SQL
never parses the JSON of a delivery.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from segue.core.errors import ConfigurationError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SETTINGS: Final[dict[str, str | int | float | list[str]]] = {
    "threads": 1,
    "TimeZone": "UTC",
    "autoinstall_known_extensions": False,
}


def is_installed() -> bool:
    """Return whether the extra is installed."""
    return find_spec("duckdb") is not None


def connect(purpose: str, **settings: str | bool) -> "DuckDBPyConnection":
    """Return a new in-memory database.

    Raises `ConfigurationError` if the extra is not installed. The message begins with `purpose`.
    """
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        msg = f'{purpose} needs an extra: python -m pip install "segue[duckdb]"'
        raise ConfigurationError(msg) from error
    database: DuckDBPyConnection = duckdb.connect(config={**_SETTINGS, **settings})
    database.execute("SET enable_progress_bar = false")  # it would write to standard output
    return database


@contextmanager
def errors_as(make: Callable[[str], Exception]) -> Iterator[None]:
    """Replace DuckDB's errors by those that `make` returns for the first line of the message."""
    try:
        yield
    except import_module("duckdb").Error as error:
        raise make(str(error).partition("\n")[0]) from error
