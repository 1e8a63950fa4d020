"""Stores: where conversations are stored.

Each implements the port `segue.processor.Store` and passes the one conformance suite.
"""

from segue.stores.address import open_store
from segue.stores.memory import MemoryStore
from segue.stores.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore", "open_store"]
