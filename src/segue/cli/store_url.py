"""Stores by their address, as commands are given it: `sqlite:segue.db`, `postgresql://…`, `memory`.

It decides what an address means.  House rules: an address with a password comes from the
environment, for a command line can be read by everybody on the machine; who only looks into a store
makes none; what is shown of a store has no password in it.
"""

import os
from typing import Final
from urllib.parse import urlsplit

from segue.cli.option_groups import section
from segue.cli.policy import live_policy
from segue.errors import ConfigurationError
from segue.processor import Processor
from segue.stores.address import is_memory, is_postgres, open_store, sqlite_path

__all__ = ["STORE", "VARIABLE", "address_of", "processor_of", "shown"]

VARIABLE: Final = "SEGUE_STORE"
_DEFAULT: Final = "sqlite:segue.db"

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
    if is_postgres(given) and urlsplit(given).password:
        raise ConfigurationError(
            f"a password on the command line can be read by others: put the address into "
            f"{VARIABLE}, or the password into PGPASSWORD or ~/.pgpass"
        )
    return given


def processor_of(given: str | None) -> Processor:
    """Return a processor on a store that is there already, with the policy of the settings."""
    address = address_of(given)
    file = sqlite_path(address)
    if file is not None and not file.exists():
        raise ConfigurationError(f"there is no store {file}: say where it is with --store")
    if is_memory(address):
        raise ConfigurationError("a store in memory is its own process's: no command can see it")
    return Processor(store=open_store(address), policy=live_policy({}))


def shown(address: str) -> str:
    """Say where a store is."""
    file = sqlite_path(address)
    if file is not None:
        return str(file.absolute())
    if is_postgres(address):
        parts = urlsplit(address)
        place = parts.hostname or "this machine"
        return f"PostgreSQL on {place}, database {parts.path.lstrip('/') or 'of its user'}"
    return "memory, until the server stops"
