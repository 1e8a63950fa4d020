"""The intakes: the endpoints that deliveries arrive at, one row each.

Reading, judging, storing and serving a delivery ask its row; none of them names an endpoint.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class IdSource(StrEnum):
    """Where the conversation and the bot of a delivery are named."""

    BODY = "body"
    """In the body; the address fills in, and a different bot in the address is a flaw (SG506)."""
    ADDRESS = "address"
    """In path and query; the body fills in."""


class ReceiptKind(StrEnum):
    """What the sender of a delivery gets back."""

    DELIVERY = "delivery"
    """Phase, expected events and findings; everything that can be filed is applied."""
    CONTROL = "control"
    """State and allowed actions; a body with a missing or wrong field is refused."""


@dataclass(frozen=True, slots=True)
class Intake:
    """One endpoint that deliveries arrive at."""

    name: str
    """As envelopes, stores and delivery ids spell it."""
    path: str
    """Template of the path, with `{botId}`."""
    permission: str
    """What a sender must be allowed to do."""
    machine: str
    """Name of the state machine that its events go to."""
    ids: IdSource
    """Where the conversation and the bot are named."""
    receipt: ReceiptKind
    """What its senders get back."""
    query: tuple[str, ...] = ()
    """Parameters of the query that name ids."""
    noun: str = "action"
    """What an event of it is called, where it has a position among its like."""
    is_callback: bool = False
    """Whether it answers a request of the host, who may have said so (SG710)."""


HOOKS: Final = Intake(
    name="hooks",
    path="/agentdesk/api/v1/hooks/{botId}",
    permission="hooks",
    machine="lifecycle",
    ids=IdSource.BODY,
    receipt=ReceiptKind.DELIVERY,
)
"""Lifecycle events and messages (E21)."""
TRANSCRIPTION: Final = Intake(
    name="transcription",
    path="/api/1.1/public/bot/{botId}/control/transcription",
    permission="transcription",
    machine="transcription",
    ids=IdSource.ADDRESS,
    receipt=ReceiptKind.CONTROL,
    query=("conversationId",),
    noun="transcription action",
)
"""Transcription actions (E1)."""
CALL_NOTIFICATIONS: Final = Intake(
    name="notifications",
    path="/notifications/{botId}",
    permission="notifications",
    machine="calls",
    ids=IdSource.BODY,
    receipt=ReceiptKind.DELIVERY,
    noun="call notification",
    is_callback=True,
)
"""The final status of an outbound call (E2, `notifyurl`)."""
TRANSFER_CALLBACKS: Final = Intake(
    name="transfers",
    path="/transfers/{botId}",
    permission="transfers",
    machine="transfers",
    ids=IdSource.ADDRESS,
    receipt=ReceiptKind.DELIVERY,
    query=("conversationId",),
    noun="transfer callback",
    is_callback=True,
)
"""What became of a transfer (E9, `callbackUrl`)."""

INTAKES: Final[Mapping[str, Intake]] = MappingProxyType(
    {
        intake.name: intake
        for intake in (HOOKS, TRANSCRIPTION, CALL_NOTIFICATIONS, TRANSFER_CALLBACKS)
    }
)
"""Every intake by its name."""
