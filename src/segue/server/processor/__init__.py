"""The processor, which applies deliveries to stored conversations and calls handlers.

Each delivery is one commit. Deliveries and queries are generators that yield effects, so blocking
and async hosts run the same code. Stores implement an interface. HTTP is a layer above.
"""

from segue.server.processor.callback import Callback
from segue.server.processor.conversation_pages import TimelineEvent
from segue.server.processor.damage import Damage
from segue.server.processor.effects import Compute, Effect, Unit, adrive, aperform, drive, perform
from segue.server.processor.journal import delivery_of
from segue.server.processor.misdated import LongestWaits
from segue.server.processor.outbox import Retry
from segue.server.processor.processor import Processor
from segue.server.processor.queries import (
    NOW,
    ConversationView,
    FeedEntry,
    Page,
    SeveralConversations,
)
from segue.server.processor.records import (
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    DeliveryOutcome,
    HeldEntry,
    HistoryPiece,
    HostRequest,
    Identity,
    JournalEntry,
    Loaded,
    OutboxMessage,
    Quarantined,
    RebuiltConversation,
    StoredEntry,
    StoreStats,
)
from segue.server.processor.store import BodyGoneError, Store, StoreDamaged
from segue.server.processor.submission import (
    LONGEST_LABEL,
    MOST_EXPECTED,
    PATH_STEPS,
    RECEIPTS,
    ControlReceipt,
    Receipt,
    SubmissionContext,
    listed,
)

__all__ = [
    "LONGEST_LABEL",
    "MOST_EXPECTED",
    "NOW",
    "PATH_STEPS",
    "RECEIPTS",
    "BodyGoneError",
    "Callback",
    "Commit",
    "Compute",
    "ControlReceipt",
    "ConversationKey",
    "ConversationRecord",
    "ConversationSummary",
    "ConversationView",
    "Damage",
    "DeliveryOutcome",
    "Effect",
    "FeedEntry",
    "HeldEntry",
    "HistoryPiece",
    "HostRequest",
    "Identity",
    "JournalEntry",
    "Loaded",
    "LongestWaits",
    "OutboxMessage",
    "Page",
    "Processor",
    "Quarantined",
    "RebuiltConversation",
    "Receipt",
    "Retry",
    "SeveralConversations",
    "Store",
    "StoreDamaged",
    "StoreStats",
    "StoredEntry",
    "SubmissionContext",
    "TimelineEvent",
    "Unit",
    "adrive",
    "aperform",
    "delivery_of",
    "drive",
    "listed",
    "perform",
]  # fmt: skip
