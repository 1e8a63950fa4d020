"""Adds the names of logs to findings, for conversations with events in several logs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from segue.core.engine import MACHINES, State
from segue.core.events import INTAKES
from segue.core.findings import Finding, Place

_NOUNS: Final = {intake.machine: intake.noun for intake in INTAKES.values()}


class SourceChange(NamedTuple):
    """The point at which a conversation continues in another log."""

    event: int
    """The position of the conversation's first event in the log."""
    source: str
    """The name of the log."""
    actions: Mapping[str, int] = {}
    """The number of earlier actions by `Place.noun`. Kinds without earlier actions are left out."""

    @classmethod
    def at(cls, state: State, source: str) -> "SourceChange":
        """Return the change of a conversation that continues in the log `source` now."""
        actions = {_NOUNS[name]: MACHINES[name].position(state) for name in state.sessions}
        return cls(state.position, source, actions)

    def is_before(self, place: Place, latest: int) -> bool:
        """Return whether a place is in this log or a later one.

        `latest` is the position of the event to assume for a place without an event or action.
        """
        if place.event is None and place.action is not None:
            return self.actions.get(place.noun, 0) <= place.action
        return self.event <= (latest if place.event is None else place.event)


def with_source(
    findings: Iterable[Finding], source: str, changes: Sequence[SourceChange], latest: int
) -> list[Finding]:
    """Return copies of findings in which each place names its log.

    Use this for a conversation that continues from one log to another.

    Args:
        findings: Findings of one conversation.
        source: The name of the log that is being read.
        changes: The points at which the conversation continues in another log, in order.
        latest: The position of the event to assume for a place without an event or action.

    """

    def of(place: Place) -> Place:
        names = (change.source for change in reversed(changes) if change.is_before(place, latest))
        return replace(place, source=next(names, source))

    return [
        replace(
            finding,
            place=of(finding.place),
            because=tuple(replace(cause, place=of(cause.place)) for cause in finding.because),
        )
        for finding in findings
    ]
