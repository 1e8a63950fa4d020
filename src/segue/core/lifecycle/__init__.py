"""The lifecycle: which events are legal, and how the check goes on after an offence.

`transition` judges one event in three steps:

1. `situation_of` looks the event's agent up in the `Presence` and returns the *situation*: the
   role of the agent, the uncertainty about the primary, and the number of other consultants.
2. `TABLE` holds a `Cell` for every phase, kind of event and situation. The cell names the rule
   that reports the event (or None), the next phase, and the effect on the presence.
3. `apply` returns the presence after that effect.

Read the modules in this order:

- `phase`: the vocabulary of the table (phases, roles, uncertainties, effects).
- `table`: the rows of the table. Change these to add a rule about order or agents.
- `presence`: the presence of agents, and a function for each effect.
- `transitions`: `transition`, and the few findings that are reported only once.
- `decision`: the result of a transition, which is kept with the conversation.
- `expectations`, `diagram`, `triggers`, `state_machine`: other readers of the same table.

The check reports an offence and then believes the event: it continues from the situation in which
the event would have been right. These terms describe the traces that this leaves:

- *excused*: an agent whose presence ended because a later event was believed. If its own exit
  still comes, the exit is consumed: it is not reported and has no other effect.
- *owed*: the agent whom an early COLD entry replaced. Its COLD exit may still come. An NA or WARM
  exit in its place is the wrong kind of exit.
- *unnamed*: a primary who must be present although no event named one.
- *in doubt*: the last lifecycle event suggests that every agent has left.
"""

from typing import TYPE_CHECKING

from segue.core.lifecycle.decision import Decision
from segue.core.lifecycle.expectations import expected
from segue.core.lifecycle.phase import AgentRole, Phase, PresenceEffect, Uncertainty
from segue.core.lifecycle.presence import (
    INTRODUCING_KINDS,
    MOST_MEMOIZED,
    UNNAMED,
    Identities,
    Presence,
    is_possible,
    resolve,
    situation_of,
)
from segue.core.lifecycle.table import ROWS, TABLE, Row, Situation, situations
from segue.core.lifecycle.transitions import (
    AGENTLESS_KINDS,
    CONSULTANT_EXITS,
    MESSAGES,
    can_repeat,
    is_legal,
    transition,
)

if TYPE_CHECKING:
    from transitions import Machine

__all__ = [
    "AGENTLESS_KINDS",
    "CONSULTANT_EXITS",
    "INTRODUCING_KINDS",
    "MESSAGES",
    "MOST_MEMOIZED",
    "ROWS",
    "TABLE",
    "UNNAMED",
    "AgentRole",
    "Decision",
    "Identities",
    "Phase",
    "Presence",
    "PresenceEffect",
    "Row",
    "Situation",
    "Uncertainty",
    "can_repeat",
    "expected",
    "is_legal",
    "is_possible",
    "machine",
    "resolve",
    "situation_of",
    "situations",
    "transition",
]


def machine(model: object | None = None) -> "Machine":
    """Return the lifecycle as a `Machine` of the package `transitions`, for embedding and diagrams.

    The states are the phases of a conversation. Each kind of event has one or more triggers, whose
    names tell the role of the agent who sends it and other circumstances. For example,
    `warm_exit__consultant__beside_one` is a WARM exit of a consultant while one other consultant is
    present. See `trigger_name`. The machine adds the triggers to `model` as methods.
    """
    from segue.core.lifecycle.state_machine import build  # `transitions` is slow to import

    return build(model)
