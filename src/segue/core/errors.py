"""Exceptions for mistakes of the program that calls Segue. Mistakes of a sender are findings.

Any other exception raised by Segue is a bug in Segue. Every message says how to fix the mistake.
"""

from typing import Any


class SegueError(Exception):
    """The base class of all errors that Segue raises. They can be pickled and copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the error without the arguments with which its class was called."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[SegueError], args: tuple[Any, ...], kept: dict[str, Any]) -> SegueError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(kept)
    return error


class ConfigurationError(SegueError):
    """Raised for a wrong argument, option or setting."""


class UnknownRule(ConfigurationError):
    """Raised for a selector such as `SG1` or `missing-na-entry` that matches no rule."""


class UnreadableLog(SegueError):
    """Raised if a log cannot be opened or decompressed.

    A single line that cannot be read raises no exception. It is reported as a finding.
    """


class StoreUnavailable(SegueError):
    """Raised if a store is locked, full, read-only or gone. Trying again later may succeed."""


class StoreConflict(SegueError):
    """Raised if another writer changed a conversation between its loading and its saving."""


class SchemaTooNew(SegueError):
    """Raised for a snapshot or a store that was written by a newer version of Segue."""
