"""The values that the processor and a store exchange.

They are frozen, all times are aware and in UTC, and no `repr` shows text of customers. A store
reads only the fields named here, never the contents of a snapshot, a body or the data of a message.
"""

import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple


class DeliveryOutcome(StrEnum):
    """The outcome of a delivery. All outcomes but `APPLIED` leave the conversation unchanged."""

    APPLIED = "applied"
    """The events of the delivery are part of the conversation now."""
    HELD = "held"
    """The delivery is out of order and waits for others; see `HeldEntry`."""
    DUPLICATE = "duplicate"
    """The id was seen before with the same body, and that delivery was applied or held."""
    UNREADABLE = "unreadable"
    """The body is not a JSON object, or a field of a transcription action cannot be read."""
    UNFILED = "unfiled"
    """The delivery names no conversation, or it is empty."""
    REJECTED = "rejected"
    """The delivery gives a finding that the policy rejects."""
    REUSED = "reused"
    """The id was seen before with another body."""
    TOO_LARGE = "too large"
    """The delivery has more events than allowed."""
    UNADDRESSABLE = "unaddressable"
    """An id is too long, or cannot be used in the URL of a reader."""
    FORBIDDEN = "forbidden"
    """The sender may not act for the bot."""
    REFUSED = "refused"
    """The state does not allow the transcription action."""


class ConversationKey(NamedTuple):
    """The key of a conversation. Two bots may use the same conversation ids."""

    bot_id: str
    """The bot id in the path, or else in the body. It is empty if neither names a bot."""
    conversation_id: str
    """The `conversationId` of the platform. It is empty if it is not named."""


class Identity(NamedTuple):
    """A delivery id with its scope."""

    endpoint: str
    """The name of the intake."""
    bot_id: str
    """The bot id in the path. It is empty if only the body names a bot."""
    delivery_id: str
    """The value of `Idempotency-Key` or `webhook-id`, or of `delivery_id` in an envelope."""


class HostRequest(NamedTuple):
    """A request that the host made to the platform, or the ids that a callback gives for it."""

    endpoint: str
    """The name of the intake that the platform calls back."""
    bot_id: str
    """The bot whose address the platform calls back."""
    conversation_id: str | None
    """The conversation id, or None if it was unknown when the request was made. A callback always
    has one."""
    request_id: str | None
    """The host's own name for the request, or None."""


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One conversation in the list."""

    conversation_id: str
    """The `conversationId` of the platform."""
    bot_id: str
    """The bot that the conversation belongs to. It is empty if no bot was named."""
    phase: str
    """A value of `Phase`."""
    events: int
    """The number of events."""
    findings: int
    """The number of reported findings."""
    mistakes: int
    """The number of reported errors that do not follow from others; see `Report.mistakes`."""
    started_at: datetime
    """The time at which the first delivery was received, in UTC."""
    updated_at: datetime
    """The time at which the last delivery was received, in UTC. Retention counts from it."""
    number: int = 0
    """The number in the order of creation, assigned by the store. Larger is newer."""

    @property
    def key(self) -> ConversationKey:
        """The key of the conversation."""
        return ConversationKey(self.bot_id, self.conversation_id)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain JSON values."""
        times = {
            "started_at": self.started_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }
        found = asdict(self) | {"bot_id": self.bot_id or None} | times
        del found["number"]
        return found


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """A committed delivery that waits for others that it overtook."""

    arrival: int
    """The version of the conversation that committed the delivery. It gives the order of
    arrival."""
    endpoint: str
    """The name of the intake."""
    bot_id: str
    """The bot id in the path. It is empty if only the body names a bot."""
    delivery_id: str | None
    """The id of the delivery, or None."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    deadline: datetime
    """The time at which it is applied at the latest."""
    codes: tuple[str, ...]
    """The distinct codes of the errors that it would have given on arrival."""
    body: str = field(repr=False)
    """JSON text."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain JSON values, without the body."""
        return {
            "delivery_id": self.delivery_id,
            "received_at": self.received_at.isoformat(),
            "deadline": self.deadline.isoformat(),
            "codes": list(self.codes),
        }


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """One conversation as it is stored."""

    summary: ConversationSummary
    """The summary shown in lists."""
    version: int
    """The number of commits to the conversation. It is 1 after the first."""
    snapshot: bytes = field(repr=False)
    """The state needed to judge later deliveries, without the agents."""
    agents: Mapping[int, bytes] = field(repr=False, default_factory=dict)
    """The state of agents, by number. A loaded record has all agents, a commit those named by the
    delivery."""
    held: tuple[HeldEntry, ...] = ()
    """Deliveries that wait for others, in order of arrival."""


@dataclass(frozen=True, slots=True)
class HistoryPiece:
    """The part that one commit added to the history of its conversation. Only reports need it."""

    version: int
    """The version of the conversation after the commit."""
    events: int
    """The number of lifecycle events in the piece."""
    findings: int
    """The number of findings in the piece."""
    data: bytes = field(repr=False)
    """JSON, compressed if it is long."""

    @property
    def json(self) -> bytes:
        """The piece as JSON. Damaged bytes are returned unchanged, and the decoder refuses them."""
        try:
            return zlib.decompress(self.data) if self.data[:1] == b"x" else self.data
        except zlib.error:
            return self.data


