"""The values that the processor and a store exchange.

They are frozen, every time is aware UTC, and no `repr` shows what customers wrote. A store reads
only the fields named here, never what is in a snapshot, a body or the data of a message.
"""

import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple


class DeliveryOutcome(StrEnum):
    """What became of a delivery. All but `APPLIED` leave the conversation as it was."""

    APPLIED = "applied"
    """Its events are part of the conversation now."""
    HELD = "held"
    """It is out of order, and waits for others; see `HeldEntry`."""
    DUPLICATE = "duplicate"
    """Its id came before, with the same body, and was applied or held then."""
    UNREADABLE = "unreadable"
    """Not a JSON object, or a transcription action in which a field cannot be read."""
    UNFILED = "unfiled"
    """No conversation to file it under, or nothing in it."""
    REJECTED = "rejected"
    """It gives a finding that the policy rejects."""
    REUSED = "reused"
    """Its id came before with another body."""
    TOO_LARGE = "too large"
    """More events than one delivery may have."""
    UNADDRESSABLE = "unaddressable"
    """An id in it is too long, or no reader could ask for it."""
    FORBIDDEN = "forbidden"
    """The sender may not act for the bot."""
    REFUSED = "refused"
    """A transcription action that the state does not allow."""


class ConversationKey(NamedTuple):
    """What a conversation is found by: two bots may use the same ids."""

    bot_id: str
    """The bot of the path, or else that of the body; empty if neither names one."""
    conversation_id: str
    """The `conversationId` of the platform; empty if nothing names one."""


class Identity(NamedTuple):
    """A delivery id, and what it is unique within."""

    endpoint: str
    """Name of the intake."""
    bot_id: str
    """The bot it was sent for; empty if only the body names one."""
    delivery_id: str
    """`Idempotency-Key` or `webhook-id`, or `delivery_id` of an envelope."""


class HostRequest(NamedTuple):
    """What the host asked the platform for, or what a callback says of that."""

    endpoint: str
    """Name of the intake that the platform calls back."""
    bot_id: str
    """The bot whose address is called back."""
    conversation_id: str | None
    """None if it was not known when the request was made; a callback always has one."""
    request_id: str | None
    """The host's own name of the request; None if it has none."""


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One conversation in the list."""

    conversation_id: str
    """The `conversationId` of the platform."""
    bot_id: str
    """The bot that the conversation belongs to; empty if no bot was named."""
    phase: str
    """A value of `Phase`."""
    events: int
    """How many events it had."""
    findings: int
    """How many of its findings are reported."""
    mistakes: int
    """How many of them are errors that follow from no other; see `Report.mistakes`."""
    started_at: datetime
    """When the first delivery was received, in UTC."""
    updated_at: datetime
    """When the last delivery was received; retention counts from it."""
    number: int = 0
    """Order of creation, given by the store; larger is newer."""

    @property
    def key(self) -> ConversationKey:
        """What the conversation is found by."""
        return ConversationKey(self.bot_id, self.conversation_id)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        times = {
            "started_at": self.started_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }
        found = asdict(self) | {"bot_id": self.bot_id or None} | times
        del found["number"]
        return found


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """A delivery that was committed and waits for others that it overtook."""

    arrival: int
    """Version of the conversation whose commit it came in: its place in the order of arrival."""
    endpoint: str
    """Name of the intake."""
    bot_id: str
    """The bot it was sent for (of the path); empty if only the body names one."""
    delivery_id: str | None
    """None if it came without one."""
    received_at: datetime
    """By the clock of the processor, in UTC."""
    deadline: datetime
    """When it is applied at the latest."""
    codes: tuple[str, ...]
    """Of the errors that it would have given when it came, each once."""
    body: str = field(repr=False)
    """JSON text."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values, without the body."""
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
    """What a list shows of it."""
    version: int
    """How many commits made it; 1 after the first."""
    snapshot: bytes = field(repr=False)
    """What later deliveries are judged by, without the agents."""
    agents: Mapping[int, bytes] = field(repr=False, default_factory=dict)
    """What is known of agents, by number: of all when it was loaded; in a commit of those whom the
    delivery names."""
    held: tuple[HeldEntry, ...] = ()
    """Deliveries that wait for others, in order of arrival."""


@dataclass(frozen=True, slots=True)
class HistoryPiece:
    """What one commit added to the history of its conversation, which only reports need."""

    version: int
    """Of the conversation after the commit."""
    events: int
    """How many lifecycle events are in it."""
    findings: int
    """How many findings are in it."""
    data: bytes = field(repr=False)
    """JSON, compressed if it is long."""

    @property
    def json(self) -> bytes:
        """What was added, as JSON; damaged bytes stay as they are, for the decoder to refuse."""
        try:
            return zlib.decompress(self.data) if self.data[:1] == b"x" else self.data
        except zlib.error:
            return self.data


