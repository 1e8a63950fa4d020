"""The state machines for the platform's callbacks about outbound calls and transfers."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from segue.core.calls import TABLE, CallOutcome, CallSession, CallState, is_duration
from segue.core.engine.actions import ActionMachine, Hashed
from segue.core.engine.entries import lifecycle_entries
from segue.core.engine.json_shapes import COUNT, TIME, optional
from segue.core.engine.machine import ApplyResult
from segue.core.engine.state import Facts, State
from segue.core.events import Delivery, Event, EventKind, Json, TransferTarget
from segue.core.events.ids import short
from segue.core.findings import Finding, Place, find
from segue.core.lifecycle import UNNAMED, Decision
from segue.core.transcription import Moment

_NOTIFICATION: Final = (
    frozenset(TABLE[CallState.UNKNOWN]),
    str,
    str,
    TIME,
    TIME,
    optional(is_duration),
    str,
)
_CALL: Final = {
    "position": COUNT,
    "state": frozenset(CallState),
    "call": optional(_NOTIFICATION),
    "asked_at": TIME,
    "last": str,
    "is_detection_off": bool,
    "has_outlived": bool,
}
_TRANSFERS: Final = {"position": COUNT, "target": optional((str, str))}
_TAKING: Final = frozenset({EventKind.NA_ENTRY, EventKind.COLD_ENTRY})
"""The entries by which an agent takes a conversation that was transferred."""
_IS_OFF: Final = 128
"""The bit of a mark that is set if the detection of answering machines is switched off."""


class CallMachine(ActionMachine[CallSession]):
    """The state machine of call notifications (E2), which compares them with lifecycle events."""

    mark_size = 7

    def __init__(self) -> None:
        super().__init__("calls", CallSession, _CALL)

    def _findings(
        self, outcome: CallOutcome, event: Event, agent: str, facts: Facts
    ) -> list[Finding]:
        """Return the findings about a status that is not legal, and about contradictory fields."""
        del agent
        found = []
        if outcome.code is not None:
            values = {
                "what": f"call notification {event.kind.value}",
                "status": event.kind.value,
                "before": outcome.state_before.value,
            }
            found.append(facts.violation(outcome.code, values))
        found += [
            facts.violation(each.code, each.facts, pointer=each.pointer)
            for each in outcome.offences
        ]
        return found

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Report the first lifecycle event after a failed call (SG709)."""
        session = self.session(facts.state)
        if session.state is CallState.FAILED and not session.has_outlived:
            session.has_outlived = True
            how = f"went on with {decision.kind.value} after the call had failed"
            facts.state.add_findings([facts.violation("SG709", {"how": how}, pointer="")])

    def close(self, state: State, place: Place) -> None:
        """Report contradictions between a call and the lifecycle events (SG708 and SG709)."""
        session, found = self.session(state), []
        events = [*lifecycle_entries(state.entries, state.ended_at)]
        if session.lacks_agent and not any(each.kind.is_entry for each in events):
            found.append(find("SG708", place, {}))
        exits = [each.received_at for each in events if each.kind.is_exit]
        last = exits[-1] if exits else None
        how = session.outlived(events[0].received_at, last) if state.ended else ""
        if how and not session.has_outlived:
            found.append(find("SG709", place, {"how": how}))
        state.add_findings(found)

    def mark(self, state: State, before: bytes, hashed: Hashed) -> bytes:
        """Return a byte for the state of the call, followed by a hash of the last notification.

        The byte is the `CallState.number`, plus `_IS_OFF` if detection is switched off.
        """
        session = self.session(state)
        last = hashed(session.last) if session.last else before[1:]
        number = session.state.number | _IS_OFF * session.is_detection_off
        return bytes([number]) + last.ljust(self.mark_size - 1, b"\0")

    def restore_mark(self, state: State, mark: bytes, delivery: Delivery, hashed: Hashed) -> None:
        """Restore the state of the call.

        The last notification is restored only if the delivery contains the same notification.
        """
        number, last = mark[0], mark[1:]
        session = self.session(state)
        session.is_detection_off = bool(number & _IS_OFF)
        session.restore_last(
            number & ~_IS_OFF, delivery.events, lambda content: hashed(content) == last
        )


class TransferOutcome(NamedTuple):
    """The effect of one transfer callback, which is never refused."""

    changed: bool = True
    is_refused: bool = False


@dataclass(slots=True)
class TransferSession:
    """The transfer callbacks of one conversation. Mutable."""

    position: int = 0
    """The number of callbacks so far."""
    target: TransferTarget | None = None
    """The target of a confirmed transfer, until an agent takes the conversation."""

    def apply(self, kind: StrEnum, agent: str, moment: Moment, *, enforce: bool) -> TransferOutcome:
        """Count one transfer callback, and record the target if it confirms a transfer.

        Any other callback may report that the transfer failed, so the target is then forgotten.
        """
        del kind, agent, enforce
        self.position += 1
        self.target = TransferTarget.of(moment.value)
        return TransferOutcome()

    def to_json(self) -> Json:
        """Return the session as a JSON object."""
        return {"position": self.position, "target": self.target and list(self.target)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "TransferSession":
        """Return the session that `to_json` converted to a JSON object."""
        target = value["target"]
        return cls(value["position"], target and TransferTarget(*target))


class TransferMachine(ActionMachine[TransferSession]):
    """The state machine of transfer callbacks (E9), which compares them with lifecycle events.

    Callbacks and events arrive at two endpoints without a defined order. A confirmed transfer whose
    target already leads the conversation is therefore complete.
    """

    def __init__(self) -> None:
        super().__init__("transfers", TransferSession, _TRANSFERS)

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply a callback, and forget its target if that is already in the conversation."""
        applied = super().apply(state, delivery, enforce=enforce)
        session = self.session(state)
        target = session.target
        if target is not None and any(target.is_met(*each) for each in _participants(state)):
            session.target = None
        return applied

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Report an agent who takes a conversation that was transferred elsewhere (SG711).

        WARM and redial entries of other agents are ignored, because they take nothing over.
        """
        session, kind = self.session(facts.state), decision.kind
        if (target := session.target) is None or not kind.is_entry or facts.event is None:
            return
        queue = facts.event.queue_id
        is_met = target.is_met(facts.agent, queue)
        if is_met or kind in _TAKING:
            session.target = None
        if kind in _TAKING and is_met is False:
            values = _compared(target, facts.agent, queue)
            found = facts.violation("SG711", {**values, "what": kind.value})
            facts.state.add_findings([found])


def _participants(state: State) -> Iterator[tuple[str, str]]:
    """Yield the agents present, and the last primary, each with the queue or an empty text."""
    presence, agents = state.presence, tuple(state.agents.items())
    for number in {*presence.present, presence.last}:
        if number is not None and number != UNNAMED:
            agent, record = agents[number]
            details = None if record.latest is None else record.latest.details
            yield agent, "" if details is None else details.queue_id


def _compared(target: TransferTarget, agent: str, queue: str) -> dict[str, str]:
    """Return the values of SG711 that name a target and the agent who joined in its place."""
    if target.agent:
        return {"target": f"agent {short(target.agent)}", "taker": f"agent {short(agent)}"}
    taker = f"agent {short(agent)} of queue {short(queue)}"
    return {"target": f"queue {short(target.queue)}", "taker": taker}


CALLBACK_MACHINES: Final = {machine.name: machine for machine in (CallMachine(), TransferMachine())}
"""The machines of this module by name: `calls` and `transfers`."""
