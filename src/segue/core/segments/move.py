"""The agents present before and after one lifecycle event, by identity."""

from collections.abc import Sequence
from typing import NamedTuple

from segue.core.events import EventKind
from segue.core.lifecycle import UNNAMED, Decision, Phase, Presence, PresenceEffect


class Move(NamedTuple):
    """The change that one event made to the agents present.

    `primary` and `primary_before` are None without a primary, and empty if no event named the
    primary.
    """

    kind: EventKind
    agent: str
    """The identity of the event's agent. Empty for an event without an agent."""
    code: str | None
    """The rule that reported the event, or None if the event was legal."""
    effect: PresenceEffect
    """The change of the presence, as the lifecycle table names it."""
    phase_before: Phase
    phase: Phase
    primary_before: str | None
    primary: str | None
    present_before: tuple[str, ...]
    """The identities of the agents present before the event, beginning with the primary.

    A primary that no event named is left out.
    """
    present: tuple[str, ...]
    """The identities of the agents present after the event, in the same form."""
    last_before: str | None
    """The agent who last ceased to be the primary before the event, or None."""

    @classmethod
    def between(
        cls, before: Presence, after: Presence, decision: Decision, agent: str, names: Sequence[str]
    ) -> "Move":
        """Return the move from one presence to the next.

        `names` contains the identities of agents, indexed by agent number.
        """
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
    """Return the identity of the agent with this number, or an empty string for `UNNAMED`."""
    if number is None:
        return None
    return "" if number == UNNAMED else names[number]
