"""Apply deliveries to the state of a conversation, and close it.

How a delivery flows: `apply` looks at its id and passes it to the machine of its intake.  For the
event hook that is `lifecycle_events`, which runs the checks of the delivery, then for each event
finds out which agent is meant, asks `transition` for the presence after it, runs the checks of the
event, and adds a row to the history (`state`).  A transcription action goes to its session
(`actions`).  `snapshot` encodes the state.
Pure but for the state it is given: positions are its only clock, times are only carried along.
Findings of one place stand in this order: the event's own rule, then the others by code.
"""

from typing import Any, Final

from segue.core.engine.actions import ActionMachine, TranscriptionMachine
from segue.core.engine.lifecycle_events import LifecycleMachine
from segue.core.engine.machine import ApplyResult, Machine
from segue.core.engine.state import State
from segue.core.engine.truncation import short
from segue.core.events import Delivery, Intake
from segue.core.findings import Place, find


class _Machines(dict[str, Machine]):
    """Machines by name; those that few logs need are loaded when they are asked for."""

    def __missing__(self, name: str) -> Machine:
        from segue.core.engine.callbacks import CALLBACK_MACHINES

        return CALLBACK_MACHINES[name]


MACHINES: Final = _Machines()
"""The state machines behind the intakes, by the name that an intake's row has."""
TRANSCRIPTION_MACHINE: Final = TranscriptionMachine()
for _machine in (LifecycleMachine(MACHINES), TRANSCRIPTION_MACHINE):
    MACHINES[_machine.name] = _machine


def rare_machines() -> tuple[ActionMachine[Any], ...]:
    """Return the machines that few logs need; calling it loads them."""
    from segue.core.engine.callbacks import CALLBACK_MACHINES  # see `_Machines`

    return tuple(CALLBACK_MACHINES.values())


def apply(state: State, delivery: Delivery, *, enforce: bool = False) -> ApplyResult:
    """Apply one delivery to the state, unless its id came before; return what was found.

    With `enforce` an action that its machine does not accept is refused and leaves no trace, for
    its caller waits for an answer. Without, as for a log, it has happened and is believed.
    """
    if delivery.delivery_id is not None:
        if is_known(state, delivery):
            return _repeated(state, delivery, delivery.delivery_id)
        note_id(state, delivery)
    return MACHINES[delivery.intake.machine].apply(state, delivery, enforce=enforce)


def is_known(state: State, delivery: Delivery) -> bool:
    """Return whether a delivery of this id came before."""
    if delivery.delivery_id is None or state.delivered is None:
        return False
    return delivery_key(delivery.delivery_id, delivery.intake) in state.delivered


def note_id(state: State, delivery: Delivery) -> None:
    """Note the id of a delivery, if it has one, and the fingerprint of its body."""
    if delivery.delivery_id is not None:
        key = delivery_key(delivery.delivery_id, delivery.intake)
        state.delivered = state.delivered or {}
        state.delivered[key] = delivery.digest


def _repeated(state: State, delivery: Delivery, delivery_id: str) -> ApplyResult:
    """Return what a delivery gives whose id came before."""
    delivered = state.delivered or {}
    if delivered[delivery_key(delivery_id, delivery.intake)] == delivery.digest:
        return ApplyResult(duplicate=True)
    place = Place(event=state.position, line=delivery.line)
    found = find("SG603", place, {"delivery_id": short(delivery_id)})
    state.add_findings([found])
    if delivery.intake.machine == "lifecycle" and delivery.events and not state.ended:
        state.roots.add_unreadable(found.root, len(delivery.events))
    return ApplyResult((found,))


def finish(state: State) -> ApplyResult:
    """Close the log of this conversation and return what is found only now."""
    before = len(state.findings)
    if not state.rare.closed:
        state.rare = state.rare._replace(closed=True)
        is_cut = state.rare.partial in {"end", "both"}
        if not state.ended and not is_cut:
            names = ["lifecycle"] if state.processable else sorted(state.sessions)
            for name in names:
                MACHINES[name].close(state, Place())
    return ApplyResult(tuple(state.findings[before:]))


def delivery_key(delivery_id: str, intake: Intake) -> str:
    """Return a delivery id among all of a conversation: each intake has its own."""
    return f"{intake.name} {delivery_id}"
