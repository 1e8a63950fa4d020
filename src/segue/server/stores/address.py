"""Store addresses: `sqlite:FILE`, `postgresql://…` and `memory`."""

import logging
import re
from pathlib import Path
from typing import Final, NamedTuple

from segue.core.errors import ConfigurationError
from segue.core.options import check_option
from segue.server.processor import Store
from segue.server.stores.memory import MemoryStore
from segue.server.stores.sqlite import SqliteStore

_LONGEST_SHOWN: Final = 60
_SECRETLESS: Final = re.compile(r"[\w./\\ -]*")
"""A pattern for texts that cannot contain a password, since they have none of `@`, `:` and `=`."""
_URL: Final = re.compile(
    r"postgres(?:ql)?://(?:(?P<user>[^@/]*)@)?"
    r"(?P<hosts>(?:(?:\[[^]@/]*\]|[^][@:/?,]*)(?::[0-9]*)?,?)*)"
    r"(?:/(?P<database>[^@?]*))?(?:\?(?P<query>.*))?",
    re.DOTALL,
)


class PostgresUrl(NamedTuple):
    """The parts of the URL of a database that may be shown."""

    host: str
    database: str
    has_password: bool


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
        postgres_url(address)  # refuses a malformed one without showing it
        # The warnings of the pool repeat the text of `StoreUnavailable`.
        logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
        from segue.server.stores.postgres import PostgresStore  # it needs its extra

        return PostgresStore(address)
    raise ConfigurationError(
        f"{_shown(address)}not a store address: use sqlite:FILE, postgresql://host/database "
        "or memory"
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
        raise ConfigurationError("the address of the store names no file: use sqlite:segue.db")
    found, absolute = Path(path), Path("/", path)
    if found != absolute and not found.parent.is_dir() and absolute.parent.is_dir():
        raise ConfigurationError(
            f"sqlite:{found} is a relative path, and the current directory has no {found.parent}: "
            f"use sqlite:{absolute} for an absolute path"
        )
    return found


def postgres_url(address: str) -> PostgresUrl:
    """Return the parts of the URL of a database, split as PostgreSQL itself does.

    Raises `ConfigurationError` if the URL is malformed. A `/` in a password, for example, would
    make the rest of the password a database, whose name is shown.
    """
    found = _URL.fullmatch(address)
    if found is None:
        raise ConfigurationError(
            "the address of the store cannot be read: use postgresql://user:password@host:port/"
            "database, and in the password write %40 for @ and %2F for /"
        )
    hosts = re.sub(r":[0-9]*(?=,|\Z)", "", found["hosts"])
    has_password = ":" in (found["user"] or "").rstrip(":")
    has_password |= re.search("password=[^&]", found["query"] or "", re.IGNORECASE) is not None
    return PostgresUrl(hosts.strip("[]"), found["database"] or "", has_password)


def _shown(address: str) -> str:
    """Return the beginning of an error message about an address: `'segue.db' is `.

    Return an empty text if the address may contain a password.
    """
    is_safe = _SECRETLESS.fullmatch(address) is not None
    return f"{address[:_LONGEST_SHOWN]!r} is " if is_safe else ""
