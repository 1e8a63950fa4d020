"""Applies deliveries to the state of a conversation, and closes it.

`apply` checks the id of a delivery and passes the delivery to the machine of its intake. For the
event hook that is `lifecycle_events`. It runs the checks of the delivery. For each event it then
resolves the agent, asks `transition` for the presence after the event, runs the checks of the
event, and adds a row to the history (`state`). A transcription action goes to its session
(`actions`). `snapshot` encodes the state.

The only side effect is on the given state. Positions are the only clock, and times are stored but
not compared with a clock. Findings of one place have this order: the event's own rule, then the
others by code.
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
    """Machines by name. Those that few logs need are imported when they are first used."""

    def __missing__(self, name: str) -> Machine:
        from segue.core.engine.callbacks import CALLBACK_MACHINES

        return CALLBACK_MACHINES[name]


MACHINES: Final = _Machines()
"""The state machines by the name that the rows of intakes use."""
TRANSCRIPTION_MACHINE: Final = TranscriptionMachine()
for _machine in (LifecycleMachine(MACHINES), TRANSCRIPTION_MACHINE):
    MACHINES[_machine.name] = _machine


def rare_machines() -> tuple[ActionMachine[Any], ...]:
    """Return the machines that few logs need. Calling this imports them."""
    from segue.core.engine.callbacks import CALLBACK_MACHINES  # see `_Machines`

    return tuple(CALLBACK_MACHINES.values())


def apply(state: State, delivery: Delivery, *, enforce: bool = False) -> ApplyResult:
    """Apply one delivery to the state, unless its id came before.

    With `enforce` an action that its machine does not accept is refused and has no effect, because
    its caller waits for an answer. Without it, as for a log, the action has happened and is
    believed.
    """
    if delivery.delivery_id is not None:
        if is_known(state, delivery):
            return _repeated(state, delivery, delivery.delivery_id)
        note_id(state, delivery)
    return MACHINES[delivery.intake.machine].apply(state, delivery, enforce=enforce)


def is_known(state: State, delivery: Delivery) -> bool:
    """Return whether a delivery with this id came before."""
    if delivery.delivery_id is None or state.delivered is None:
        return False
    return delivery_key(delivery.delivery_id, delivery.intake) in state.delivered


def note_id(state: State, delivery: Delivery) -> None:
    """Store the id of a delivery, if it has one, with the fingerprint of its body."""
    if delivery.delivery_id is not None:
        key = delivery_key(delivery.delivery_id, delivery.intake)
        state.delivered = state.delivered or {}
        state.delivered[key] = delivery.digest


def _repeated(state: State, delivery: Delivery, delivery_id: str) -> ApplyResult:
    """Return the result of a delivery whose id came before."""
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
    """Close the log of this conversation, and return the findings of the close."""
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
    """Return the key of a delivery id within a conversation, where each intake has its own ids."""
    return f"{intake.name} {delivery_id}"
