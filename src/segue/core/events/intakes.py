"""The intakes, which are the endpoints that deliveries arrive at.

Code that reads, judges, stores or serves a delivery uses the attributes of its intake. It never
compares names of endpoints.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from segue.core.reprs import short_repr


class IdSource(StrEnum):
    """The part of an HTTP request that contains the ids of the conversation and the bot."""

    BODY = "body"
    """The ids are in the body. Those in the address are used if the body lacks them, and a
    different bot in the address is a flaw (SG506).
    """
    ADDRESS = "address"
    """The ids are in the path and the query. Those in the body are used if the address lacks them.
    """


class ReceiptKind(StrEnum):
    """The kind of response that the sender of a request receives."""

    DELIVERY = "delivery"
    """The phase, the expected events and the findings. A delivery is applied if its conversation is
    known.
    """
    CONTROL = "control"
    """The state and the allowed actions. A body with a missing or wrong field is refused."""


@dataclass(frozen=True, slots=True, repr=False)
class Intake:
    """An endpoint that deliveries arrive at, such as the webhook for lifecycle events."""

    name: str
    """The name in envelopes, stores and delivery ids, such as `hooks`."""
    path: str
    """The template of the URL path, with the placeholder `{botId}`."""
    permission: str
    """The name of the permission that a sender needs."""
    machine: str
    """The name of the state machine that receives the events, such as `lifecycle`."""
    ids: IdSource
    """The place where deliveries contain the ids of the conversation and the bot."""
    receipt: ReceiptKind
    """The kind of answer that senders receive."""
    query: tuple[str, ...] = ()
    """The names of query parameters that contain ids, such as `conversationId`."""
    noun: str = "action"
    """The word for an event of this intake in messages, such as `call notification`."""
    is_callback: bool = False
    """Whether deliveries answer a request of the host. SG710 reports one that the host did not
    announce.
    """

    @short_repr
    def __repr__(self) -> str:
        """Return a short form, such as `<Intake hooks>`."""
        return f"<Intake {self.name}>"


HOOKS: Final = Intake(
    name="hooks",
    path="/agentdesk/api/v1/hooks/{botId}",
    permission="hooks",
    machine="lifecycle",
    ids=IdSource.BODY,
    receipt=ReceiptKind.DELIVERY,
)
"""The intake of lifecycle events and messages (endpoint E21 of the specification)."""
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
"""The intake of transcription actions (endpoint E1)."""
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
"""The intake of the final status of outbound calls, which the platform sends to `notifyurl` (E2).
"""
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
"""The intake of the results of transfers, which the platform sends to `callbackUrl` (E9)."""

INTAKES: Final[Mapping[str, Intake]] = MappingProxyType(
    {
        intake.name: intake
        for intake in (HOOKS, TRANSCRIPTION, CALL_NOTIFICATIONS, TRANSFER_CALLBACKS)
    }
)
"""Every intake, by its name."""
