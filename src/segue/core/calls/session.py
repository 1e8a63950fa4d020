"""The class `CallSession`, to which the notifications about one outbound call are applied."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from segue.core.calls.notification import DISABLED, MACHINES, Notification, Offence
from segue.core.calls.table import FINAL, TABLE, CallState
from segue.core.events import CallKind, Event, fingerprint

_GRACE: Final = timedelta(minutes=1)
"""The time that an agent may stay after the call without a finding (SG709)."""


class NotificationContext(Protocol):
    """The values that a `CallSession` needs to know about a notification."""

    @property
    def value(self) -> Mapping[str, Any]:
        """The body of the notification, with times and numbers converted."""

    @property
    def at(self) -> datetime | None:
        """The time of receipt, or None if unknown."""

    @property
    def asked_at(self) -> datetime | None:
        """The time when the host requested the call, or None if unknown."""


class CallOutcome(NamedTuple):
    """The effect of one notification on a `CallSession`."""

    code: str | None
    """The rule that reports the notification (SG601, SG702 or SG703), or None."""
    state_before: CallState
    state: CallState
    """The state after the notification."""
    position: int
    """The position of the notification among those of the conversation, from 0."""
    changed: bool
    """Whether the notification differs from the one before."""
    offences: tuple[Offence, ...] = ()
    """Contradictions between fields of the notification."""
    is_refused: bool = False
    """Always False, because the call has already taken place."""

    @property
    def is_final(self) -> bool:
        """Whether the call was over after this notification and not before it."""
        return self.state in FINAL and self.state_before not in FINAL


@dataclass(slots=True)
class CallSession:
    """The outbound call of one conversation. Mutable."""

    position: int = 0
    """The number of notifications so far, which is also the position of the next notification."""
    state: CallState = CallState.UNKNOWN
    call: Notification | None = None
    """The latest notification, with missing fields taken from earlier ones, or None before the
    first.
    """
    asked_at: datetime | None = None
    """The time when the host requested the call, or None if unknown."""
    last: str = ""
    """The fingerprint of the last notification. Empty before the first notification."""
    is_detection_off: bool = False
    """Whether a notification said that the detection of answering machines is switched off."""
    has_outlived: bool = False
    """Whether SG709 was reported for this conversation."""

    def apply(
        self, kind: StrEnum, agent: str, moment: NotificationContext, *, enforce: bool
    ) -> CallOutcome:
        """Apply a notification and return its effect.

        A notification is never refused, because the call has already taken place.
        """
        del agent, enforce
        status, position = CallKind(kind), self.position
        content = fingerprint(moment.value, kind)
        if self.state is CallState.UNKNOWN and moment.asked_at is not None:
            self.state, self.asked_at = CallState.DIALLED, moment.asked_at
        before, cell = self.state, TABLE[self.state][status]
        self.position += 1
        if content == self.last:
            return CallOutcome("SG601", before, before, position, changed=False)
        said = Notification.of(status, moment.value, moment.at)
        offences = tuple(said.offences(is_detection_off=self.is_detection_off))
        self.last = content
        if cell.code != "SG703":
            known = None if before in FINAL else self.call
            self.call = said if known is None else said.after(known)
            self.state = cell.to
            self.is_detection_off |= said.machine_detection.lower() == DISABLED
        return CallOutcome(cell.code, before, self.state, position, changed=True, offences=offences)

    def restore_last(
        self, number: int, events: Iterable[Event], is_last: Callable[[str], bool]
    ) -> None:
        """Restore the state and the fingerprint of the last notification.

        `number` is the `CallState.number` of the state. `is_last` returns whether a fingerprint is
        that of the last notification. If none of the events has that fingerprint, it is empty
        afterwards.
        """
        self.state = tuple(CallState)[number]
        contents = (event.fingerprint for event in events)
        self.last = next(filter(is_last, contents), "")

    @property
    def lacks_agent(self) -> bool:
        """Whether the call was completed without reaching a machine, so an agent is expected."""
        if self.call is None or self.state is not CallState.COMPLETED:
            return False
        return self.call.machine_detection.lower() not in MACHINES

    def outlived(self, began_at: datetime | None, left_at: datetime | None) -> str:
        """Return a clause that says how long after the end of the call the last agent left.

        The clause is empty if that was at most a minute. A call that was over before the
        conversation began is ignored, because its times must come from another clock.
        """
        over_at = None if self.call is None else self.call.over_at
        if began_at is None or left_at is None or over_at is None or over_at < began_at:
            return ""
        if left_at - over_at <= _GRACE:
            return ""
        return f"had an agent for {_minutes(left_at - over_at)} after the call was disconnected"

    @property
    def ring_time(self) -> float | None:
        """The seconds from the request to the answer, or None if one of the times is unknown."""
        connected = None if self.call is None else self.call.connected_at
        if connected is None or self.asked_at is None or connected < self.asked_at:
            return None
        return (connected - self.asked_at).total_seconds()

    @property
    def call_time(self) -> float | None:
        """The seconds from the answer to the disconnect, or None if unknown or not answered."""
        if self.call is None or self.state is CallState.FAILED:
            return None
        seconds = self.call.seconds
        found = self.call.duration if seconds is None else seconds
        return None if found is None or found < 0 else float(found)

    @property
    def times(self) -> tuple[timedelta | None, timedelta | None]:
        """The ring time and the call time as timedeltas. Each is None if unknown."""
        return _length(self.ring_time), _length(self.call_time)

    def to_dict(self) -> dict[str, Any]:
        """Return the call as a JSON object with the keys of the report schema."""
        call = self.call
        times = [self.asked_at, call and call.connected_at, call and call.disconnected_at]
        asked, connected, disconnected = (None if at is None else at.isoformat() for at in times)
        return {
            "state": self.state.value,
            "reason_code": (call and call.reason_code) or None,
            "reason": (call and call.reason) or None,
            "asked_at": asked,
            "connected_at": connected,
            "disconnected_at": disconnected,
            "ring_time": self.ring_time,
            "call_time": self.call_time,
            "machine_detection": (call and call.machine_detection) or None,
            "notifications": self.position,
        }

    def to_json(self) -> dict[str, Any]:
        """Return all fields as a JSON object, from which `from_json` restores the session."""
        return {
            "position": self.position,
            "state": self.state.value,
            "call": self.call and self.call.to_json(),
            "asked_at": self.asked_at and self.asked_at.isoformat(),
            "last": self.last,
            "is_detection_off": self.is_detection_off,
            "has_outlived": self.has_outlived,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "CallSession":
        """Return the session that `to_json` converted to a JSON object."""
        call, asked_at = value["call"], value["asked_at"]
        return cls(
            value["position"],
            CallState(value["state"]),
            call and Notification.from_json(call),
            asked_at and datetime.fromisoformat(asked_at),
            value["last"],
            value["is_detection_off"],
            value["has_outlived"],
        )


def _length(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def _minutes(time: timedelta) -> str:
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    return f"{minutes} min {seconds} s"
