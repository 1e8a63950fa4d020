"""The events that would be legal next, read from the table."""

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
"""The number of former consultants listed as agents who may reconnect."""


def expected(
    presence: Presence, names: Sequence[str], *, most: int | None = None
) -> tuple[str, ...]:
    """Return labels of the legal events, such as `NA exit by a-1` or `COLD entry by another agent`.

    `names` are the identities of the agents by number. Exits that are only awaited from agents who
    already left are not included. With `most`, the labels beyond it are replaced by a last one that
    counts them.
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
    """Return labels of the legal events, each with the number of the agent it ends with or None."""
    return tuple(
        _label(presence, kind, agent)
        for kind in EventKind
        if kind not in _NEVER_EXPECTED
        for alike in _candidates(presence, kind)
        if _is_expected(presence, kind, alike[0])
        for agent in alike
    )


def _candidates(presence: Presence, kind: EventKind) -> Iterator[tuple[int | None, ...]]:
    """Yield groups of agents that the table treats alike, an unknown agent last."""
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
    decision = decision_of(presence, kind, agent)
    return (
        is_legal(decision.code)
        and decision.effect is not PresenceEffect.CONSUME
        and not (kind.is_exit and decision.effect is PresenceEffect.NONE)
    )


def _label(presence: Presence, kind: EventKind, agent: int | None) -> tuple[str, int | None]:
    if agent is None:
        return kind.value, None
    if agent < presence.agents:
        return f"{kind.value} by", agent
    if kind.is_exit and presence.primary == UNNAMED:
        return f"{kind.value} by the agent no event named", None
    has_agents = presence.present or presence.last is not None or presence.primary == UNNAMED
    return f"{kind.value} by {'another agent' if has_agents else 'an agent'}", None
