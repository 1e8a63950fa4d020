"""The option `--store`, and the stores that its addresses name.

An address is `sqlite:FILE`, `postgresql://…` or `memory`. One with a password comes from the
environment, since other users can read a command line.
"""

import os
from typing import Final

from segue.cli.config import policy_of, settings_of
from segue.cli.options import option_group
from segue.core.errors import ConfigurationError
from segue.server.processor import Processor
from segue.server.stores.address import (
    is_memory,
    is_postgres,
    open_store,
    postgres_url,
    sqlite_path,
)

_VARIABLE: Final = "SEGUE_STORE"
_DEFAULT: Final = "sqlite:segue.db"

STORE: Final = option_group("The store")(
    "--store ADDRESS",
    "Where conversations are stored: sqlite:FILE, postgresql://… or memory.  "
    f"[default: {_VARIABLE} of the environment, or {_DEFAULT} in this folder]",
)


def store_address(given: str | None) -> str:
    """Return the address of the store: `given`, else `SEGUE_STORE`, else `sqlite:segue.db`.

    Raise `ConfigurationError` for a password on the command line.
    """
    if given is None:
        return os.environ.get(_VARIABLE) or _DEFAULT
    if is_postgres(given) and postgres_url(given).has_password:
        raise ConfigurationError(
            f"a password on the command line can be read by others: put the address into "
            f"{_VARIABLE}, or the password into PGPASSWORD or ~/.pgpass"
        )
    return given


def existing_processor(given: str | None, *, may_be_new: bool = False) -> Processor:
    """Return a processor that reads and writes an existing store, with the policy of the settings.

    The processor does not act on deadlines, because the server of the store does, and calls the
    callbacks. Raise `ConfigurationError` if the store does not exist, unless `may_be_new`.
    """
    address = store_address(given)
    file = sqlite_path(address)
    if file is not None and not file.exists() and not may_be_new:
        raise ConfigurationError(f"the store {file} does not exist: give its address as --store")
    if is_memory(address):
        raise ConfigurationError(
            "a store in memory can be read by its own process only: give another --store"
        )
    policy = policy_of(settings_of({}))
    return Processor(store=open_store(address), policy=policy, keeps_deadlines=False)


def store_label(address: str) -> str:
    """Return the location of a store for messages, without a password.

    It is the path of a file, or a text such as `PostgreSQL on db-1, database segue`.
    """
    file = sqlite_path(address)
    if file is not None:
        return str(file.absolute())
    if is_postgres(address):
        url = postgres_url(address)
        place = url.host or "this machine"
        return f"PostgreSQL on {place}, database {url.database or 'of its user'}"
    return "memory, until the server stops"