@dataclass(frozen=True, slots=True)
class RebuiltConversation:
    """A conversation rebuilt from its journal."""

    record: ConversationRecord
    """The record that replaces the damaged one."""
    history: HistoryPiece
    """The whole history."""
    newest: int
    """The number of the newest journal entry that was used."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The stored values needed before a delivery is applied."""

    conversation: ConversationRecord | None = None
    """The conversation, or None if it is unknown."""
    fingerprint: str | None = None
    """The fingerprint of the body that had this delivery id before, or None if the id is new."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the journal: an applied delivery and its effects."""

    conversation_id: str
    """The `conversationId` of the platform."""
    bot_id: str
    """The bot id in the path. It is empty if only the body names a bot."""
    owner: str
    """The bot that the conversation belongs to."""
    endpoint: str
    """The name of the intake."""
    delivery_id: str | None
    """The id of the delivery, or None."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    body: str = field(repr=False)
    """JSON text."""
    phase_before: str
    """The phase before the delivery, a value of `Phase`."""
    phase: str
    """The phase after the delivery, a value of `Phase`."""
    findings: str = field(repr=False)
    """A JSON array of the reported findings, in the format of reports."""
    arrival: int = 0
    """The version of the conversation that committed the arrival. The journal has the order of
    application, and this is the order of arrival."""
    healed: tuple[str, ...] = ()
    """The codes of the errors that the delivery would have given on arrival, and that holding it
    avoided."""
    address_id: str = ""
    """The conversation id in the address. It is empty if only the body names one."""
    asked_at: str | None = None
    """The time at which the host asked for this callback, in ISO 8601. It is empty if the host
    never asked, and None if that is unknown."""
    number: int = 0
    """The place in the journal, assigned by the store. It is the cursor of the feed."""

    @property
    def is_news(self) -> bool:
        """Whether the feed shows the entry, because it has findings or the phase changed."""
        return self.findings != "[]" or self.phase != self.phase_before


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """One due callback. Its id is the same at every attempt."""

    id: str
    """A unique and stable id, `<bot>:<conversation>:<version>:<kind>:<n>`, with the bot percent-
    encoded."""
    bot_id: str
    """The bot that the conversation belongs to."""
    conversation_id: str
    """The `conversationId` of the platform."""
    kind: str
    """The name of the callback without `on_`."""
    data: str = field(repr=False)
    """The payload, a JSON object."""
    number: int = 0
    """The number in the order of commits, assigned by the store."""
    tries: int = 0
    """The number of failed attempts."""
    lease: str = ""
    """The token of the worker that claimed the message. It is empty if the message is not
    claimed."""
    reason: str = ""
    """The type of the last exception, for a dead letter."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A body from an authenticated sender that was not applied."""

    endpoint: str
    """The name of the intake."""
    bot_id: str
    """The bot the body was sent for. It is empty if no bot was named."""
    conversation_id: str | None
    """The conversation id, or None if no conversation was named."""
    delivery_id: str | None
    """The id of the delivery, or None."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    reason: str
    """The outcome given in the answer."""
    codes: tuple[str, ...]
    """The codes of the findings."""
    body: bytes = field(repr=False)
    """The body as it was sent, cut to the maximum stored size."""
    size: int = 0
    """The size in bytes before the body was cut."""
    number: int = 0
    """The number in the quarantine, assigned by the store."""
    request_id: str | None = None
    """The host's name for the request that the body calls back about, or None if its address has
    none."""


@dataclass(frozen=True, slots=True)
class StoreStats:
    """Counts of the contents of a store, for operators."""

    open: int
    """The number of conversations that have not ended."""
    waiting: int
    """The number of callbacks to be delivered, without dead letters."""
    waiting_since: datetime | None
    """The time at which the delivery of the oldest waiting callback was received, or None."""
    dead: int
    """The number of dead letters."""
    quarantined: int
    """The number of quarantined bodies."""
    held: int = 0
    """The number of deliveries that wait for others."""
    healed: int = 0
    """The number of journal entries that waited for others and so gave no error."""


@dataclass(frozen=True, slots=True)
class Commit:
    """All changes of one delivery. A store applies them completely or not at all."""

    expected: int
    """The version that the commit is based on. It is 0 for a new conversation."""
    conversation: ConversationRecord
    """The new state, whose version is `expected + 1`."""
    entry: JournalEntry | None
    """The applied delivery, or None."""
    identity: Identity | None = None
    """The delivery id to remember, or None."""
    fingerprint: str = ""
    """The fingerprint of the body, stored under `identity`."""
    outbox: tuple[OutboxMessage, ...] = ()
    """The callbacks that become due, in order."""
    history: HistoryPiece | None = None
    """The addition to the history, or None."""
    hold: HeldEntry | None = None
    """The delivery that is held from now on. It is the last of `conversation.held`."""
    release: int | None = None
    """The arrival of the delivery that is no longer held."""
    replays: int | None = None
    """The number of the quarantined body that is applied and leaves the quarantine."""
