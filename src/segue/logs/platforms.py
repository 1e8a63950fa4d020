"""What the events of other platforms mean, one table each, by their public documentation.

- Genesys Cloud: "Available topics" of the Developer Center and the detail events of its SDKs
  (`UserStartDetailEventTopicUserStartEvent` and others), as notifications or by EventBridge.
- Amazon Connect: "Amazon Connect contact events" of the administrator guide.
- Twilio: "TaskRouter Events reference", as event callbacks or by Event Streams.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Final


class Meaning(Enum):
    """What an event means for a conversation."""

    OPENS = auto()
    """A part of the conversation begins, perhaps as the target of a transfer."""
    JOINS = auto()
    """An agent enters."""
    LEAVES = auto()
    """An agent leaves."""
    TRANSFERS = auto()
    """A transfer is announced: who leaves next is replaced."""
    CLOSES = auto()
    """A part of the conversation is over: its agent leaves, and it ends with its last part."""
    ENDS = auto()
    """The conversation ends as soon as no agent is there."""


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform writes its events.  Each fact has the pointers that it may stand at."""

    types: tuple[str, ...]
    """Pointers to the name of the event."""
    meanings: Mapping[str, Meaning]
    """The meaning of each event that has one, by the end of its name."""
    facts: Mapping[str, tuple[str, ...]]
    transfers: frozenset[str] = frozenset()
    """Values of the fact `ending` with which an agent leaves to be replaced."""


def _below(parents: tuple[str, ...], **facts: str) -> Mapping[str, tuple[str, ...]]:
    """Return facts that stand under a key, below any of these pointers."""
    return MappingProxyType(
        {fact: tuple(f"{each}/{key}" for each in parents) for fact, key in facts.items()}
    )


_GENESYS: Final = Platform(
    types=("/detail/topicName", "/topicName"),
    meanings={
        ".user.start": Meaning.JOINS,
        ".user.end": Meaning.LEAVES,
        ".customer.end": Meaning.ENDS,
    },
    facts=_below(
        ("/detail/eventBody", "/eventBody"),
        conversation="conversationId",
        agent="userId",
        queue="queueId",
        channel="mediaType",
        time="eventTime",
        ending="disconnectType",
        reason="disconnectType",
    ),
    transfers=frozenset(
        {
            *("TRANSFER", "CONSULT_TRANSFER", "FORWARD_TRANSFER", "DND_TRANSFER"),
            *("NO_ANSWER_TRANSFER", "NOT_AVAILABLE_TRANSFER"),
        }
    ),
)
_CONNECT: Final = Platform(
    types=("/detail/eventType",),
    meanings={
        "INITIATED": Meaning.OPENS,
        "QUEUED": Meaning.OPENS,
        "CONNECTED_TO_AGENT": Meaning.JOINS,
        "DISCONNECTED": Meaning.CLOSES,
    },
    facts=MappingProxyType(
        {
            "conversation": ("/detail/initialContactId", "/detail/contactId"),
            "part": ("/detail/contactId",),
            "agent": ("/detail/agentInfo/agentArn",),
            "queue": ("/detail/queueInfo/queueArn",),
            "channel": ("/detail/channel",),
            "time": ("/time",),
            "id": ("/id",),
            "reason": ("/detail/disconnectReason",),
        }
    ),
)
_TWILIO: Final = Platform(
    types=("/data/payload/eventtype", "/EventType"),
    meanings={
        "reservation.accepted": Meaning.JOINS,
        "reservation.wrapup": Meaning.LEAVES,
        "reservation.completed": Meaning.LEAVES,
        "task.transfer-initiated": Meaning.TRANSFERS,
        "task.completed": Meaning.ENDS,
        "task.canceled": Meaning.ENDS,
    },
    facts=MappingProxyType(
        {
            "conversation": ("/data/payload/task_sid", "/TaskSid"),
            "agent": ("/data/payload/worker_sid", "/WorkerSid"),
            "name": ("/data/payload/worker_name", "/WorkerName"),
            "queue": ("/data/payload/task_queue_sid", "/TaskQueueSid"),
            "queue_name": ("/data/payload/task_queue_name", "/TaskQueueName"),
            "channel": ("/data/payload/task_channel_unique_name", "/TaskChannelUniqueName"),
            "time": ("/data/payload/timestamp", "/Timestamp"),
            "id": ("/data/payload/sid", "/Sid"),
            "reason": (
                *("/data/payload/task_completed_reason", "/TaskCompletedReason"),
                *("/data/payload/task_canceled_reason", "/TaskCanceledReason"),
            ),
        }
    ),
)

PLATFORMS: Final[Mapping[str, Platform]] = MappingProxyType(
    {"genesys": _GENESYS, "connect": _CONNECT, "twilio": _TWILIO}
)
"""Every platform by its name."""

EXPERIENCES: Final[Mapping[str, str]] = MappingProxyType(
    {"voice": "voice", "callback": "voice", "chat": "chat", "message": "chat", "sms": "chat"}
)
"""The experience of each channel that has one, in lower case."""
