"""Errors that a program that uses Segue can handle.

Mistakes of a sender are findings, never exceptions. Every error message says how to correct the
mistake. Any other exception that Segue raises is a bug in Segue.
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
