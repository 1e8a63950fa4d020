"""The content of a call notification, and the rules about its contradictions (SG704 to SG707).

The platform usually sends times without a time zone. All times of one notification are then
interpreted in the UTC offset, a multiple of 15 minutes, that brings the latest of them closest to
the time of receipt. Without a time of receipt they are interpreted as UTC.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from segue.core.events import CallKind
from segue.core.events.shapes import UNREAD_YEARS

_MOST_TEXT: Final = 120
_QUARTER: Final = timedelta(minutes=15)
_FARTHEST: Final = timedelta(hours=14)
"""The largest offset from UTC of any time zone."""
_SECOND: Final = 1
"""The largest difference in seconds between a duration and its times that is not reported."""
_LONGEST: Final = 10**9
"""The longest duration in seconds that is not reported."""
_MOST: Final = 10**12
"""The largest absolute value that is read as a duration."""
_HUNG_UP: Final = "-disconnected"
"""The suffix of the reason code of an answered call, such as `caller-disconnected`."""
_NOT_ANSWERED: Final = frozenset({"busy here", "service unavailable", "temporarily unavailable"})
"""Reason codes that only a call without an answer can have."""
DISABLED: Final = "disabled"
"""The value of `machinedetection` if the detection of answering machines is switched off."""
MACHINES: Final = frozenset(
    {"amd_machine_detected", "amd_machine_stopped_speaking", "amd_tone_detected"}
)
"""Values of `machinedetection` for a call that a machine answered."""
_DETECTED: Final = MACHINES | {
    "amd_human_detected",
    "amd_no_speech_detected",
    "amd_decision_timeout",
    "amd_error",
    "amd_stopped",
}
"""Values of `machinedetection` that only detection can produce."""
_ON_FAILED: Final = "disconnect"
"""The value of `machinedetection` for a failed call."""


class Offence(NamedTuple):
    """A contradiction in a notification, from which a finding is made."""

    code: str
    """The code of the rule, such as `SG705`."""
    pointer: str
    """A JSON Pointer to the field that contradicts another, such as `/duration`."""
    facts: Mapping[str, str]
    """The values for the templates of the rule."""


class Notification(NamedTuple):
    """The fields of a call notification.

    A field that is missing or invalid is an empty string or None.
    """

    kind: CallKind
    reason_code: str = ""
    reason: str = ""
    connected_at: datetime | None = None
    disconnected_at: datetime | None = None
    duration: float | None = None
    """The duration in seconds that the platform reported."""
    machine_detection: str = ""

    @classmethod
    def of(
        cls, kind: CallKind, value: Mapping[str, Any], received_at: datetime | None
    ) -> "Notification":
        """Return the notification of a body whose times and numbers have been converted."""
        times = [_time(value.get(key)) for key in ("callconnecttime", "callDisconnectTime")]
        connected, disconnected = _in_zone(times, received_at)
        duration = value.get("duration")
        return cls(
            kind,
            _text(value, "reasonCode"),
            _text(value, "reason"),
            connected,
            disconnected,
            duration if is_duration(duration) else None,
            _text(value, "machinedetection"),
        )

    def after(self, before: "Notification") -> "Notification":
        """Return this notification, with missing fields taken from the notification `before`."""
        said = self._asdict()
        return before._replace(**{name: said[name] for name in said if said[name]})

    @property
    def seconds(self) -> float | None:
        """The seconds from connect to disconnect, or None if one of the times is unknown."""
        if self.connected_at is None or self.disconnected_at is None:
            return None
        return (self.disconnected_at - self.connected_at).total_seconds()

    @property
    def over_at(self) -> datetime | None:
        """The time of the disconnect, or None if it is unknown or earlier than the connect."""
        return None if (self.seconds or 0) < 0 else self.disconnected_at

    def to_json(self) -> list[Any]:
        """Return the notification as a list of JSON values."""
        times = (at and at.isoformat() for at in (self.connected_at, self.disconnected_at))
        return [*self[:3], *times, self.duration, self.machine_detection]

    @classmethod
    def from_json(cls, value: list[Any]) -> "Notification":
        """Return the notification that `to_json` converted to a list."""
        kind, code, reason, *times, duration, detection = value
        connected, disconnected = map(_time, times)
        return cls(CallKind(kind), code, reason, connected, disconnected, duration, detection)

    def offences(self, *, is_detection_off: bool) -> list[Offence]:
        """Return the contradictions in this notification, in the order of their codes.

        `is_detection_off` tells whether an earlier notification said that the detection of
        answering machines is switched off.
        """
        found = [
            ("SG704", "/reasonCode", _reason_code(self)),
            ("SG705", "/duration", _duration(self)),
            ("SG706", "/callDisconnectTime", _times(self)),
            ("SG707", "/machinedetection", _detection(self, is_off=is_detection_off)),
        ]
        status = {"status": self.kind.value}
        return [Offence(code, at, {**status, **facts}) for code, at, facts in found if facts]


def is_duration(value: object) -> bool:
    """Return whether a value is a number from -10**12 to 10**12."""
    return type(value) in (int, float) and -_MOST <= value <= _MOST  # type: ignore[operator]


def _reason_code(said: Notification) -> dict[str, str]:
    code = said.reason_code.lower()
    is_wrong = (said.kind is CallKind.FAILED and code.endswith(_HUNG_UP)) or (
        said.kind is CallKind.COMPLETED and code in _NOT_ANSWERED
    )
    return {"reason": said.reason_code} if is_wrong else {}


def _duration(said: Notification) -> dict[str, str]:
    duration, seconds, how = said.duration, said.seconds, ""
    if duration is None:
        return {}
    if duration < 0:
        how = "is negative"
    elif duration > _LONGEST:
        how = "is longer than 30 years"
    elif duration and said.kind is CallKind.FAILED:
        how = "is that of a call that was never answered"
    elif seconds is not None and seconds >= 0 and abs(duration - seconds) > _SECOND:
        how = f"is not the {seconds:g} seconds from connect to disconnect"
    return {"duration": f"{duration:g}", "how": how} if how else {}


def _times(said: Notification) -> dict[str, str]:
    seconds = said.seconds
    if seconds is None or seconds >= 0:
        return {}
    assert said.connected_at is not None
    assert said.disconnected_at is not None
    return {
        "connected": said.connected_at.isoformat(),
        "disconnected": said.disconnected_at.isoformat(),
    }


def _detection(said: Notification, *, is_off: bool) -> dict[str, str]:
    found = said.machine_detection.lower()
    how = ""
    if found in _DETECTED:
        how = "although detection is off" if is_off else ""
    elif found == _ON_FAILED:
        how = "" if said.kind is CallKind.FAILED else "which is said of failed calls only"
    elif found and found != DISABLED:
        how = "which is none of the results"
    return {"value": said.machine_detection, "how": how} if how else {}


def _text(value: Mapping[str, Any], key: str) -> str:
    """Return a string field, stripped and cut to 120 characters.

    Other values give an empty string.
    """
    found = value.get(key)
    return found.strip()[:_MOST_TEXT] if isinstance(found, str) else ""


def _time(found: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(found) if isinstance(found, str) else None
    except ValueError:  # the text was not converted
        return None
    return None if at is None or at.year in UNREAD_YEARS else at


def _in_zone(
    times: list[datetime | None], received_at: datetime | None
) -> tuple[datetime | None, datetime | None]:
    """Return two times in UTC.

    The UTC offset of naive times is guessed from the time of receipt.
    """
    naive = [at for at in times if at is not None and at.tzinfo is None]
    shift = timedelta()
    if naive and received_at is not None:
        late = received_at - max(naive).replace(tzinfo=UTC)
        shift = round(late / _QUARTER) * _QUARTER if abs(late) <= _FARTHEST else shift
    connected, disconnected = (None if at is None else _in_utc(at, shift) for at in times)
    return connected, disconnected


def _in_utc(at: datetime, shift: timedelta) -> datetime:
    """Return a time in UTC.

    A naive time is shifted by `shift`, which is the negative UTC offset.
    """
    return at.replace(tzinfo=UTC) + shift if at.tzinfo is None else at.astimezone(UTC)
