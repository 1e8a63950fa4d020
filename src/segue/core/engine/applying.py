"""Functions that apply deliveries to the state of a conversation, and close it.

`apply` checks the id of a delivery and passes the delivery to the machine of its intake. For the
webhook this is the `LifecycleMachine`. It runs the checks of the delivery. For each event it then
resolves the agent, asks `transition` for the presence after the event, runs the checks of the
event, and adds an entry to the past (`state`). A transcription action goes to its session
(`actions`). `snapshot` encodes the state.

Only the given state is changed. Times are stored, but never compared with the current time. The
findings about one event have this order: first that of the lifecycle table, then the others by
code.
"""

from collections.abc import Sequence
from typing import Any, Final

from segue.core.engine.actions import ActionMachine, TranscriptionMachine
from segue.core.engine.lifecycle_events import LifecycleMachine
from segue.core.engine.machine import ApplyResult, Machine
from segue.core.engine.state import State
from segue.core.events import Delivery, Intake, same
from segue.core.events.ids import short
from segue.core.findings import Place, find


class _Machines(dict[str, Machine]):
    """The machines by name. A machine that few logs need is imported when it is first looked up."""

    def __missing__(self, name: str) -> Machine:
        from segue.core.engine.callbacks import CALLBACK_MACHINES

        return CALLBACK_MACHINES[name]


MACHINES: Final = _Machines()
"""The state machines by name, such as `lifecycle` and `transcription`, see `Intake.machine`."""
TRANSCRIPTION_MACHINE: Final = TranscriptionMachine()
for _machine in (LifecycleMachine(MACHINES), TRANSCRIPTION_MACHINE):
    MACHINES[_machine.name] = _machine


def rare_machines() -> tuple[ActionMachine[Any], ...]:
    """Return the machines for calls and transfers, whose module is imported only when needed."""
    from segue.core.engine.callbacks import CALLBACK_MACHINES  # see `_Machines`

    return tuple(CALLBACK_MACHINES.values())


def apply(state: State, delivery: Delivery, *, enforce: bool = False) -> ApplyResult:
    """Apply one delivery to the state, and return its findings.

    A delivery with a known id is not applied again. With `enforce` an action that is not allowed is
    refused and has no effect, because its sender waits for an answer. Without `enforce`, as for a
    log, the action has already happened and takes effect.
    """
    if delivery.delivery_id is not None:
        if is_known(state, delivery):
            return _repeated(state, delivery, delivery.delivery_id)
        note_id(state, delivery)
    return MACHINES[delivery.intake.machine].apply(state, delivery, enforce=enforce)


def is_known(state: State, delivery: Delivery) -> bool:
    """Return whether a delivery with the same id came before at the same intake."""
    if delivery.delivery_id is None or state.delivered is None:
        return False
    return delivery_key(delivery.delivery_id, delivery.intake) in state.delivered


def note_id(state: State, delivery: Delivery) -> None:
    """Store the id and the fingerprint of a delivery in the state.

    A delivery without an id changes nothing.
    """
    if delivery.delivery_id is not None:
        key = delivery_key(delivery.delivery_id, delivery.intake)
        state.delivered = state.delivered or {}
        state.delivered[key] = delivery.fingerprint


def _repeated(state: State, delivery: Delivery, delivery_id: str) -> ApplyResult:
    """Return the result of a delivery whose id is known.

    If the delivery is the same, it is a duplicate. If it differs, SG603 reports it.
    """
    delivered = state.delivered or {}
    if same(delivered[delivery_key(delivery_id, delivery.intake)], delivery):
        return ApplyResult(duplicate=True)
    place = Place(event=state.position, line=delivery.line)
    found = find("SG603", place, {"delivery_id": short(delivery_id)})
    if delivery.intake.machine == "lifecycle":
        state.add_dropped(delivery)
    state.add_findings([found])
    return ApplyResult((found,))


def finish(state: State) -> ApplyResult:
    """Close the log of a conversation, and return the findings about missing events.

    After END only the transcription is closed, if it is still open (`awaits_end`).
    """
    before = len(state.findings)
    if not state.closed:
        state.closed = True
        if not state.is_cut:
            for name in _to_close(state):
                MACHINES[name].close(state, Place())
    return ApplyResult(tuple(state.findings[before:]))


def awaits_end(state: State) -> bool:
    """Return whether a conversation has ended while its transcription was open.

    The findings of the transcription (SG403 to SG407) are then due when its `end` comes, or when
    `finish` is called.
    """
    return TRANSCRIPTION_MACHINE.awaits_end(state)


def _to_close(state: State) -> Sequence[str]:
    """Return the names of the machines that are closed with the log."""
    if state.ended:
        return (TRANSCRIPTION_MACHINE.name,) if awaits_end(state) else ()
    return ("lifecycle",) if state.processable else sorted(state.sessions)


def delivery_key(delivery_id: str, intake: Intake) -> str:
    """Return the key of a delivery in `State.delivered`, such as `hooks 7f3a`."""
    return f"{intake.name} {delivery_id}"
