"""Models of outbound calls and their notifications (endpoint E2)."""

from typing import Any, Literal

from pydantic import AliasChoices, Field

from segue.platform.models.base import PlatformModel


class DetectionTimers(PlatformModel):
    """The time limits of answering-machine detection, in milliseconds."""

    no_speech_timeout_ms: int | None = None
    decision_timeout_ms: int | None = None
    tone_timeout_ms: int | None = None
    greeting_completion_timeout_ms: int | None = None


class Dialout(PlatformModel):
    """The parameters of a request to start an outbound call (endpoint E2)."""

    target: str
    caller: str
    notify_url: str | None = Field(default=None, alias="notifyurl")
    trunk: str | None = None
    metadata: dict[str, Any] | None = None
    timers: DetectionTimers | None = None
    machine_detection: Literal["disconnect", "detect", "disabled"] | str | None = Field(
        default=None, alias="machinedetection"
    )
    threshold_word_count: int | float | None = None


class DialoutStarted(PlatformModel):
    """The ids of the outbound call that endpoint E2 has started."""

    sid: str | None = None
    call_id: str | None = None


_ReasonCode = Literal[
    "Busy Here", "Service Unavailable", "Temporarily Unavailable", "caller-disconnected",
    "bot-disconnected",
]  # fmt: skip
_MachineDetection = Literal[
    "amd_human_detected", "amd_machine_detected", "amd_no_speech_detected", "amd_decision_timeout",
    "amd_machine_stopped_speaking", "amd_tone_detected", "amd_error", "amd_stopped", "disabled",
    "disconnect",
]  # fmt: skip


class CallNotification(PlatformModel):
    """The result of an outbound call.

    The platform posts it once, after the call, to the `notifyurl` of the request (endpoint E2).
    """

    conversation_id: str | None = None
    status: Literal["answered", "completed", "failed"] | str | None = None
    reason_code: _ReasonCode | str | None = None
    reason: str | None = None
    call_connect_time: str | None = Field(default=None, alias="callconnecttime")
    call_disconnect_time: str | None = Field(
        default=None,
        alias="callDisconnectTime",
        validation_alias=AliasChoices("callDisconnectTime", "callDisconnecttime"),
    )
    duration: int | float | str | None = None
    machine_detection: _MachineDetection | str | None = Field(
        default=None, alias="machinedetection"
    )
