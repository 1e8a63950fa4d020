"""Which events would be legal now, read from the table the check itself reads."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from segue.events import EventKind
from segue.lifecycle.phase import PresenceEffect
from segue.lifecycle.presence import UNNAMED, Presence
from segue.lifecycle.transitions import is_legal, transition

_NEVER_EXPECTED: Final = frozenset(
    {
        EventKind.USER_MESSAGE,
        EventKind.AGENT_MESSAGE,
        EventKind.UNPROCESSABLE,
        EventKind.CLOSE,
    },
)

_NAMED: Final = 3
"""How many agents who left the consultants are named as those who may reconnect."""


def expected(presence: Presence, names: Sequence[str]) -> tuple[str, ...]:
    """Return labels of the legal events: `NA exit by a-1`, `COLD entry by another agent`.

    `names` are the identities of the agents by number. Exits that are merely awaited from agents
    who left already are not expected.
    """
    return tuple(
        label if agent is None else f"{label} {names[agent]}" for label, agent in _legal(presence)
    )


@lru_cache(maxsize=1_024)
def _legal(presence: Presence) -> tuple[tuple[str, int | None], ...]:
    """Return labels of the legal events, each with the number of the agent it ends with, if any."""
    return tuple(
        _label(presence, kind, agent)
        for kind in EventKind
        if kind not in _NEVER_EXPECTED
        for agent in _candidates(presence, kind)
        if _is_expected(presence, kind, agent)
    )


def _candidates(presence: Presence, kind: EventKind) -> Iterable[int | None]:
    """Return the agents to ask the table about, the number of an unknown one last."""
    if not (kind.is_entry or kind.is_exit):
        return (None,)
    named = presence.present
    if presence.last is not None:
        named = (*named, presence.last)
    if kind is EventKind.REDIAL_ENTRY and presence.primary is not None:
        named = (*named, *presence.consulted[-_NAMED:])
    return dict.fromkeys((*named, presence.agents))


def _is_expected(presence: Presence, kind: EventKind, agent: int | None) -> bool:
    _, decision = transition(presence, kind, agent)
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
