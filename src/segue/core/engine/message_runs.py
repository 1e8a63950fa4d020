"""The messages of a conversation as runs: consecutive messages of one author, in a flat list.

A run is not interrupted by other events. A message whose delivery contains other events begins a
run, so that the boundaries of deliveries are known.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from segue.core.epoch import from_iso, to_iso
from segue.core.events import Json

MOST_RUNS: Final = 10_000
"""The maximum number of runs of a conversation. Messages beyond it are counted by author."""

USER: Final = -1
"""The author of a message of the customer."""
UNKNOWN: Final = -2
"""The author of a message without an author type, or of an agent without an identity."""
UNNAMED_AGENT: Final = -3
"""The author of a message of an agent whose identity is not kept."""
STRANGER: Final = -4
"""The author of a message of the first agent whom no lifecycle event had named. The authors of the
next ones are -5, -6 and so on.
"""
MOST_STRANGERS: Final = 64
"""The maximum number of such agents whose identities are kept."""


class StoredRun(NamedTuple):
    """A run of messages, which is stored as six elements of a list."""

    position: int
    delivery: int
    """The number of the delivery of the first message, as in a row of the history."""
    first_at: datetime | None
    who: int
    """Twice the author, plus 1 if the delivery of the first message contains other events. The
    author is the number of an agent, or one of the constants of this module.
    """
    messages: int
    last_at: datetime | None

    @property
    def author(self) -> int:
        """The number of an agent, or one of the constants of this module."""
        return self.who >> 1

    @property
    def end(self) -> int:
        """The position after the last message."""
        return self.position + self.messages

    def to_json(self) -> Json:
        """Return the run as a list of JSON values."""
        return [to_iso(each) if isinstance(each, datetime) else each for each in self]

    @classmethod
    def from_json(cls, value: list[Any]) -> "StoredRun":
        """Return the run that `to_json` converted to a list."""
        position, delivery, first, who, messages, last = value
        return cls(position, delivery, from_iso(first), who, messages, from_iso(last))


SIZE: Final = len(StoredRun._fields)
"""The number of elements of a run."""


def runs_in(runs: list[Any]) -> Iterator[StoredRun]:
    """Yield the runs of a list."""
    elements = iter(runs)
    yield from map(StoredRun._make, zip(*[elements] * SIZE, strict=True))


def add_run(runs: list[Any], run: StoredRun) -> None:
    """Append a run to a list, or continue the last run of the list if the run continues it."""
    for last in runs_in(runs[-SIZE:]):
        if not run.who & 1 and (last.author, last.end) == (run.author, run.position):
            runs[-2:] = last.messages + run.messages, run.last_at
            return
    runs += run
