"""The library's verdict on a stream of events, in the form of the oracle's."""

from collections.abc import Sequence

from tests.oracle.oracle import Ev, Verdict
from tests.streams import KINDS

from segue.events import EventKind
from segue.lifecycle import Roster, advance

__all__ = ["close", "judged", "take"]


def judged(events: Sequence[Ev], partial: str = "") -> Verdict:
    """Judge a log, closed unless its end is cut."""
    roster = Roster.midway() if partial in ("start", "both") else Roster()
    findings = [
        found for position, event in enumerate(events) for found in take(roster, position, event)
    ]
    if partial not in ("end", "both") and events:
        findings += close(roster)
    return Verdict(findings, roster.phase.value)


def take(roster: Roster, position: int, event: Ev) -> list[tuple[int | None, str]]:
    """Let a roster take one event; return what is found at its position."""
    move = advance(
        roster, KINDS[event.kind], event.agent, event, same=lambda one, other: one == other
    )
    found = [] if move.code is None else [move.code]
    if move.respelled and move.code != "SG601":
        found.append("SG206")
    return [(position, code) for code in found]


def close(roster: Roster) -> list[tuple[int | None, str]]:
    """Close the log of a roster; return what is found only then."""
    if roster.phase.value == "ended":
        return []
    move = advance(roster, EventKind.CLOSE, "")
    own: list[tuple[int | None, str]] = [] if move.code is None else [(None, move.code)]
    return [*own, (None, "SG108")]
