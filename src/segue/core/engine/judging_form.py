"""The form of a state: what is in order in one conversation is in order in all of its form.

It leaves out ids, times, lines, positions, and what only findings and reports need.  So the
accelerator can learn from one conversation where an event leads in all others of its form.
"""

from collections.abc import Hashable
from copy import copy
from typing import Final

from segue.core.engine.checks import CHECKS
from segue.core.engine.history import departures
from segue.core.engine.state import RareParts, State
from segue.core.lifecycle import Identities

FORM_FIELDS: Final = frozenset({"botId", "received_at", "experience", "participant.identity"})
"""What a check may read if forms are to tell whether it finds anything."""
_MUTABLE: Final = (list, dict, bytearray, Identities)


def has_forms() -> bool:
    """Whether all checks read such fields only."""
    return all(FORM_FIELDS.issuperset(check.reads) for check in CHECKS)


def form_of(state: State) -> Hashable:
    """Return the form of a state in which nothing was found, and whose agents are numbers.

    What checks remember is not in it: they are asked about it and the fields they read, by
    themselves. How many connections agents have had counts only against what sessions noted of it.
    """
    connections = state.connection_count
    departed = {agent: connections(agent) - last for agent, last in departures(state).items()}
    sessions = state.sessions.items()
    return (
        state.presence,
        state.absences,
        frozenset(agent for agent, since in departed.items() if not since),
        tuple((name, session.form(connections, departed)) for name, session in sessions),
    )


def copy_of(state: State) -> State:
    """Return a state that may go another way; of one in which nothing was found."""
    other = State(state.conversation_id, None)
    usual = other.rare
    for name in State.__slots__:
        value = getattr(state, name)
        setattr(other, name, copy(value) if type(value) in _MUTABLE else value)
    if state.rare is not usual:
        other.rare = RareParts._make(
            [copy(each) if type(each) in _MUTABLE else each for each in state.rare]
        )
    other.sessions = {name: session.copy() for name, session in state.sessions.items()}
    return other
