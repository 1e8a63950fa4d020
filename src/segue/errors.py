"""Errors that the caller of Segue can handle.

Senders' mistakes are findings, never exceptions. Every message says how to correct the mistake. Any
other exception that leaves Segue is a bug in Segue.
"""

from segue.core.errors import (
    ConfigurationError,
    SchemaTooNew,
    SegueError,
    StoreConflict,
    StoreUnavailable,
    UnknownRule,
    UnreadableLog,
)

__all__ = [
    "ConfigurationError",
    "SchemaTooNew",
    "SegueError",
    "StoreConflict",
    "StoreUnavailable",
    "UnknownRule",
    "UnreadableLog",
]
