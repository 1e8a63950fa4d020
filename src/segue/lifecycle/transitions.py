"""One step of a conversation: ask the table, keep silent about what was said, change the roster.

Pure but for the roster it is given: no time, no I/O, the same input gives the same verdict.  What
was sent wrong is a code in the `Move`; nothing here raises.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle.expectations import expected
from segue.lifecycle.phase import Effect, Phase
from segue.lifecycle.presence import UNNAMED, Roster
from segue.lifecycle.table import TABLE

__all__ = ["MESSAGES", "Move", "advance"]

MESSAGES: Final = frozenset(
    {EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE, EventKind.MESSAGE},
)


_END: Final = EventKind.END
_ENDED: Final = Phase.ENDED


class Move(NamedTuple):
    """What one event did: the verdict, and the roster before and after."""

    kind: EventKind
    agent: str
    """The agent meant, in the spelling the conversation knows it by; empty: none."""
    code: str | None
    """The rule that reports this event."""
    effect: Effect
    phase_before: Phase
    phase: Phase
    primary_before: str | None
    primary: str | None
    consultants_before: tuple[str, ...]
    consultants: tuple[str, ...]
    last_before: str | None
    respelled: bool
    """The agent was sent in a letter case not seen before: SG206."""
    expected: tuple[str, ...]
    """What would have been legal; computed only for an offence."""
    stamp: int = 0
    """What the table decided, see `Decision`; whatever was said of it."""


def advance(
    roster: Roster,
    kind: EventKind,
    agent: str,
    value: object = None,
    *,
    same: Callable[[object, object], bool] | None = None,
) -> Move:
    """Move the roster by one processable event and return what happened.

    `value` is the event as a JSON value and `same` compares two of them; without `same` no event
    repeats another.
    """
    spelling, agent = agent, roster.resolve(kind, agent)
    cell = TABLE[roster.phase][kind][roster.situate(agent)]
    assert cell is not None, "the table has a cell for every situation"  # noqa: S101
    is_message = kind in MESSAGES
    phase, primary, consultants, last = (
        roster.phase, roster.primary, roster.consultants, roster.last,
    )  # fmt: skip
    respelled = agent != spelling and spelling not in roster.spellings and phase is not _ENDED
    code = cell.code
    if code is not None and _silenced(roster, kind, code):
        code = None
    legal = () if code is None else expected(roster)
    if (
        code is not None
        and same is not None
        and not is_message
        and kind is not _END
        and phase is not _ENDED
        and BY_CODE[code].severity is not Severity.NOTE
        and same(roster.previous, value)
    ):
        return Move(
            kind, agent, "SG601", Effect.NONE, phase, phase, primary, primary,
            consultants, consultants, last, respelled=False, expected=legal, stamp=cell.stamp,
        )  # fmt: skip
    if respelled:
        roster.spellings |= {spelling}
    if code in _ONCE:
        roster.told |= {code}
    if not is_message and phase is not _ENDED:
        if agent and agent not in roster.known:
            roster.known[agent] = len(roster.known)
        roster.previous = value
        roster.doubted = cell.doubts
        roster.early_summary = code == "SG106"
        roster.na_entered |= kind is EventKind.NA_ENTRY
        roster.carry_out(cell.effect, agent, offence=cell.code is not None)
        roster.phase = cell.to
    return Move(
        kind, agent, code, cell.effect, phase, roster.phase, primary, roster.primary,
        consultants, roster.consultants, last, respelled=respelled, expected=legal,
        stamp=cell.stamp,
    )  # fmt: skip


_ONCE: Final = frozenset({"SG101", "SG110"})
"""Reported once per conversation."""


def _silenced(roster: Roster, kind: EventKind, code: str) -> bool:
    """Whether an earlier finding already said this."""
    match code:
        case "SG102":  # the NA entry that was missing, late
            return kind is EventKind.NA_ENTRY and not roster.na_entered and "SG101" in roster.told
        case "SG107":  # the exit that the summary already missed
            return roster.early_summary
        case "SG113":  # the log begins late: its first lifecycle event is taken as true
            return roster.primary == UNNAMED and not roster.known
        case _:
            return code in roster.told
