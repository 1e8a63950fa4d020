"""Functions that simulate outbound calls (E2), from dialing to the final notification."""

import re
from datetime import datetime, timedelta
from typing import Any, Final

from segue.core.web_address import web_address
from segue.platform.sandbox.moves import TIME
from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest
from segue.platform.sandbox.state import SandboxState

_DIALLED: Final = timedelta(seconds=5)
_DETECTED: Final = timedelta(seconds=2)
"""The time it takes to detect that an answering machine has answered."""
_FAILURES: Final = {
    "1": ("Busy Here", "SIP/2.0 486 Busy Here"),
    "2": ("Service Unavailable", "SIP/2.0 503 Service Unavailable"),
    "3": ("Temporarily Unavailable", "SIP/2.0 480 Temporarily Unavailable"),
}
"""The `reasonCode` and `reason` of failing calls, by the last digit of the number called."""
_MACHINE: Final = "4"
_BOT_ENDS: Final = "5"


def start_call(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Start an outbound call, and return its ids (endpoint E2).

    The notification is posted to `notifyurl` when the call is over.

    Raises:
        RefusedRequest: `target` or `notifyurl` is invalid (400).

    """
    target = request.body["target"]
    notify_url = request.body.get("notifyurl")
    if not re.fullmatch(r"(tel|sip):\S+", target):
        raise RefusedRequest(400, "target must be tel: with a number, or a sip: URI")
    if notify_url is not None and web_address(notify_url) is None:
        raise RefusedRequest(400, "notifyurl must be an absolute URL")
    identity = state.new_id()
    thing = state.add("calls", identity, {
        "callId": identity, "sid": state.new_id(), "status": "dialling", "target": target,
        "url": notify_url,
        "detection": request.body.get("machinedetection", "disabled"),
    })  # fmt: skip
    if target[-1:] in _FAILURES:
        state.clock.after(_DIALLED, "fail call", "calls", identity)
    else:
        state.start("call", identity)
    state.expect_callback("calls", identity)
    return {"sid": thing["sid"], "callId": thing["callId"]}


def fail_call(state: SandboxState, key: str) -> None:
    """Set the state of a call to `failed` if it is still being dialed."""
    if state.get("calls", key)["status"] == "dialling":
        state.move("call", key, "fail")


def follow_call(state: SandboxState, key: str) -> None:
    """Perform the effects of a call's new state.

    The time is recorded when the call is answered, and the notification is posted when the call has
    failed or is completed.
    """
    thing = state.get("calls", key)
    if thing["status"] == "failed":
        code, text = _FAILURES.get(thing["target"][-1:], _FAILURES["1"])
        extra = {} if thing["detection"] == "disabled" else {"machinedetection": "disconnect"}
        _notify(state, thing, {"reasonCode": code, "reason": text, **extra})
    elif thing["status"] == "answered":
        thing["connected"] = state.clock.now.isoformat()
        if thing["target"].endswith(_MACHINE) and thing["detection"] == "disconnect":
            state.clock.after(_DETECTED, "hang up", "calls", key)
    elif thing["status"] == "completed":
        _complete(state, thing)


def hang_up(state: SandboxState, key: str) -> None:
    """Set the state of a call that an answering machine has answered to `completed`."""
    if state.get("calls", key)["status"] == "answered":
        state.move("call", key, TIME)


def _complete(state: SandboxState, thing: dict[str, Any]) -> None:
    is_machine = thing["target"].endswith(_MACHINE)
    ends_early = is_machine and thing["detection"] == "disconnect"
    by_bot = ends_early or thing["target"].endswith(_BOT_ENDS)
    detected = "amd_machine_detected" if is_machine else "amd_human_detected"
    since = datetime.fromisoformat(thing["connected"])
    _notify(state, thing, {
        "reasonCode": "bot-disconnected" if by_bot else "caller-disconnected",
        "reason": "Normal call clearing",
        "callconnecttime": _clock_time(since),
        "callDisconnectTime": _clock_time(state.clock.now),
        "duration": int((state.clock.now - since).total_seconds()),
        "machinedetection": "disabled" if thing["detection"] == "disabled" else detected,
    })  # fmt: skip


def _notify(state: SandboxState, thing: dict[str, Any], more: dict[str, Any]) -> None:
    if thing["url"]:
        body = {"conversationId": thing["callId"], "status": thing["status"], **more}
        state.call_back("notification", thing, thing["callId"], body)


def _clock_time(moment: datetime) -> str:
    """Return a time in the format of notifications, such as `03/02/2026, 08:00:05 AM`."""
    return f"{moment:%m/%d/%Y}, {moment:%I:%M:%S %p}"
