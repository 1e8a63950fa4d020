"""Contradictions between transcription actions and lifecycle events.

Events and actions arrive at two endpoints in no defined order. A COLD exit that does not fit the
state of the transcription is therefore recorded when it comes, and judged when the session is
closed. A handover pause in the same connection excuses a COLD exit even if the pause came later.
These findings never cause a delivery to be refused.

Only the state at a COLD exit can make it suspect. Before the first action the state is idle, so no
session is needed for events before it. Whether an agent handed over depends on the whole
conversation, so the caller passes it in.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Final, NamedTuple

from segue.core.events import ActionKind, EventKind
from segue.core.transcription.session import AppliedAction, Session, SuspectExit
from segue.core.transcription.table import OPEN, TranscriptionState

_MISFITS: Final = {TranscriptionState.ACTIVE: "SG404", TranscriptionState.HOLD: "SG406"}
"""The rule for each state of the transcription in which an agent must not leave by COLD exit."""


class Contradiction(NamedTuple):
    """A contradiction between a transcription and the lifecycle events of its conversation.

    It becomes a finding of the rule `code`.
    """

    code: str
    """The code of the rule, such as `SG404`."""
    event: int | None
    """The position of the event at fault, or None if the fault is not a single event."""
    action: AppliedAction | None
    """The action at fault, or None if the fault is not a single action."""
    facts: dict[str, str]
    """The values for the templates of the rule: ids and words of closed vocabularies."""


def saw_cold_exit(session: Session, agent: str, connection: int, event: int) -> None:
    """Tell the transcription session that an agent left the conversation by COLD exit.

    If the exit does not fit the state of the transcription, it is stored in `session.suspects`.

    Args:
        session: The transcription session of the conversation.
        agent: The identity of the agent.
        connection: The number of connections that the agent has had so far.
        event: The position of the exit in the conversation.

    """
    if session.state in _MISFITS:
        session.suspects.append(SuspectExit(event, agent, connection, session.state))


def contradictions(
    session: Session, is_known: Callable[[str], bool], handed_over: Callable[[str], int]
) -> list[Contradiction]:
    """Return the contradictions between a transcription and the lifecycle events, sorted by code.

    Call this once, when the session is closed.

    Args:
        session: The transcription session of the conversation.
        is_known: A function that tells whether an agent appears anywhere in the conversation.
        handed_over: A function that returns the number of the connection in which an agent last
            left by COLD or WARM exit, or -1 if it never did.

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
            _MISFITS[state],
            event,
            None,
            {"agent": agent, "state": state.value, "what": EventKind.COLD_EXIT.value},
        )
        for event, agent, connection, state in session.suspects
        if (agent, connection) not in announced
    ]
    found += [
        Contradiction("SG405", None, action, {"agent": action.agent})
        for action in handovers
        if handed_over(action.agent) < action.moment.connection and not action.moment.has_ended
    ]
    if session.state in OPEN:
        found.append(Contradiction("SG407", None, None, {"state": session.state.value}))
    return sorted(found, key=attrgetter("code"))  # stable: events and actions are already in order
