"""The agents present before and after one lifecycle event, by name."""

from collections.abc import Sequence
from typing import NamedTuple

from segue.core.events import EventKind
from segue.core.lifecycle import UNNAMED, Decision, Phase, Presence, PresenceEffect


class Move(NamedTuple):
    """The effect of one event on the agents present.

    The name of a primary is None if there is no primary, and empty if no event named the agent.
    """

    kind: EventKind
    agent: str
    """Empty for an event that belongs to no agent."""
    code: str | None
    """The rule that reported the event."""
    effect: PresenceEffect
    phase_before: Phase
    phase: Phase
    primary_before: str | None
    primary: str | None
    present_before: tuple[str, ...]
    """The present agents who have been named, the primary first."""
    present: tuple[str, ...]
    last_before: str | None

    @classmethod
    def between(
        cls, before: Presence, after: Presence, decision: Decision, agent: str, names: Sequence[str]
    ) -> "Move":
        """Return the move between two presences. `names` are the identities by agent number."""
        return cls(
            kind=decision.kind,
            agent=agent,
            code=decision.reported_code,
            effect=decision.effect,
            phase_before=before.phase,
            phase=after.phase,
            primary_before=_name(before.primary, names),
            primary=_name(after.primary, names),
            present_before=tuple([names[each] for each in before.present]),
            present=tuple([names[each] for each in after.present]),
            last_before=_name(before.last, names),
        )


def _name(number: int | None, names: Sequence[str]) -> str | None:
    if number is None:
        return None
    return "" if number == UNNAMED else names[number]
