"""Which events would be legal now, read from the table the check itself reads."""

from functools import lru_cache
from typing import Final

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle.phase import Effect, Phase
from segue.lifecycle.presence import UNNAMED, Roster
from segue.lifecycle.table import TABLE

__all__ = ["expected", "is_legal"]

_NEWCOMER: Final = ""
"""Stands for an agent nobody has heard of, or for none: an identity is never empty."""


def is_legal(code: str | None) -> bool:
    """Whether the specification allows what has this code, or says nothing about it."""
    return code is None or BY_CODE[code].severity is Severity.NOTE


def expected(roster: Roster) -> tuple[str, ...]:
    """Labels of the legal events: `NA exit by a-1`, `COLD entry by another agent`, `message`.

    Exits that are merely awaited from agents who left already are no expectation.
    """
    last = (roster.last,) if roster.last else ()
    candidates = tuple(dict.fromkeys((*roster.present, *last, _NEWCOMER)))
    situations = tuple([roster.situate(agent) for agent in candidates])
    return tuple(
        kind.value
        if index is None
        else f"{kind.value} by {candidates[index] or _newcomer(kind, roster)}"
        for kind, index in _legal(roster.phase, situations)
    )


_NEVER = frozenset(
    {
        EventKind.USER_MESSAGE,
        EventKind.AGENT_MESSAGE,
        EventKind.UNPROCESSABLE,
        EventKind.CLOSE,
    },
)


@lru_cache(maxsize=1_000)
def _legal(phase: Phase, situations: tuple[int, ...]) -> list[tuple[EventKind, int | None]]:
    """Return what is legal in which of these situations, the last one being a newcomer's.

    An event that is no agent's stands without one (None).
    """
    return [
        (kind, index)
        for kind in EventKind
        if kind not in _NEVER
        for index, situation in (
            enumerate(situations) if kind.is_entry or kind.is_exit else [(None, situations[-1])]
        )
        if _allows(phase, kind, situation)
    ]


def _allows(phase: Phase, kind: EventKind, situation: int) -> bool:
    cell = TABLE[phase][kind][situation]
    return (
        cell is not None
        and is_legal(cell.code)
        and cell.effect is not Effect.CONSUME
        and not (kind.is_exit and cell.effect is Effect.NONE)
    )


def _newcomer(kind: EventKind, roster: Roster) -> str:
    if kind.is_exit and roster.primary == UNNAMED:
        return "the agent no event named"
    is_somebody_there = roster.present or roster.last or roster.primary == UNNAMED
    return "another agent" if is_somebody_there else "an agent"
