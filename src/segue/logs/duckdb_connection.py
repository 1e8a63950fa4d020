"""Connections to DuckDB, which sorts what is larger than memory and reads Parquet.

It stays within the memory it is given, uses one thread, downloads nothing and draws no progress.
No JSON of a delivery is read by SQL.
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
    """Return whether the extra is there."""
    return find_spec("duckdb") is not None


def connect(purpose: str, **settings: str | bool) -> "DuckDBPyConnection":
    """Return a new database in memory; `purpose` says in an error what needs the extra.

    Raises `ConfigurationError` without the extra.
    """
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        msg = f'{purpose} needs an extra: python -m pip install "segue[duckdb]"'
        raise ConfigurationError(msg) from error
    database: DuckDBPyConnection = duckdb.connect(config={**_SETTINGS, **settings})
    database.execute("SET enable_progress_bar = false")  # it would draw on standard output
    return database


@contextmanager
def errors_as(make: Callable[[str], Exception]) -> Iterator[None]:
    """Raise DuckDB's errors as those that `make` returns for the first line of their text."""
    try:
        yield
    except import_module("duckdb").Error as error:
        raise make(str(error).partition("\n")[0]) from error
