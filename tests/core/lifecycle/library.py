"""The library's verdict on a stream of events, in the form of the oracle's."""

from collections.abc import Sequence

from tests.core.lifecycle.walker import Walker
from tests.oracle.oracle import Ev, Verdict
from tests.streams import KINDS

from segue.core.events import EventKind

__all__ = ["close", "judged", "take"]


def judged(events: Sequence[Ev], partial: str = "") -> Verdict:
    """Judge a log, closed unless its end is cut."""
    walker = Walker.truncated_start() if partial in ("start", "both") else Walker()
    findings = [
        found for position, event in enumerate(events) for found in take(walker, position, event)
    ]
    if partial not in ("end", "both") and events:
        findings += close(walker)
    return Verdict(findings, walker.phase.value)


def take(walker: Walker, position: int, event: Ev) -> list[tuple[int | None, str]]:
    """Take one event; return what is found at its position."""
    codes = walker.take(KINDS[event.kind], event.agent, event)
    return [(position, code) for code in codes]


def close(walker: Walker) -> list[tuple[int | None, str]]:
    """Close the log; return what is found only then."""
    if walker.phase.value == "ended":
        return []
    codes = walker.take(EventKind.CLOSE)
    return [*((None, code) for code in codes), (None, "SG108")]
