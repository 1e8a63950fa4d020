"""Store addresses: `sqlite:FILE`, `postgresql://…` and `memory`."""

import logging
from pathlib import Path
from typing import Final

from segue.core.errors import ConfigurationError
from segue.core.options import check_option
from segue.server.processor import Store
from segue.server.stores.memory import MemoryStore
from segue.server.stores.sqlite import SqliteStore

_LONGEST_SHOWN: Final = 60


def open_store(address: str) -> Store:
    """Return the store at an address. The database is accessed at the first use.

    Args:
        address: `sqlite:segue.db`, `postgresql://user:password@host/database` or `memory`.

    Raises `ConfigurationError` for another address, or if the extra for PostgreSQL is missing.

    """
    check_option("address", address, str, example='"sqlite:segue.db"')
    if is_memory(address):
        return MemoryStore()
    path = sqlite_path(address)
    if path is not None:
        return SqliteStore(path)
    if is_postgres(address):
        # The warnings of the pool repeat the text of `StoreUnavailable`.
        logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
        from segue.server.stores.postgres import PostgresStore  # it needs its extra

        return PostgresStore(address)
    shown = "" if "@" in address else f"{address[:_LONGEST_SHOWN]!r} is "
    raise ConfigurationError(
        f"{shown}not a store address: use sqlite:FILE, postgresql://host/database or memory"
    )


def is_memory(address: str) -> bool:
    """Return whether the address is `memory` or `memory:`, which means a `MemoryStore`."""
    return address in {"memory", "memory:"}


def is_postgres(address: str) -> bool:
    """Return whether the address has the scheme `postgresql` or `postgres`."""
    return address.startswith(("postgresql://", "postgres://"))


def sqlite_path(address: str) -> Path | None:
    """Return the path in `sqlite:FILE` or `sqlite:///FILE`, or None for another scheme.

    Raises `ConfigurationError` if the path is empty or appears to lack its leading slash.
    """
    scheme, colon, path = address.partition(":")
    if scheme != "sqlite" or not colon:
        return None
    if path.startswith("//"):
        host, slash, path = path[2:].partition("/")
        if host or not slash:
            path = ""
    if not path:
        raise ConfigurationError(f"{address!r} names no file: use sqlite:segue.db")
    found, absolute = Path(path), Path("/", path)
    if found != absolute and not found.parent.is_dir() and absolute.parent.is_dir():
        raise ConfigurationError(
            f"{address!r} is a relative path, and the current directory has no {found.parent}: "
            f"use sqlite:{absolute} for an absolute path"
        )
    return found
