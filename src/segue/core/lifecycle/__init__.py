"""The lifecycle: one table, the presence that resolves agents for it, and one transition."""

from typing import TYPE_CHECKING

from segue.core.lifecycle.decision import Decision
from segue.core.lifecycle.expectations import expected
from segue.core.lifecycle.phase import AgentRole, Phase, PresenceEffect, Uncertainty
from segue.core.lifecycle.presence import (
    INTRODUCING_KINDS,
    MOST_MEMOIZED,
    UNNAMED,
    Presence,
    apply,
    is_possible,
    resolve,
    situation_of,
)
from segue.core.lifecycle.table import ROWS, TABLE, Cell, Row, Situation, situations
from segue.core.lifecycle.transitions import (
    AGENTLESS_KINDS,
    CONSULTANT_EXITS,
    MESSAGES,
    can_repeat,
    is_legal,
    transition,
    without_error,
)
from segue.core.lifecycle.triggers import trigger_name

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
    "Cell",
    "Decision",
    "Phase",
    "Presence",
    "PresenceEffect",
    "Row",
    "Situation",
    "Uncertainty",
    "apply",
    "can_repeat",
    "expected",
    "is_legal",
    "is_possible",
    "machine",
    "resolve",
    "situation_of",
    "situations",
    "transition",
    "trigger_name",
    "without_error",
]


def machine(model: object | None = None) -> "Machine":
    """Return the lifecycle as a `transitions` machine, for embedding, introspection and diagrams.

    States are the phases. A trigger is an event in a situation: see `trigger_name`.
    `model` gets the triggers as methods.
    """
    from segue.core.lifecycle.state_machine import build  # only who asks pays for it

    return build(model)
