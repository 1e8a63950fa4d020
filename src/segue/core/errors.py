"""Exceptions for mistakes of the caller. Mistakes of a sender are findings instead.

Any other exception raised by Segue is a bug in Segue. Every message says how to fix the mistake.
"""


class SegueError(Exception):
    """Base class of all errors that Segue raises."""


class ConfigurationError(SegueError):
    """Raised for a wrong argument, option or setting."""


class UnknownRule(ConfigurationError):
    """Raised for a code, prefix or name that matches no rule."""


class UnreadableLog(SegueError):
    """Raised if a log cannot be opened or decompressed. A broken line is a finding instead."""


class StoreUnavailable(SegueError):
    """Raised if a store is locked, full, read-only or gone. Trying again later may succeed."""


class StoreConflict(SegueError):
    """Raised if another writer changed the conversation between load and save."""


class SchemaTooNew(SegueError):
    """Raised for a snapshot or store that a newer version of Segue wrote."""
