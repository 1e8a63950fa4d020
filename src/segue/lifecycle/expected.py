"""Which events would be legal now, read from the table the check itself reads."""

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle.phase import Effect
from segue.lifecycle.roster import UNNAMED, Roster
from segue.lifecycle.table import TABLE

__all__ = ["expected", "is_legal"]

_ANOTHER = "\N{NUMBER SIGN}"
"""Stands for an agent nobody has heard of; never shown."""


def is_legal(code: str | None) -> bool:
    """Whether the specification allows what has this code, or says nothing about it."""
    return code is None or BY_CODE[code].severity is Severity.NOTE


def expected(roster: Roster) -> tuple[str, ...]:
    """Labels of the legal events: `NA exit by a-1`, `COLD entry by another agent`, `message`.

    Exits that are merely awaited from agents who left already are no expectation.
    """
    labels: list[str] = []
    present = roster.present
    newcomer = _newcomer(roster)
    candidates = dict.fromkeys((*present, *filter(None, (roster.last,)), newcomer))
    for kind in EventKind:
        if kind in _NEVER:
            continue
        if not (kind.is_entry or kind.is_exit):
            if _allows(roster, kind, ""):
                labels.append(kind.value)
            continue
        labels += [
            f"{kind.value} by {_called(agent, newcomer, kind, roster)}"
            for agent in candidates
            if _allows(roster, kind, agent)
        ]
    return tuple(labels)


_NEVER = frozenset(
    {
        EventKind.USER_MESSAGE,
        EventKind.AGENT_MESSAGE,
        EventKind.UNPROCESSABLE,
        EventKind.CLOSE,
    },
)


def _allows(roster: Roster, kind: EventKind, agent: str) -> bool:
    cell = TABLE[roster.phase][kind][roster.situate(agent)]
    return (
        cell is not None
        and is_legal(cell.code)
        and cell.effect is not Effect.CONSUME
        and not (kind.is_exit and cell.effect is Effect.NONE)
    )


def _newcomer(roster: Roster) -> str:
    name = _ANOTHER
    while name in roster.known:
        name += _ANOTHER
    return name


def _called(agent: str, newcomer: str, kind: EventKind, roster: Roster) -> str:
    if agent != newcomer:
        return agent
    if kind.is_exit and roster.primary == UNNAMED:
        return "the agent no event named"
    is_somebody_there = roster.present or roster.last or roster.primary == UNNAMED
    return "another agent" if is_somebody_there else "an agent"
