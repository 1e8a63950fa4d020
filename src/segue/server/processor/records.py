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
    """The delivery id was seen before with the same body. That delivery was applied or held."""
    UNREADABLE = "unreadable"
    """The body is not a JSON object, or a field of a transcription action cannot be read."""
    UNFILED = "unfiled"
    """The delivery names no conversation, or contains no events."""
    REJECTED = "rejected"
    """The delivery gives a finding that the policy rejects."""
    REUSED = "reused"
    """The delivery id was seen before with another body."""
    TOO_LARGE = "too large"
    """The delivery has more events than allowed."""
    UNADDRESSABLE = "unaddressable"
    """An id is too long, or cannot be part of the URL at which readers find the conversation."""
    FORBIDDEN = "forbidden"
    """The sender may not act for the bot."""
    REFUSED = "refused"
    """The state of the transcription does not allow the action."""


class ConversationKey(NamedTuple):
    """The key of a conversation. Two bots may use the same conversation id."""

    bot_id: str
    """The bot id in the path, or else in the body, such as `st-1`. It is empty if neither names a
    bot."""
    conversation_id: str
    """The `conversationId` of the platform, such as `c-1`. It is empty if it is not named."""


class Identity(NamedTuple):
    """A delivery id, with the endpoint and the bot within which it is unique."""

    endpoint: str
    """The name of the endpoint (the intake) that received the delivery, such as `hooks`."""
    bot_id: str
    """The bot id in the path, such as `st-1`. It is empty if only the body names a bot."""
    delivery_id: str
    """The value of the header `Idempotency-Key` or `webhook-id`, or of `delivery_id` in an
    envelope."""


class HostRequest(NamedTuple):
    """The ids of a request that the host (the program that uses Segue) makes to the platform.

    When the platform later calls back about the request, the callback carries the same ids. So the
    callback can be matched with the request that caused it.
    """

    endpoint: str
    """The name of the endpoint that the platform calls back, such as `notifications`."""
    bot_id: str
    """The id of the bot in the address that the platform calls back."""
    conversation_id: str | None
    """The conversation id, or None if it was unknown when the request was made. A callback always
    has one."""
    request_id: str | None
    """The host's own name for the request, or None."""


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """The entry of a conversation in a list of conversations: its ids, its phase, and counts."""

    conversation_id: str
    """The `conversationId` of the platform, such as `c-1`."""
    bot_id: str
    """The id of the bot that the conversation belongs to. It is empty if no bot was named."""
    phase: str
    """The current phase, a value of `Phase` such as `active`."""
    events: int
    """The number of events and messages."""
    findings: int
    """The number of reported findings."""
    errors: int
    """The number of reported errors."""
    started_at: datetime
    """The time at which the first delivery was received, in UTC."""
    updated_at: datetime
    """The time at which the last delivery was received, in UTC. Retention counts from it."""
    number: int = 0
    """The number in the order of creation, assigned by the store. Larger is newer."""

    @property
    def key(self) -> ConversationKey:
        """The bot id and the conversation id, which identify the conversation."""
        return ConversationKey(self.bot_id, self.conversation_id)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as a dict of plain JSON values, without `number`."""
        times = {
            "started_at": self.started_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }
        found = asdict(self) | {"bot_id": self.bot_id or None} | times
        del found["number"]
        return found


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """A stored delivery that waits, because it seems to have arrived before an earlier delivery."""

    arrival: int
    """The version of the conversation that stored the delivery as held. It gives the order of
    arrival."""
    endpoint: str
    """The name of the endpoint (the intake) that received the delivery, such as `hooks`."""
    bot_id: str
    """The bot id in the path, such as `st-1`. It is empty if only the body names a bot."""
    delivery_id: str | None
    """The unique id of the delivery that the sender gave, or None."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    deadline: datetime
    """The time at which the delivery is applied at the latest, in UTC."""
    codes: tuple[str, ...]
    """The distinct codes of the findings that the delivery would have given on arrival."""
    body: str = field(repr=False)
    """The body as JSON text."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as a dict of plain JSON values, without the body."""
        return {
            "delivery_id": self.delivery_id,
            "received_at": self.received_at.isoformat(),
            "deadline": self.deadline.isoformat(),
            "codes": list(self.codes),
        }


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """One conversation in the form in which a store loads and saves it."""

    summary: ConversationSummary
    """The summary shown in lists."""
    version: int
    """The number of commits to the conversation. It is 1 after the first."""
    snapshot: bytes = field(repr=False)
    """The state needed to judge later deliveries, without the agents."""
    agents: Mapping[int, bytes] = field(repr=False, default_factory=dict)
    """The encoded state of each agent, by the number of the agent. A loaded record has all agents,
    and a commit has those named by the delivery."""
    held: tuple[HeldEntry, ...] = ()
    """Deliveries that wait for others, in order of arrival."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry of the past of a conversation, see `segue.core.Entry`."""

    number: int
    """The number of the entry in the conversation, from 0."""
    version: int
    """The version of the conversation after the commit that added the entry."""
    kind: str
    """The kind of event, such as `NA entry`."""
    agent: str
    """The identity of the agent, or an empty string."""
    position: int
    """The position in the conversation. Of a run of messages, the position of the first."""
    events: int
    """The number of messages of a run, or of events of a dropped delivery, otherwise 1."""
    delivery: int
    """The number of the delivery in the conversation, from 0, or -1 for messages that are only
    counted."""
    received_at: datetime | None
    """The time of receipt, as the report has it, or None if unknown."""
    last_at: datetime | None
    """The time of the last message of a run, otherwise None."""
    marks: tuple[str, ...]
    """`adjusted` if the time is not that of receipt, `repeat` for a repeated event, and `dropped`
    for a delivery that was dropped."""
    queue: str
    """The id of the agent's queue, or an empty string."""
    details: str = field(repr=False)
    """The facts that the event contains about its agent, as JSON, or an empty string."""
    checksum: int
    """The CRC-32 of the other values, without the version."""


