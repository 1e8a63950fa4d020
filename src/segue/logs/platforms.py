"""What the events of other platforms mean, one table each, by their public documentation.

- Genesys Cloud: "Available topics" of the Developer Center and the detail events of its SDKs
  (`UserStartDetailEventTopicUserStartEvent` and others), as notifications or by EventBridge.
- Amazon Connect: "Amazon Connect contact events" of the administrator guide.
- Twilio: "TaskRouter Events reference", as event callbacks or by Event Streams.
- Asterisk: "Queue Logs" of its documentation, as the file `queue_log` or rows of its table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, auto
from types import MappingProxyType
from typing import Final


class Meaning(Flag):
    """The effects of an event on its conversation. One event may have several."""

    OPENS = auto()
    """A part of the conversation begins: a session of the customer, a contact or a task."""
    REOPENS = auto()
    """A part of the conversation begins, even if it was closed before: a call in another queue."""
    JOINS = auto()
    """An agent enters with a session."""
    LEAVES = auto()
    """The session of an agent ends."""
    ANNOUNCES = auto()
    """A transfer is announced: another agent will follow."""
    REVOKES = auto()
    """The announced transfer does not take place."""
    CLOSES = auto()
    """A part of the conversation is over."""
    ENDS = auto()
    """All sessions of the part are over, even those whose end is not in the log."""


@dataclass(frozen=True, slots=True)
class Platform:
    """The names and places of a platform's events. Each fact has one or several JSON Pointers."""

    types: tuple[str, ...]
    """Pointers to the name of the event."""
    meanings: Mapping[str, Meaning]
    """The effects of each event that has one, by its name. More words may stand before a dot."""
    facts: Mapping[str, tuple[str, ...]]
    columns: tuple[str, ...] = ()
    """The keys of the texts between `|` in a line, or nothing if all lines are JSON objects."""
    channel: str = ""
    """The channel of every event, if events do not say it."""
    inner: frozenset[str] = frozenset()
    """Keys of the object in an event, by which it is known where it was logged without its name."""
    announcing: frozenset[str] = frozenset()
    """Values of the fact `ending` with which an agent leaves to be replaced."""
    observing: frozenset[str] = frozenset()
    """Values of the fact `method` for supervisors who only listen. Their events are left out."""

    def meaning_of(self, name: str) -> Meaning | None:
        """Return the effects of the event of a name, or None if it has none."""
        ends = (each for end, each in self.meanings.items() if f".{name}".endswith(f".{end}"))
        return next(ends, None)


def _below(parents: tuple[str, ...], **facts: str) -> Mapping[str, tuple[str, ...]]:
    """Return the pointers to keys below any of the parents."""
    return MappingProxyType(
        {fact: tuple(f"{each}/{key}" for each in parents) for fact, key in facts.items()}
    )


