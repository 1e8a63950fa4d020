"""Connections to DuckDB, which sorts logs that do not fit in memory and reads Parquet files.

A connection uses one thread. It installs no extensions and shows no progress. The JSON of a
delivery is never parsed by SQL.
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
    """Return whether the package `duckdb`, an extra of Segue, is installed."""
    return find_spec("duckdb") is not None


def connect(purpose: str, **settings: str | bool) -> "DuckDBPyConnection":
    """Return a connection to a new in-memory database.

    Raises `ConfigurationError` if DuckDB is not installed. Its message begins with `purpose`, such
    as `"reading Parquet"`.

    Args:
        purpose: The task that needs the database.
        **settings: Settings of DuckDB, such as `memory_limit`.

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
    """Replace each error of DuckDB by another exception.

    `make` returns the new exception for the first line of the error's message.
    """
    try:
        yield
    except import_module("duckdb").Error as error:
        raise make(str(error).partition("\n")[0]) from error
