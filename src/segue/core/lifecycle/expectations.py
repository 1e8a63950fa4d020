"""The events that would be legal next, computed from the table."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from segue.core.events import EventKind
from segue.core.events.kind import JUDGED
from segue.core.lifecycle.phase import PresenceEffect
from segue.core.lifecycle.presence import MOST_MEMOIZED, UNNAMED, Presence
from segue.core.lifecycle.transitions import decision_of, is_legal

_NEVER_EXPECTED: Final = frozenset(
    {
        EventKind.USER_MESSAGE,
        EventKind.AGENT_MESSAGE,
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
    """Return a `(label, agent)` pair for each event that would be legal now.

    If `agent` is a number, the label is incomplete, such as `NA exit by`, and the caller appends
    the identity of that agent. If `agent` is None, the label is complete.
    """
    return tuple(
        _label(presence, kind, agent)
        for kind in JUDGED
        if kind not in _NEVER_EXPECTED
        for alike in _candidates(presence, kind)
        if _is_expected(presence, kind, alike[0])
        for agent in alike
    )


def _candidates(presence: Presence, kind: EventKind) -> Iterator[tuple[int | None, ...]]:
    """Yield tuples of the agents who might send an event of this kind, by agent number.

    An event of one agent of a tuple is legal exactly if the same event of the others is. The last
    tuple contains the number that the next new agent would get. For events without an agent, the
    only tuple is `(None,)`.
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
    is_known = bool(presence.candidates) and kind.is_exit  # a candidate left, not somebody else
    for agent in dict.fromkeys([*others, *(() if is_known else (presence.agents,))]):
        if agent not in present:
            yield (agent,)


def _is_expected(presence: Presence, kind: EventKind, agent: int | None) -> bool:
    """Return whether an event is legal and changes who is present.

    Exits of agents who are already absent are tolerated when they come late, but are not expected.
    """
    decision = decision_of(presence, kind, agent)
    return (
        is_legal(decision.code)
        and decision.effect is not PresenceEffect.CONSUME
        and not (kind.is_exit and decision.effect is PresenceEffect.NONE)
    )


def _label(presence: Presence, kind: EventKind, agent: int | None) -> tuple[str, int | None]:
    """Return a `(label, agent)` pair for an event, as `_legal` does."""
    if agent is None:
        return kind.value, None
    if agent < presence.agents:
        return f"{kind.value} by", agent
    if kind.is_exit and presence.primary == UNNAMED:
        return f"{kind.value} by the agent no event named", None
    has_agents = presence.present or presence.last is not None or presence.primary == UNNAMED
    return f"{kind.value} by {'another agent' if has_agents else 'an agent'}", None
