"""The events that would be legal next, computed from the table."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from segue.core.events import EventKind
from segue.core.lifecycle.phase import PresenceEffect
from segue.core.lifecycle.presence import MOST_MEMOIZED, UNNAMED, Presence
from segue.core.lifecycle.transitions import decision_of, is_legal

_NEVER_EXPECTED: Final = frozenset(
    {
        EventKind.USER_MESSAGE,
        EventKind.AGENT_MESSAGE,
        EventKind.UNPROCESSABLE,
        EventKind.CLOSE,
    },
)

_NAMED: Final = 3
"""The maximum number of former consultants in a list of agents who may reconnect."""


def expected(
    presence: Presence, names: Sequence[str], *, most: int | None = None
) -> tuple[str, ...]:
    """Return the labels of events that would be legal now, such as `COLD entry by another agent`.

    Exits that are still accepted from agents who have already left are not included.

    Args:
        presence: The agents present, by number.
        names: The identities of the agents, indexed by number.
        most: The maximum number of labels. If there are more, a last label gives the number of the
            others, such as `3 more`.

    """
    crowd = len(presence.consultants) + len(presence.pending_exits)
    legal = (_legal if crowd <= MOST_MEMOIZED else _legal.__wrapped__)(presence)
    labels = [
        label if agent is None else f"{label} {names[agent]}" for label, agent in legal[:most]
    ]
    more = [f"{len(legal) - most} more"] if most is not None and len(legal) > most else []
    return (*labels, *more)


@lru_cache(maxsize=1_024)
def _legal(presence: Presence) -> tuple[tuple[str, int | None], ...]:
    """Return the labels of the legal events, each with the number of its agent.

    A label such as `NA exit by` is to be completed with the agent. The number is None if the label
    is complete.
    """
    return tuple(
        _label(presence, kind, agent)
        for kind in EventKind
        if kind not in _NEVER_EXPECTED
        for alike in _candidates(presence, kind)
        if _is_expected(presence, kind, alike[0])
        for agent in alike
    )


def _candidates(presence: Presence, kind: EventKind) -> Iterator[tuple[int | None, ...]]:
    """Yield groups of agent numbers. The table treats all agents of a group alike.

    An agent who has not entered yet comes last.
    """
    if not (kind.is_entry or kind.is_exit):
        yield (None,)
        return
    present, consultants = presence.present, presence.consultants
    if len(present) > len(consultants):
        yield present[:1]
    if consultants:
        yield consultants
    others = [] if presence.last is None else [presence.last]
    if kind is EventKind.REDIAL_ENTRY and presence.primary is not None:
        others += presence.consulted[-_NAMED:]
    for agent in dict.fromkeys([*others, presence.agents]):
        if agent not in present:
            yield (agent,)


def _is_expected(presence: Presence, kind: EventKind, agent: int | None) -> bool:
    """Return whether an event is legal. Awaited exits and exits without an effect do not count."""
    decision = decision_of(presence, kind, agent)
    return (
        is_legal(decision.code)
        and decision.effect is not PresenceEffect.CONSUME
        and not (kind.is_exit and decision.effect is PresenceEffect.NONE)
    )


def _label(presence: Presence, kind: EventKind, agent: int | None) -> tuple[str, int | None]:
    """Return the label of an event, and the agent number that completes the label or None."""
    if agent is None:
        return kind.value, None
    if agent < presence.agents:
        return f"{kind.value} by", agent
    if kind.is_exit and presence.primary == UNNAMED:
        return f"{kind.value} by the agent no event named", None
    has_agents = presence.present or presence.last is not None or presence.primary == UNNAMED
    return f"{kind.value} by {'another agent' if has_agents else 'an agent'}", None
