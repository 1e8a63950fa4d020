"""Events and flaws at their place in a conversation."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from segue.events import Event, EventKind, Flaw
from segue.findings import Finding, Place
from segue.lifecycle import Presence

__all__ = ["PlacedEvent", "by_code", "findings_of"]


class PlacedEvent(NamedTuple):
    """A processable lifecycle event or message with its place in the conversation."""

    event: Event
    kind: EventKind
    position: int
    line: int | None
    at: datetime | None
    """When it was received; never before the events that came earlier."""
    agent: str
    """The agent meant, in the spelling the conversation knows; empty for an event of no agent."""
    number: int | None
    """The number of the agent."""
    before: Presence

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.position, None, self.event.pointer, self.line)


def findings_of(flaws: Iterable[Flaw], place: Place) -> list[Finding]:
    """Return the findings of flaws, each pointing at its field."""
    return [flaw.finding(place) for flaw in flaws]


def by_code(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings of one place in the order of their codes."""
    return sorted(findings, key=lambda finding: finding.code)
