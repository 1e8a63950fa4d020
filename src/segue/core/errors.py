"""Exceptions for mistakes of the caller. Mistakes of a sender are findings instead.

Any other exception raised by Segue is a bug in Segue. Every message says how to fix the mistake.
"""


class SegueError(Exception):
    """Base class of all errors that Segue raises."""


class ConfigurationError(SegueError):
    """An argument, option or setting is wrong."""


class UnknownRule(ConfigurationError):
    """A code or prefix selects no rule of the catalogue."""


class UnreadableLog(SegueError):
    """A log cannot be opened or decompressed. A broken line is a finding instead."""


class StoreUnavailable(SegueError):
    """The store is locked, full, read-only or gone. Trying again later may succeed."""


class StoreConflict(SegueError):
    """Another writer changed the conversation between load and save."""


class SchemaTooNew(SegueError):
    """A snapshot or store was written by a newer Segue than this one."""
