"""Notifications by hand, each citing its sentence of the specification.

"Events, Outbound call status notification" has the fields, the statuses, the reason codes and the
spellings; the samples are told there: 12-hour times with a date and a comma, `duration` as a number
where the table says string, `disabled` when detection is off, `disconnect` on failed calls.
"""

from typing import Any, Final, NamedTuple


class Vector(NamedTuple):
    """A body, what the specification says of it, and what a report must say."""

    sentence: str
    body: dict[str, Any]
    call: dict[str, Any]
    codes: tuple[str, ...] = ()


CONNECTED: Final = "2026-11-21T13:12:24+00:00"
DISCONNECTED: Final = "2026-11-21T13:13:21+00:00"

COMPLETED: Final = {
    "status": "completed",
    "reasonCode": "caller-disconnected",
    "reason": "200 OK",
    "callconnecttime": "11/21/2026, 01:12:24 PM",
    "callDisconnectTime": "11/21/2026, 01:13:21 PM",
    "duration": 57,
    "machinedetection": "amd_human_detected",
}
FAILED: Final = {
    "status": "failed",
    "reasonCode": "Busy Here",
    "reason": "486 Busy Here",
    "machinedetection": "disconnect",
}
KNOWN: Final = {
    "state": "completed",
    "reason_code": "caller-disconnected",
    "reason": "200 OK",
    "asked_at": None,
    "connected_at": CONNECTED,
    "disconnected_at": DISCONNECTED,
    "ring_time": None,
    "call_time": 57.0,
    "machine_detection": "amd_human_detected",
    "notifications": 1,
}
NOTHING: Final = dict.fromkeys(KNOWN)
FAILED_CALL: Final = {
    **NOTHING,
    "state": "failed",
    "reason_code": "Busy Here",
    "reason": "486 Busy Here",
    "machine_detection": "disconnect",
    "notifications": 1,
}


def _but(body: dict[str, Any], **changes: Any) -> dict[str, Any]:
    changed = {**body, **changes}
    return {key: value for key, value in changed.items() if value is not ...}


VECTORS: Final = (
    Vector("`completed` (disconnected after answer)", COMPLETED, KNOWN),
    Vector(
        "the field table spells it `callDisconnecttime`",
        _but(
            COMPLETED,
            callDisconnectTime=...,
            callDisconnecttime=COMPLETED["callDisconnectTime"],
        ),
        KNOWN,
    ),
    Vector("number (table says string)", _but(COMPLETED, duration="57"), KNOWN),
    Vector(
        "The sample spells it `machineDetection`",
        _but(COMPLETED, machinedetection=..., machineDetection="amd_human_detected"),
        KNOWN,
    ),
    Vector(
        "`bot-disconnected`",
        _but(COMPLETED, reasonCode="bot-disconnected"),
        {**KNOWN, "reason_code": "bot-disconnected"},
    ),
    Vector(
        "a gateway-disconnected value (disconnected due to an amd error)",
        _but(COMPLETED, reasonCode="gateway-disconnected", machinedetection="amd_error"),
        {**KNOWN, "reason_code": "gateway-disconnected", "machine_detection": "amd_error"},
    ),
    Vector(
        "`disabled` when off",
        _but(COMPLETED, machinedetection="disabled"),
        {**KNOWN, "machine_detection": "disabled"},
    ),
    Vector(
        "Present when detection is configured",
        _but(COMPLETED, machinedetection=...),
        {**KNOWN, "machine_detection": None},
    ),
    Vector("`failed` (ended before answer), `Busy Here` (busy)", FAILED, FAILED_CALL),
    Vector(
        "`Service Unavailable` (server unavailable)",
        _but(FAILED, reasonCode="Service Unavailable", reason="503 Service Unavailable"),
        {
            **FAILED_CALL,
            "reason_code": "Service Unavailable",
            "reason": "503 Service Unavailable",
        },
    ),
    Vector(
        "`Temporarily Unavailable` (declined or rejected)",
        _but(FAILED, reasonCode="Temporarily Unavailable", reason="480 Temporarily Unavailable"),
        {
            **FAILED_CALL,
            "reason_code": "Temporarily Unavailable",
            "reason": "480 Temporarily Unavailable",
        },
    ),
    Vector(
        "`answered` (connection established)",
        {"status": "answered", "callconnecttime": "11/21/2026, 01:12:24 PM"},
        {**NOTHING, "state": "answered", "connected_at": CONNECTED, "notifications": 1},
    ),
    Vector(
        "12-hour time with AM/PM: midnight is 12 AM",
        _but(
            COMPLETED,
            callconnecttime="12/31/2026, 11:59:30 PM",
            callDisconnectTime="1/1/2027, 12:00:27 AM",
        ),
        {
            **KNOWN,
            "connected_at": "2026-12-31T23:59:30+00:00",
            "disconnected_at": "2027-01-01T00:00:27+00:00",
        },
    ),
    Vector(
        "everything dateutil reads",
        _but(
            COMPLETED,
            callconnecttime="Sat, 21 Nov 2026 13:12:24",
            callDisconnectTime="2026-11-21T14:13:21+01:00",
        ),
        KNOWN,
    ),
)

