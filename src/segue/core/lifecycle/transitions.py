"""The function `transition`, which judges one event.

`transition` is a pure function of small integers. No other function judges an event.
"""

from functools import lru_cache
from typing import Final

from segue.core.events import EventKind
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle.decision import Decision
from segue.core.lifecycle.phase import Phase, PresenceEffect
from segue.core.lifecycle.presence import UNNAMED, Presence, apply, situation_of
from segue.core.lifecycle.table import TABLE, Cell

MESSAGES: Final = frozenset(
    {EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE, EventKind.MESSAGE},
)
"""The kinds of events that are messages."""
AGENTLESS_KINDS: Final = frozenset({EventKind.SUMMARY, EventKind.END, EventKind.CLOSE})
"""The kinds of events that belong to no agent. A participant sent with them is ignored."""

_ERRORS: Final = frozenset(
    code for code, rule in BY_CODE.items() if rule.severity is Severity.ERROR
)
"""The codes of rules whose severity is error."""
_ONCE: Final = frozenset({"SG101", "SG110"})
"""The codes of rules that are reported once per conversation."""


CONSULTANT_EXITS: Final = frozenset({EventKind.WARM_EXIT, EventKind.REDIAL_EXIT})
"""The kinds of exits after which a former consultant may reconnect."""


@lru_cache(maxsize=8_192)
def transition(presence: Presence, kind: EventKind, agent: int | None) -> tuple[Presence, Decision]:
    """Return the presence after one event, and the decision on the event.

    The event must be processable. Results are memoized.

    Args:
        presence: The agents present before the event.
        kind: The kind of event.
        agent: The number of the event's agent. An agent that is not known yet has the number
            `presence.agents` or a higher one. It is None for an event without an agent: a summary,
            an END, the close of a log, or a message without `agentId`.

    """
    cell, decision = _decided(presence, kind, agent)
    is_reported = decision.reported_code is not None
    if is_reported and cell.code in _ONCE and cell.code not in presence.reported_once:
        reported = tuple(sorted((*presence.reported_once, cell.code)))
        presence = presence._replace(reported_once=reported)
    if kind in MESSAGES or presence.phase is Phase.ENDED:
        return presence, decision
    return _after(presence, kind, agent, cell, decision), decision


def decision_of(presence: Presence, kind: EventKind, agent: int | None) -> Decision:
    """Return the decision on an event, without computing the presence after it."""
    return _decided(presence, kind, agent)[1]


def _decided(presence: Presence, kind: EventKind, agent: int | None) -> tuple[Cell, Decision]:
    """Return the lifecycle table's cell for an event, and the decision based on it."""
    cell = TABLE[presence.phase][kind][situation_of(presence, agent)]
    assert cell is not None, "the table has a cell for every situation"
    is_reported = cell.code is not None and not _is_silenced(presence, kind, cell)
    return cell, Decision.make(presence.phase, kind, cell, is_reported=is_reported)


def _after(
    presence: Presence, kind: EventKind, agent: int | None, cell: Cell, decision: Decision
) -> Presence:
    """Return the presence after a lifecycle event, according to its `cell` and `decision`."""
    after = apply(presence, cell.effect, agent, is_offence=cell.code is not None)
    consulted = after.consulted
    if agent in consulted:
        consulted = tuple([each for each in consulted if each != agent])
    elif (
        agent is not None
        and kind in CONSULTANT_EXITS
        and agent not in after.present
        and _may_consult(presence, agent)
    ):
        consulted = tuple(sorted((*consulted, agent)))
    return after._replace(
        phase=cell.to,
        consulted=consulted,
        in_doubt=cell.doubts,
        na_entered=presence.na_entered or kind is EventKind.NA_ENTRY,
        early_summary=decision.reported_code == "SG106",
        agents=presence.agents if agent is None else max(presence.agents, agent + 1),
    )


def _may_consult(presence: Presence, agent: int) -> bool:
    """Return whether an agent is a consultant, or may be one in a log that begins late."""
    is_open = agent == presence.primary or agent >= presence.agents
    return agent in presence.consultants or (presence.begins_late and is_open)


def _is_silenced(presence: Presence, kind: EventKind, cell: Cell) -> bool:
    """Return whether a broken rule is not reported again, because an earlier finding covers it."""
    match cell.code:
        case "SG102":  # the missing NA entry comes late
            is_late = not presence.na_entered and "SG101" in presence.reported_once
            return kind is EventKind.NA_ENTRY and is_late
        case "SG122":  # an agent did answer, and SG101 reported the missing NA entry
            return "SG101" in presence.reported_once
        case "SG107":  # the early summary already reported the missing exit
            return presence.early_summary
        case "SG202":  # the log begins late, and consultants whom no event named may be present
            return presence.begins_late and cell.effect is PresenceEffect.UNNAME
        case "SG113":  # the log begins late, and its first lifecycle event is believed
            return presence.primary == UNNAMED and not presence.agents
        case _:
            return cell.code in presence.reported_once


def is_legal(code: str | None) -> bool:
    """Return whether an event that is reported by the rule `code` still counts as legal.

    It does if `code` is None, which means that no rule reports the event, or if the rule has the
    severity note.
    """
    return code is None or BY_CODE[code].severity is Severity.NOTE


def can_repeat(decision: Decision) -> bool:
    """Return whether an event with this decision counts as a repeat if it equals the previous one.

    This is True for lifecycle events before END that would otherwise be a warning or an error. A
    repeat is reported by the rule SG601 instead, and has no effect on the agents present.
    """
    return (
        decision.reported_code is not None
        and not is_legal(decision.code)
        and decision.kind not in MESSAGES
        and decision.kind is not EventKind.END
        and decision.phase is not Phase.ENDED
    )
