"""Stores: where conversations are kept.

They decide how rows are laid out, locked and made durable.  House rules: each implements the port
`segue.processor.Store` and passes the one conformance suite; none knows what is in a snapshot, a
body or a notice.
"""

from segue.stores.memory import MemoryStore
from segue.stores.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore"]