OFFENCES: Final = (
    Vector(
        "`completed`, `failed`, `answered`",
        {"status": "busy"},
        {**NOTHING, "state": "unknown", "notifications": 0},
        ("SG701",),
    ),
    Vector(
        "status string",
        {"reasonCode": "Busy Here"},
        {**NOTHING, "state": "unknown", "notifications": 0},
        ("SG502",),
    ),
    Vector(
        "status string",
        {"status": 5},
        {**NOTHING, "state": "unknown", "notifications": 0},
        ("SG503",),
    ),
    Vector(
        "For `failed`: `Busy Here`, …",
        _but(FAILED, reasonCode="caller-disconnected"),
        {**FAILED_CALL, "reason_code": "caller-disconnected"},
        ("SG704",),
    ),
    Vector(
        "For `completed`: `caller-disconnected`, …",
        _but(COMPLETED, reasonCode="busy here"),
        {**KNOWN, "reason_code": "busy here"},
        ("SG704",),
    ),
    Vector(
        "Seconds from connect to end",
        _but(COMPLETED, duration=59),
        KNOWN,
        ("SG705",),
    ),
    Vector("Seconds from connect to end", _but(COMPLETED, duration="-57"), KNOWN, ("SG705",)),
    Vector(
        "absent on failed calls",
        _but(FAILED, duration=12),
        FAILED_CALL,
        ("SG705",),
    ),
    Vector(
        "Seconds from connect to end",
        _but(COMPLETED, duration=10**9 + 1, callconnecttime=...),
        {**KNOWN, "connected_at": None, "call_time": 1000000001.0},
        ("SG705",),
    ),
    Vector(
        "Time the end user picked up; Disconnect time",
        _but(COMPLETED, callDisconnectTime="11/21/2026, 01:13:21 AM", duration=...),
        {**KNOWN, "disconnected_at": "2026-11-21T01:13:21+00:00", "call_time": None},
        ("SG706",),
    ),
    Vector(
        "`amd_human_detected`, …",
        _but(COMPLETED, machinedetection="human"),
        {**KNOWN, "machine_detection": "human"},
        ("SG707",),
    ),
    Vector(
        "`disconnect` on failed calls",
        _but(COMPLETED, machinedetection="disconnect"),
        {**KNOWN, "machine_detection": "disconnect"},
        ("SG707",),
    ),
    Vector(
        "date, comma, 12-hour time",
        _but(COMPLETED, callconnecttime="01:12:24 PM"),
        {**KNOWN, "connected_at": None},
        ("SG509",),
    ),
    Vector("duration number", _but(COMPLETED, duration="a minute"), KNOWN, ("SG503",)),
    Vector("duration number", _but(COMPLETED, duration=True), KNOWN, ("SG503",)),
    Vector(
        "reasonCode string",
        _but(COMPLETED, reasonCode=200),
        {**KNOWN, "reason_code": None},
        ("SG503",),
    ),
)
