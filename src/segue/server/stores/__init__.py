"""Stores of conversations: in memory, in a SQLite file, and in PostgreSQL.

Each implements `segue.server.processor.Store` and passes the same conformance suite.
"""

from segue.server.stores.address import open_store
from segue.server.stores.memory import MemoryStore
from segue.server.stores.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore", "open_store"]
