"""The optional decoder: msgspec's, which takes a third of the time.

It decides nothing.  House rules: (1) whatever it refuses is decoded again by pydantic, the
reference; (2) of what it takes, pydantic gives the same, or `usual` gives it up: members that these
types do not name are skipped here, which its count of colons betrays (a law of the tests).

The types are those of `model` without what is rare.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from segue.events import digest, fingerprint

__all__ = ["fast_decode", "fast_fingerprint"]

_Flag: TypeAlias = bool | Literal["true", "false"]


class _CustomFields(TypedDict, total=False):
    agentEmail: str | None
    queueId: str | None
    queueName: str | None


class _Participant(TypedDict):
    identity: str
    name: str
    type: Literal["agent"]
    customFields: NotRequired[_CustomFields | None]


class _Data(TypedDict):
    language: str
    locale: str
    type: str


class _Event(TypedDict, total=False):
    # One shape for all three, for a union would need classes; `usual` asks for what it needs.
    name: str
    transfertype: str
    transition: str
    isExtAD: _Flag
    language: str | None
    experience: str
    participant: _Participant
    reason: str | None
    data: _Data


class _Author(TypedDict):
    type: str


class _Body(TypedDict, total=False):
    conversationId: str | None
    botId: str | None
    query: str | None
    agentId: str | None
    experience: str | None
    author: _Author | None
    source: str | None
    sendUserMessage: _Flag | None
    sendAgentMessage: _Flag | None
    language: str | None
    events: list[_Event] | None
    action: Literal["start", "pause", "resume", "end"]
    handover: bool


class _Line(_Body, total=False):
    received_at: str | None
    delivery_id: str | None
    endpoint: Literal["hooks", "transcription"] | None
    bot_id: str | None
    conversation_id: str | None
    body: _Body | str


def _decoder() -> Callable[[bytes], dict[str, Any]] | None:
    try:
        import msgspec  # noqa: PLC0415 - the extra `fast`, which may not be installed
    except ImportError:
        return None
    decode: Callable[[bytes], Any] = msgspec.json.Decoder(_Line).decode
    return decode


def _fingerprinter() -> Callable[[Mapping[str, Any]], str]:
    try:
        import msgspec  # noqa: PLC0415 - as above
    except ImportError:
        return fingerprint
    encode = msgspec.json.Encoder(order="sorted").encode
    return lambda body: digest(encode(body))


fast_decode: Final = _decoder()
"""Decodes a line or raises ValueError; None: there is no msgspec."""
fast_fingerprint: Final = _fingerprinter()
"""The fingerprint of a body that came of `fast_decode` (a law of the tests): of other values not,
for numbers are written in more ways than one."""
