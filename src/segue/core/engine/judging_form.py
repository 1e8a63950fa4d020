"""The form of a state: what is in order in one conversation is in order in all of its form.

It leaves out ids, times, lines, positions, and what only findings and reports need.  So the
accelerator can learn from one conversation where an event leads in all others of its form.
"""

from collections.abc import Hashable
from copy import copy
from typing import Final

from segue.core.engine.checks import CHECKS
from segue.core.engine.state import State
from segue.core.lifecycle import Identities

FORM_FIELDS: Final = frozenset({"botId", "received_at", "experience", "participant.identity"})
"""What a check may read if forms are to tell whether it finds anything."""
_MUTABLE: Final = (list, dict, Identities)


def has_forms() -> bool:
    """Whether all checks read such fields only."""
    return all(FORM_FIELDS.issuperset(check.reads) for check in CHECKS)


def form_of(state: State) -> Hashable:
    """Return the form of a state in which nothing was found, and whose agents are numbers.

    What checks remember is not in it: they are asked about it and the fields they read, by
    themselves. How many connections agents have had counts only against what sessions noted of it.
    """
    agents = state.agents.items()
    departed = {
        agent: each.connections - each.left for agent, each in agents if each.left is not None
    }
    sessions = state.sessions.items()
    return (
        state.presence,
        state.absences,
        frozenset(agent for agent, since in departed.items() if not since),
        tuple((name, session.form(state.connection_count, departed)) for name, session in sessions),
    )


def copy_of(state: State) -> State:
    """Return a state that may go another way; of one in which nothing was found."""
    other = State(state.conversation_id, None)
    for name in State.__slots__:
        value = getattr(state, name)
        setattr(other, name, copy(value) if type(value) in _MUTABLE else value)
    other.sessions = {name: session.copy() for name, session in state.sessions.items()}
    return other
