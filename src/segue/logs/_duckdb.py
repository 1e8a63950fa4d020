"""DuckDB, for what is larger than memory or no lines at all.

It decides how DuckDB is set up: it stays within the memory it is given, sorts and reads by one
thread, fetches nothing from anywhere and draws no progress.  House rule: what DuckDB says is passed
on in one line.  It judges nothing: no JSON of a delivery is ever read by SQL.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from segue.errors import ConfigurationError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["connect", "is_there", "reason"]

_SETTINGS: Final[dict[str, str | int | float | list[str]]] = {
    "threads": 1,
    "TimeZone": "UTC",
    "autoinstall_known_extensions": False,
}


def is_there() -> bool:
    """Whether the extra is installed."""
    return find_spec("duckdb") is not None


def connect(what: str, **settings: str | bool) -> "DuckDBPyConnection":
    """Return a new database in memory; `what` needs it.

    Raises `ConfigurationError` without the extra.
    """
    try:
        import duckdb  # noqa: PLC0415 - an extra, and heavy
    except ImportError as error:
        msg = f'{what} needs an extra: python -m pip install "segue[duckdb]"'
        raise ConfigurationError(msg) from error
    database = duckdb.connect(config={**_SETTINGS, **settings})
    database.execute("SET enable_progress_bar = false")  # it would draw on standard output
    return database


def reason(error: Exception) -> str:
    """Return the first line of what DuckDB says."""
    return str(error).partition("\n")[0]
