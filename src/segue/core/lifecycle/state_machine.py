"""The lifecycle as a `Machine` of the package `transitions`, built from the table.

Applications can embed the machine, and the tests compare it with the table. The check does not use
it, because it is 10 to 100 times slower than the table. No other module imports `transitions`.
"""

from transitions import Machine

from segue.core.lifecycle.phase import Phase
from segue.core.lifecycle.table import TABLE, situations
from segue.core.lifecycle.triggers import trigger_name


def build(model: object | None = None) -> Machine:
    """Return a machine with a state for each phase and a trigger for each event in a situation.

    The object `model` receives the triggers as methods. Without a model the machine is only for
    introspection.
    """
    moves = {
        (trigger_name(kind, situation), phase): cell.to
        for phase, kinds in TABLE.items()
        for kind, cells in kinds.items()
        for situation in situations(phase)
        if (cell := cells[situation.number]) is not None
    }
    return Machine(
        model=model,
        states=Phase,
        initial=Phase.WAITING,
        transitions=[
            {"trigger": trigger, "source": phase, "dest": to}
            for (trigger, phase), to in moves.items()
        ],
        auto_transitions=False,
        send_event=True,
    )