_GENESYS: Final = Platform(
    types=("/detail/topicName", "/topicName"),
    meanings={
        "customer.start": Meaning.OPENS,
        "voicemail.start": Meaning.OPENS,
        "user.start": Meaning.JOINS,
        "user.end": Meaning.LEAVES,
        "voicemail.end": Meaning.CLOSES,
        "customer.end": Meaning.CLOSES,
    },
    facts=_below(
        ("/detail/eventBody", "/eventBody"),
        conversation="conversationId",
        part="sessionId",
        session="sessionId",
        agent="userId",
        queue="queueId",
        channel="mediaType",
        time="eventTime",
        ending="disconnectType",
        reason="disconnectType",
        rang="alertingDurationMs",
        talked="interactingDurationMs",
        held="heldDurationMs",
    ),
    announcing=frozenset(
        {
            *("TRANSFER", "CONSULT_TRANSFER", "FORWARD_TRANSFER", "DND_TRANSFER"),
            *("NO_ANSWER_TRANSFER", "NOT_AVAILABLE_TRANSFER", "CONFERENCE_TRANSFER", "TAKEOVER"),
        }
    ),
    inner=frozenset({"eventTime", "conversationId", "participantId", "sessionId"}),
)
_CONNECT: Final = Platform(
    types=("/detail/eventType",),
    meanings={
        "INITIATED": Meaning.OPENS,
        "QUEUED": Meaning.OPENS,
        "CONNECTED_TO_AGENT": Meaning.JOINS,
        "DISCONNECTED": Meaning.LEAVES | Meaning.CLOSES,
    },
    facts=MappingProxyType(
        {
            "conversation": (
                *("/detail/initialContactId", "/detail/previousContactId"),
                *("/detail/relatedContactId", "/detail/contactId"),
            ),
            "part": ("/detail/contactId",),
            "session": ("/detail/contactId",),
            "agent": ("/detail/agentInfo/agentArn",),
            "queue": ("/detail/queueInfo/queueArn",),
            "channel": ("/detail/channel",),
            "time": ("/time",),
            "id": ("/id",),
            "reason": ("/detail/disconnectReason",),
            "method": ("/detail/initiationMethod",),
        }
    ),
    observing=frozenset({"MONITOR"}),
    inner=frozenset({"contactId", "instanceArn", "eventType"}),
)
_TWILIO: Final = Platform(
    types=("/data/payload/eventtype", "/EventType"),
    meanings={
        "task.created": Meaning.OPENS,
        "reservation.accepted": Meaning.JOINS,
        "reservation.wrapup": Meaning.LEAVES,
        "reservation.completed": Meaning.LEAVES,
        "reservation.canceled": Meaning.LEAVES,
        "task.transfer-initiated": Meaning.ANNOUNCES,
        "task.transfer-canceled": Meaning.REVOKES,
        "task.transfer-failed": Meaning.REVOKES,
        "task.transfer-attempt-failed": Meaning.REVOKES,
        "task.completed": Meaning.CLOSES | Meaning.ENDS,
        "task.canceled": Meaning.CLOSES | Meaning.ENDS,
        "task.deleted": Meaning.CLOSES | Meaning.ENDS,
        "task.system-deleted": Meaning.CLOSES | Meaning.ENDS,
    },
    facts=MappingProxyType(
        {
            "conversation": ("/data/payload/task_sid", "/TaskSid"),
            "part": ("/data/payload/task_sid", "/TaskSid"),
            "session": ("/data/payload/reservation_sid", "/ReservationSid"),
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
_LEAVES_QUEUE: Final = Meaning.LEAVES | Meaning.CLOSES
_QUEUE_LOG: Final = Platform(
    types=("/event",),
    meanings={
        "ENTERQUEUE": Meaning.REOPENS,
        "CONNECT": Meaning.JOINS,
        "COMPLETEAGENT": _LEAVES_QUEUE,
        "COMPLETECALLER": _LEAVES_QUEUE,
        "BLINDTRANSFER": Meaning.ANNOUNCES | _LEAVES_QUEUE,
        "ATTENDEDTRANSFER": Meaning.ANNOUNCES | _LEAVES_QUEUE,
        "TRANSFER": Meaning.ANNOUNCES | _LEAVES_QUEUE,  # up to Asterisk 11
        "ABANDON": Meaning.CLOSES,
        "EXITEMPTY": Meaning.CLOSES,
        "EXITWITHKEY": Meaning.CLOSES,
        "EXITWITHTIMEOUT": Meaning.CLOSES,
    },
    facts=MappingProxyType(
        {
            "conversation": ("/callid",),
            "part": ("/callid",),
            "session": ("/callid",),
            "agent": ("/agent",),
            "queue": ("/queuename",),
            "time": ("/time",),
            "reason": ("/event",),
        }
    ),
    columns=("time", "callid", "queuename", "agent", "event"),
    channel="voice",
)

PLATFORMS: Final[Mapping[str, Platform]] = MappingProxyType(
    {"genesys": _GENESYS, "connect": _CONNECT, "twilio": _TWILIO, "queue_log": _QUEUE_LOG}
)
"""Every platform by its name."""


def inner_of(record: Mapping[str, object]) -> str | None:
    """Return the platform whose event has lost its outer object, or None if it is not one."""
    names = (name for name, each in PLATFORMS.items() if each.inner and each.inner <= record.keys())
    return next(names, None)


EXPERIENCES: Final[Mapping[str, str]] = MappingProxyType(
    {"voice": "voice", "callback": "voice", "chat": "chat", "message": "chat", "sms": "chat"}
)
"""The experience of each channel that has one, in lower case."""
