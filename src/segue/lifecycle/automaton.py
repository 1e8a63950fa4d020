"""The lifecycle as a `transitions` machine, built from the table: for hosts, and as an oracle.

The only module that knows `transitions`.  It is slower than the table by one or two orders of
magnitude and never used by the check.
"""

from typing import Final

from transitions import Machine

from segue.events import EventKind
from segue.lifecycle.phase import Circumstance, Phase, Stance
from segue.lifecycle.table import TABLE, Situation, situations

__all__ = ["build", "trigger_name"]

_BESIDE: Final = ("alone", "beside_one", "beside_more")


def trigger_name(kind: EventKind, situation: Situation) -> str:
    """Return the trigger of an event in a situation: `cold_entry__absent__certain__alone`."""
    circumstance = {
        Circumstance.NONE: "certain",
        Circumstance.UNNAMED: "unnamed",
        Circumstance.DOUBTED: "doubted",
    }.get(situation.circumstance, "unnamed_doubted")
    return "__".join(
        (
            kind.name.lower(),
            Stance(situation.stance).name.lower(),
            circumstance,
            _BESIDE[situation.beside],
        ),
    )


def build(model: object | None = None) -> Machine:
    """Return a machine with a state for each phase and a trigger for each kind and situation.

    `model` gets the triggers as methods; without one the machine is for introspection.
    """
    rows = [
        {
            "trigger": trigger_name(kind, situation),
            "source": phase,
            "dest": cell.to,
        }
        for phase, kinds in TABLE.items()
        for kind, cells in kinds.items()
        for situation in situations(phase)
        if (cell := cells[situation.index]) is not None
    ]
    return Machine(
        model=model,
        states=Phase,
        initial=Phase.WAITING,
        transitions=rows,
        auto_transitions=False,
        send_event=True,
    )