@dataclass(frozen=True, slots=True)
class RebuiltConversation:
    """A conversation as it was made of its journal."""

    record: ConversationRecord
    """To be stored in place of the damaged one."""
    history: HistoryPiece
    """All of it."""
    newest: int
    """Number of the last entry of the journal that it was made of."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is known before a delivery is applied."""

    conversation: ConversationRecord | None = None
    """None if the conversation is unknown."""
    fingerprint: str | None = None
    """Of the body that came with this delivery id before, or None if the id is new."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the journal: a delivery that was applied, and what it did."""

    conversation_id: str
    """The `conversationId` of the platform."""
    bot_id: str
    """The bot it was sent for (of the path); empty if only the body names one."""
    owner: str
    """The bot that the conversation belongs to."""
    endpoint: str
    """Name of the intake."""
    delivery_id: str | None
    """None if it came without one."""
    received_at: datetime
    """By the clock of the processor, in UTC."""
    body: str = field(repr=False)
    """JSON text."""
    phase_before: str
    """A value of `Phase`."""
    phase: str
    """A value of `Phase`."""
    findings: str = field(repr=False)
    """JSON array of the reported findings, as a report writes them."""
    arrival: int = 0
    """Version of the conversation whose commit it came in. The journal is in the order in which
    deliveries were applied; this is the order in which they came."""
    healed: tuple[str, ...] = ()
    """Codes of the errors that it would have given when it came, and did not because it was held
    until others had been applied."""
    address_id: str = ""
    """The conversation of the address it was sent to; empty if only the body names one."""
    asked_at: str | None = None
    """When the host asked for what it calls back about, as an envelope says it: an ISO 8601 time,
    or empty if it never did; None if nothing is known of that."""
    number: int = 0
    """Place in the journal, given by the store; the cursor of the feed."""

    @property
    def is_news(self) -> bool:
        """Whether the feed shows it: there are findings, or the phase changed."""
        return self.findings != "[]" or self.phase != self.phase_before


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """One callback that is due, under an id that is the same at every attempt."""

    id: str
    """Unique and stable: `<bot>:<conversation>:<version>:<kind>:<n>`, the bot percent-encoded."""
    bot_id: str
    """The bot that the conversation belongs to."""
    conversation_id: str
    """The `conversationId` of the platform."""
    kind: str
    """Name of the callback without `on_`."""
    data: str = field(repr=False)
    """JSON object: the payload."""
    number: int = 0
    """Order of commit, given by the store."""
    tries: int = 0
    """Attempts that failed so far."""
    lease: str = ""
    """Token of the worker that claimed it; empty if it is not claimed."""
    reason: str = ""
    """Of a dead letter: the type of the last exception."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A body of an authenticated sender that was not applied."""

    endpoint: str
    """Name of the intake."""
    bot_id: str
    """The bot it was sent for; empty if nothing names one."""
    conversation_id: str | None
    """None if nothing names one."""
    delivery_id: str | None
    """None if it came without one."""
    received_at: datetime
    """By the clock of the processor, in UTC."""
    reason: str
    """The outcome that was answered."""
    codes: tuple[str, ...]
    """Codes of the findings."""
    body: bytes = field(repr=False)
    """As it was sent, cut if it is longer than what is stored."""
    size: int = 0
    """Bytes before it was cut."""
    number: int = 0
    """Given by the store."""
    request_id: str | None = None
    """The host's name of the request that it calls back about; None if its address has none."""


@dataclass(frozen=True, slots=True)
class StoreStats:
    """How much there is in a store; what an operator watches."""

    open: int
    """Conversations that have not ended."""
    waiting: int
    """Callbacks not delivered yet, without dead letters."""
    waiting_since: datetime | None
    """When the delivery of the first waiting callback was received, or None if none waits."""
    dead: int
    """Dead letters."""
    quarantined: int
    """Bodies in the quarantine."""
    held: int = 0
    """Deliveries that wait for others."""
    healed: int = 0
    """Deliveries of the journal that waited for others and so gave no error."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Everything one delivery changes; a store applies all of it or nothing."""

    expected: int
    """The version this was computed from; 0 if there was no such conversation."""
    conversation: ConversationRecord
    """The new state; its version is `expected + 1`."""
    entry: JournalEntry | None
    """The delivery that was applied, or None if none was."""
    identity: Identity | None = None
    """The delivery id to remember; None if the delivery had none."""
    fingerprint: str = ""
    """Of the body, stored under `identity`."""
    outbox: tuple[OutboxMessage, ...] = ()
    """Callbacks that become due, in order."""
    history: HistoryPiece | None = None
    """What is added to the history; None for nothing."""
    hold: HeldEntry | None = None
    """The delivery that is held from now on; the last of `conversation.held`."""
    release: int | None = None
    """Arrival of the delivery that is held no longer."""
    replays: int | None = None
    """Number of the quarantined body that this delivery is; it is quarantined no longer."""
