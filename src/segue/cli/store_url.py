"""Stores by their address, as commands are given it: `sqlite:segue.db`, `postgresql://…`, `memory`.

It decides what an address means.  House rules: an address with a password comes from the
environment, for a command line can be read by everybody on the machine; who only looks into a store
makes none; what is shown of a store has no password in it.
"""

import logging
import os
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from segue.cli.option_groups import section
from segue.cli.policy import live_policy
from segue.errors import ConfigurationError
from segue.processor import Processor, Store
from segue.stores import MemoryStore, SqliteStore

__all__ = [
    "STORE",
    "VARIABLE",
    "address_of",
    "is_memory",
    "opened",
    "processor_of",
    "shown",
    "sqlite_file",
]

VARIABLE: Final = "SEGUE_STORE"
_DEFAULT: Final = "sqlite:segue.db"
_EXAMPLES: Final = "sqlite:segue.db, postgresql://host/database or memory"

STORE: Final = section("What is kept")(
    "--store",
    metavar="ADDRESS",
    help="Where conversations are kept: sqlite:FILE, postgresql://…, memory.  "
    f"[default: {VARIABLE} of the environment, or {_DEFAULT} in this folder]",
)


def address_of(given: str | None) -> str:
    """Return the address that counts: the one given, that of the environment, or our own."""
    if given is None:
        return os.environ.get(VARIABLE) or _DEFAULT
    if _is_postgres(given) and urlsplit(given).password:
        raise ConfigurationError(
            f"a password on the command line can be read by others: put the address into "
            f"{VARIABLE}, or the password into PGPASSWORD or ~/.pgpass"
        )
    return given


def opened(address: str) -> Store:
    """Make the store of an address; nothing is touched yet."""
    if is_memory(address):
        return MemoryStore()
    file = sqlite_file(address)
    if file is not None:
        return SqliteStore(file)
    if _is_postgres(address):
        logging.getLogger("psycopg.pool").setLevel(
            logging.ERROR
        )  # we say ourselves what it warns of
        from segue.stores.postgres import PostgresStore  # noqa: PLC0415 - it needs its extra

        return PostgresStore(address)
    raise ConfigurationError(f"this is no address of a store: give {_EXAMPLES}")


def processor_of(given: str | None) -> Processor:
    """Return a processor on a store that is there already, with the policy of the settings."""
    address = address_of(given)
    file = sqlite_file(address)
    if file is not None and not file.exists():
        raise ConfigurationError(f"there is no store {file}: say where it is with --store")
    if is_memory(address):
        raise ConfigurationError("a store in memory is its own process's: no command can see it")
    return Processor(store=opened(address), policy=live_policy({}))


def is_memory(address: str) -> bool:
    """Whether nothing is kept beyond its process."""
    return address in ("memory", "memory:")


def sqlite_file(address: str) -> Path | None:
    """Return the file of `sqlite:FILE`, also with slashes as in `sqlite:///FILE`; None: no file."""
    scheme, colon, path = address.partition(":")
    if scheme != "sqlite" or not colon:
        return None
    if path.startswith("//"):
        host, slash, path = path[2:].partition("/")
        if host or not slash:
            path = ""
    if not path:
        raise ConfigurationError("a SQLite store is a file: give sqlite:segue.db")
    return Path(path)


def shown(address: str) -> str:
    """Say where a store is."""
    file = sqlite_file(address)
    if file is not None:
        return str(file.absolute())
    if _is_postgres(address):
        parts = urlsplit(address)
        place = parts.hostname or "this machine"
        return f"PostgreSQL on {place}, database {parts.path.lstrip('/') or 'of its user'}"
    return "memory, until the server stops"


def _is_postgres(address: str) -> bool:
    return address.startswith(("postgresql://", "postgres://"))
