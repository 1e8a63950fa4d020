"""Conversations with times, in the shorthand `N+a@0 C+b@60`: seconds after `START`."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.streams import body

import segue

__all__ = ["START", "Timed", "check", "envelope", "timed"]

START: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)

Timed = tuple[Ev, float]
"""An event and the seconds after `START` at which it is received."""


def timed(shorthand: str) -> list[Timed]:
    """Return the events of `N+a@0 C+b@60` with their times."""
    words = [word.rpartition("@") for word in shorthand.split()]
    return [(log(event)[0], float(at)) for event, _, at in words]


def envelope(event: Ev, at: float) -> dict[str, Any]:
    """Return a line of a log."""
    received_at = (START + timedelta(seconds=at)).isoformat()
    return {"received_at": received_at, "body": body(event)}


def check(events: Iterable[Timed], **options: Any) -> segue.Report:
    """Return the report of a conversation."""
    return segue.check([envelope(*each) for each in events], **options)
