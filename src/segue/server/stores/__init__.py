"""Stores: where conversations are stored.

Each implements the port `segue.server.processor.Store` and passes the one conformance suite.
"""

from segue.server.stores.address import open_store
from segue.server.stores.memory import MemoryStore
from segue.server.stores.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore", "open_store"]
