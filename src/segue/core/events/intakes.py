"""The intakes: one row for each endpoint that deliveries arrive at.

Code that reads, judges, stores or serves a delivery asks its row. It never names an endpoint.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class IdSource(StrEnum):
    """The place where a delivery names its conversation and its bot."""

    BODY = "body"
    """In the body. The address fills in, and a different bot in the address is a flaw (SG506)."""
    ADDRESS = "address"
    """In path and query. The body fills in."""


class ReceiptKind(StrEnum):
    """The kind of answer that the sender of a delivery gets."""

    DELIVERY = "delivery"
    """Phase, expected events and findings. Every delivery that can be filed is applied."""
    CONTROL = "control"
    """State and allowed actions. A body with a missing or wrong field is refused."""


@dataclass(frozen=True, slots=True, repr=False)
class Intake:
    """An endpoint that deliveries arrive at."""

    name: str
    """The name in envelopes, stores and delivery ids."""
    path: str
    """The template of the path, with `{botId}`."""
    permission: str
    """The permission that a sender needs."""
    machine: str
    """The name of the state machine that receives its events."""
    ids: IdSource
    """The place where deliveries name the conversation and the bot."""
    receipt: ReceiptKind
    """The kind of answer that senders get."""
    query: tuple[str, ...] = ()
    """Query parameters that name ids."""
    noun: str = "action"
    """The word for one of its events where messages give its position."""
    is_callback: bool = False
    """Whether it answers a request of the host, who may have announced the request (SG710)."""

    def __repr__(self) -> str:
        """Show the name only."""
        return f"<Intake {self.name}>"


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
"""The result of a transfer (E9, `callbackUrl`)."""

INTAKES: Final[Mapping[str, Intake]] = MappingProxyType(
    {
        intake.name: intake
        for intake in (HOOKS, TRANSCRIPTION, CALL_NOTIFICATIONS, TRANSFER_CALLBACKS)
    }
)
"""Every intake by its name."""
