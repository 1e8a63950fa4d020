"""The state machines for the platform's callbacks about outbound calls and transfers."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from segue.core.calls import TABLE, CallOutcome, CallSession, CallState, is_duration
from segue.core.engine.actions import ActionMachine, Hashed
from segue.core.engine.history import events_of, first_time, latest_time
from segue.core.engine.json_shapes import COUNT, TIME, optional
from segue.core.engine.state import Facts, State
from segue.core.events import Delivery, Event, Json
from segue.core.findings import Finding, Place, find
from segue.core.lifecycle import Decision

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
_TRANSFERS: Final = {"position": COUNT}
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
        if session.lacks_agent and not any(each.kind.is_entry for each in events_of(state)):
            found.append(find("SG708", place, {}))
        how = session.outlived(first_time(state), latest_time(state)) if state.ended else ""
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
    """The number of transfer callbacks of one conversation. Mutable.

    The specification does not define the content of these callbacks.
    """

    position: int = 0
    """The number of callbacks so far."""

    def apply(self, kind: StrEnum, agent: str, moment: object, *, enforce: bool) -> TransferOutcome:
        """Count one transfer callback. The content of the callback is ignored."""
        del kind, agent, moment, enforce
        self.position += 1
        return TransferOutcome()

    def to_json(self) -> Json:
        """Return the session as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "TransferSession":
        """Return the session that `to_json` converted to a JSON object."""
        return cls(**value)


CALLBACK_MACHINES: Final = {
    machine.name: machine
    for machine in (CallMachine(), ActionMachine("transfers", TransferSession, _TRANSFERS))
}
"""The machines of this module by name: `calls` and `transfers`."""
