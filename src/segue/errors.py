"""What our own user can get wrong. What a sender gets wrong is a finding, never an exception.

The set is closed: any other exception that leaves Segue is a defect of Segue.  Every message says
how to mend the mistake.
"""

__all__ = [
    "ConfigurationError",
    "SchemaTooNew",
    "SegueError",
    "StoreConflict",
    "StoreUnavailable",
    "UnknownRule",
    "UnreadableLog",
]


class SegueError(Exception):
    """The root of everything Segue raises on purpose."""


class ConfigurationError(SegueError):
    """An argument, option or setting that cannot be meant."""


class UnknownRule(ConfigurationError):  # noqa: N818 - public names say what happened
    """A code or code prefix that selects no rule of the catalogue."""


class UnreadableLog(SegueError):  # noqa: N818
    """A log that cannot be opened or decompressed at all; a broken line is a finding instead."""


class StoreUnavailable(SegueError):  # noqa: N818
    """The store is locked, full, read-only or gone; trying again later may succeed."""


class StoreConflict(SegueError):  # noqa: N818
    """Somebody else wrote the same conversation between our load and our save."""


class SchemaTooNew(SegueError):  # noqa: N818
    """A snapshot or database was written by a newer Segue than this one."""