@dataclass(frozen=True, slots=True)
class HistoryPiece:
    """The findings and actions that one commit added. Only reports need them."""

    version: int
    """The version of the conversation after the commit."""
    findings: int
    """The number of findings in the piece."""
    data: bytes = field(repr=False)
    """The piece as JSON, compressed with zlib if it is long."""

    @property
    def json(self) -> bytes:
        """The decompressed JSON of the piece.

        Damaged data is returned unchanged, and the decoder refuses it.
        """
        try:
            return zlib.decompress(self.data) if self.data[:1] == b"x" else self.data
        except zlib.error:
            return self.data


@dataclass(frozen=True, slots=True)
class RebuiltConversation:
    """A conversation rebuilt from its journal, to replace a damaged record."""

    record: ConversationRecord
    """The record that replaces the damaged one."""
    entries: tuple[StoredEntry, ...]
    """All entries of the conversation."""
    history: HistoryPiece
    """All findings and actions of the conversation in one piece."""
    newest: int
    """The number of the newest journal entry that was used."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of `Store.load`: the values that are needed before a delivery is applied."""

    conversation: ConversationRecord | None = None
    """The conversation, or None if it is not stored yet."""
    fingerprint: str | None = None
    """The fingerprint of the delivery that was received with this id before, or None if the id
    is new."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One entry of the journal: an applied delivery, its findings and the change of phase."""

    conversation_id: str
    """The `conversationId` of the platform, such as `c-1`."""
    bot_id: str
    """The bot id in the path, such as `st-1`. It is empty if only the body names a bot."""
    owner: str
    """The id of the bot that the conversation belongs to."""
    endpoint: str
    """The name of the endpoint (the intake) that received the delivery, such as `hooks`."""
    delivery_id: str | None
    """The unique id of the delivery that the sender gave, or None."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    body: str = field(repr=False)
    """The body as JSON text."""
    phase_before: str
    """The phase before the delivery, a value of `Phase`."""
    phase: str
    """The phase after the delivery, a value of `Phase`."""
    findings: str = field(repr=False)
    """The reported findings as the text of a JSON array, in the format of reports."""
    arrival: int = 0
    """The version of the conversation at which the delivery arrived. It differs from the order of
    the journal if the delivery was held."""
    healed: tuple[str, ...] = ()
    """The codes of the findings that the delivery would have given on arrival. Holding the delivery
    avoided these findings."""
    address_id: str = ""
    """The conversation id in the address of the request. It is empty if only the body names one."""
    asked_at: str | None = None
    """The time at which the host asked for this callback, in ISO 8601. It is empty if the host
    never asked, and None if that is unknown."""
    number: int = 0
    """The number in the journal, assigned by the store. It is also the cursor of the feed."""

    @property
    def is_news(self) -> bool:
        """Whether the feed shows the entry: it has findings, or it changed the phase."""
        return self.findings != "[]" or self.phase != self.phase_before


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A call of a host's handler that is due, stored until the handler has returned."""

    id: str
    """A unique id that is the same at every attempt, `<bot>:<conversation>:<version>:<kind>:<n>`,
    with the bot percent-encoded."""
    bot_id: str
    """The id of the bot that the conversation belongs to."""
    conversation_id: str
    """The `conversationId` of the platform, such as `c-1`."""
    kind: str
    """The name of the handler without `on_`, such as `conversation_ended`."""
    data: str = field(repr=False)
    """The payload, a JSON object as text."""
    number: int = 0
    """The number in the order of commits, assigned by the store."""
    tries: int = 0
    """The number of failed attempts."""
    lease: str = ""
    """The token of the worker that claimed the message. It is empty if the message is not
    claimed."""
    reason: str = ""
    """The type of the last exception, such as `ValueError`. It is empty unless the message is a
    dead letter."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A body from an authenticated sender that was not applied to any conversation."""

    endpoint: str
    """The name of the endpoint (the intake) that received the body, such as `hooks`."""
    bot_id: str
    """The id of the bot that the body was sent for. It is empty if no bot was named."""
    conversation_id: str | None
    """The conversation id, or None if no conversation was named."""
    delivery_id: str | None
    """The unique id of the delivery that the sender gave, or None."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    reason: str
    """The reason why the body was not applied: a value of `DeliveryOutcome`, the type of a problem,
    or `damaged`."""
    codes: tuple[str, ...]
    """The codes of the findings about the body, such as `SG501`."""
    body: bytes = field(repr=False)
    """The body as it was sent, cut to the maximum stored size."""
    size: int = 0
    """The size in bytes before the body was cut."""
    number: int = 0
    """The number in the quarantine, assigned by the store."""
    request_id: str | None = None
    """The host's own name for the request that the body answers, or None if the address of the body
    has none."""


@dataclass(frozen=True, slots=True)
class StoreStats:
    """Counts of the contents of a store, for operators."""

    open: int
    """The number of conversations that have not ended."""
    waiting: int
    """The number of callbacks to be delivered, without dead letters."""
    waiting_since: datetime | None
    """The time at which the delivery of the oldest waiting callback was received, or None if no
    callback waits."""
    dead: int
    """The number of dead letters: callbacks that were given up."""
    quarantined: int
    """The number of quarantined bodies."""
    held: int = 0
    """The number of deliveries that wait for others."""
    healed: int = 0
    """The number of journal entries whose deliveries were held, and therefore gave no error."""


@dataclass(frozen=True, slots=True)
class Commit:
    """All changes of one delivery. A store applies them completely or not at all."""

    expected: int
    """The version that the commit is based on. It is 0 for a new conversation."""
    conversation: ConversationRecord
    """The new record of the conversation, whose version is `expected + 1`."""
    entry: JournalEntry | None
    """The journal entry of the applied delivery, or None if no delivery is applied."""
    identity: Identity | None = None
    """The delivery id to store, so that a repetition is recognized, or None."""
    fingerprint: str = ""
    """The fingerprint of the delivery, stored under `identity`."""
    outbox: tuple[OutboxMessage, ...] = ()
    """The messages to handlers that become due, in order."""
    entries: tuple[StoredEntry, ...] = ()
    """The entries that the delivery added or changed, in order."""
    history: HistoryPiece | None = None
    """The findings and actions that the delivery added, or None if there are none."""
    hold: HeldEntry | None = None
    """The delivery that is held from now on. It is the last of `conversation.held`."""
    release: int | None = None
    """The `arrival` of the delivery that is no longer held, or None."""
    replays: int | None = None
    """The number of the quarantined body that is applied and leaves the quarantine, or None."""
    quarantined: Quarantined | None = None
    """The held delivery that is not applied after all and goes into the quarantine, or None."""
