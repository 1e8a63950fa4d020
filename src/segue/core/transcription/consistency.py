"""Contradictions between transcription actions and lifecycle events.

Events and actions arrive at two endpoints in no defined order. A lifecycle event that does not fit
the state of the transcription is therefore recorded when it comes, and judged when the conversation
ends or its log closes. A handover pause in the same connection excuses a COLD exit even if the
pause came later. These findings never cause a delivery to be refused.

Only the state at a COLD exit or a WARM entry can make the event suspect. Before the first action
the state is idle, so no session is needed for events before it. Whether an agent ever left by COLD
exit depends on the whole conversation, so the caller passes it in.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Final, NamedTuple

from segue.core.events import ActionKind, EventKind
from segue.core.transcription.session import AppliedAction, Session, SuspectEvent
from segue.core.transcription.table import OPEN, TranscriptionState

_MISFITS: Final = {
    (EventKind.COLD_EXIT, TranscriptionState.ACTIVE): "SG404",
    (EventKind.COLD_EXIT, TranscriptionState.HOLD): "SG406",
    (EventKind.WARM_ENTRY, TranscriptionState.HANDOVER): "SG406",
}
"""The rule for each kind of event and state of the transcription that do not fit together."""


class Contradiction(NamedTuple):
    """A contradiction between transcription and lifecycle, from which a finding is made."""

    code: str
    """The code of the rule, such as `SG404`."""
    event: int | None
    """The position of the event at fault, or None if the fault is not a single event."""
    action: AppliedAction | None
    """The action at fault, or None if the fault is not a single action."""
    facts: dict[str, str]
    """The values for the templates of the rule: ids and words of closed vocabularies."""


def saw_cold_exit(session: Session, agent: str, connection: int, event: int) -> None:
    """Record that an agent left by COLD exit if this does not fit the transcription's state.

    `connection` is the number of the agent's connections so far, and `event` the position of the
    exit.
    """
    _saw(session, SuspectEvent(event, EventKind.COLD_EXIT, agent, connection, session.state))


def saw_warm_entry(session: Session, agent: str, event: int) -> None:
    """Record that an agent entered by WARM entry if this does not fit the transcription's state.

    `event` is the position of the entry.
    """
    _saw(session, SuspectEvent(event, EventKind.WARM_ENTRY, agent, None, session.state))


def _saw(session: Session, suspect: SuspectEvent) -> None:
    if (suspect.kind, suspect.state) in _MISFITS:
        session.suspects.append(suspect)


def contradictions(
    session: Session, is_known: Callable[[str], bool], has_departed: Callable[[str], bool]
) -> list[Contradiction]:
    """Return the contradictions, sorted by code and position.

    Call this once, at END or at the close of the log.

    Args:
        session: The transcription session of the conversation.
        is_known: A function that tells whether an agent appears anywhere in the conversation.
        has_departed: A function that tells whether an agent left by COLD exit at any time.

    """
    actions = [action for action in session.actions if action.agent]
    firsts: dict[str, AppliedAction] = {}
    for action in actions:
        firsts.setdefault(action.agent, action)
    handovers = [action for action in actions if action.kind is ActionKind.HANDOVER]
    announced = {(action.agent, action.moment.connection) for action in handovers}

    found = [
        Contradiction("SG403", None, first, {"action": first.kind.value, "agent": agent})
        for agent, first in firsts.items()
        if not is_known(agent)
    ]
    found += [
        Contradiction(
            _MISFITS[kind, state],
            event,
            None,
            {"agent": agent, "state": state.value, "what": kind.value},
        )
        for event, kind, agent, connection, state in session.suspects
        if (agent, connection) not in announced
    ]
    found += [
        Contradiction("SG405", None, action, {"agent": action.agent})
        for action in handovers
        if not has_departed(action.agent)
    ]
    if session.state in OPEN:
        found.append(Contradiction("SG407", None, None, {"state": session.state.value}))
    return sorted(found, key=attrgetter("code"))  # stable: events and actions are already in order
