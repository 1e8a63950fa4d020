"""Where transcription and lifecycle contradict each other.

Events and actions arrive over two endpoints with no order between them.  Hence the house rules:
what a lifecycle event does not fit is written down when it comes and judged when the conversation
ends or its log closes; a pause that came late but in the same stay excuses a COLD exit; nothing
is ever refused for what is found here.

Only the state at a COLD exit or a WARM entry can make it doubtful, and before the first action
that state is idle: no session is needed to see such an event.  Whether an agent left by COLD exit
at all counts for the whole conversation, before the first action too, so the caller says so.

An action without an agent was reported for that, and is evidence of nothing.  This file refuses
to know what the lifecycle thinks of an event, and where END stands.
"""

from collections.abc import Container
from operator import attrgetter
from typing import Final, NamedTuple

from segue.events import EventKind
from segue.transcription.session import Deed, Session, Sighting
from segue.transcription.table import Command, State

__all__ = ["Remark", "crosscheck", "saw_cold_exit", "saw_warm_entry"]

_MISFITS: Final = {
    (EventKind.COLD_EXIT, State.ACTIVE): "SG404",
    (EventKind.COLD_EXIT, State.HOLD): "SG406",
    (EventKind.WARM_ENTRY, State.HANDOVER): "SG406",
}

_OPEN: Final = frozenset({State.ACTIVE, State.HOLD, State.HANDOVER})


class Remark(NamedTuple):
    """A contradiction; becomes a finding once its place in the log is known."""

    code: str
    event: int | None
    """Position of the event at fault; None with `action` None: found at the end."""
    action: int | None
    """Position of the action at fault."""
    facts: dict[str, str]
    """The facts of the rule's templates: ids and closed vocabularies."""


def saw_cold_exit(session: Session, agent: str, stay: int, event: int) -> None:
    """Note that an agent left by COLD exit, the `stay`-th time it was in."""
    _saw(session, Sighting(event, EventKind.COLD_EXIT, agent, stay, session.state))


def saw_warm_entry(session: Session, agent: str, event: int) -> None:
    """Note that an agent came in by WARM entry."""
    _saw(session, Sighting(event, EventKind.WARM_ENTRY, agent, None, session.state))


def _saw(session: Session, sighting: Sighting) -> None:
    if (sighting.kind, sighting.state) in _MISFITS:
        session.sightings.append(sighting)


def crosscheck(
    session: Session, known_agents: Container[str], departed: Container[str]
) -> list[Remark]:
    """Return what contradicts, by code and then position; once, at END or at the close.

    `known_agents`: every agent of the whole conversation.  `departed`: those of them who left by
    COLD exit, no matter when.
    """
    deeds = [deed for deed in session.deeds if deed.agent]
    if not session.sightings and session.state not in _OPEN and _are_plain(deeds, known_agents):
        return []
    firsts: dict[str, Deed] = {}
    for deed in deeds:
        firsts.setdefault(deed.agent, deed)
    handovers = [deed for deed in deeds if deed.command is Command.HANDOVER]
    announced = {(deed.agent, deed.stay) for deed in handovers}

    remarks = [
        Remark("SG403", None, first.position, {"action": first.command.label, "agent": agent})
        for agent, first in firsts.items()
        if agent not in known_agents
    ]
    remarks += [
        Remark(
            _MISFITS[kind, state],
            event,
            None,
            {"agent": agent, "state": state.value, "what": kind.value},
        )
        for event, kind, agent, stay, state in session.sightings
        if (agent, stay) not in announced
    ]
    remarks += [
        Remark("SG405", None, deed.position, {"agent": deed.agent})
        for deed in handovers
        if deed.agent not in departed
    ]
    if session.state in _OPEN:
        remarks.append(Remark("SG407", None, None, {"state": session.state.value}))
    return sorted(remarks, key=attrgetter("code"))  # stable: events and actions come in order


def _are_plain(deeds: list[Deed], known_agents: Container[str]) -> bool:
    """Whether nothing can be said against any of these actions."""
    return all(
        deed.command is not Command.HANDOVER and deed.agent in known_agents for deed in deeds
    )
