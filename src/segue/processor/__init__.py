"""The processor: applies deliveries to stored conversations, one commit each, and calls back.

Deliveries and queries are generators that yield effects, so blocking and async hosts run the same
lines. Stores are behind a port; HTTP is above.
"""

from segue.processor.callback import Callback, Handler
from segue.processor.conversation_pages import TimelineEvent
from segue.processor.damage import Damage
from segue.processor.effects import Compute, Effect, Unit, adrive, aperform, drive, perform
from segue.processor.ingest import Ingest
from segue.processor.journal import delivery_of
from segue.processor.outbox import Retry
from segue.processor.processor import Processor
from segue.processor.queries import (
    NOW,
    ConversationView,
    FeedEntry,
    Page,
    Queries,
    SeveralConversations,
)
from segue.processor.records import (
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
    StoreStats,
)
from segue.processor.store import BodyGoneError, Store, StoreDamaged
from segue.processor.submission import (
    LONGEST_LABEL,
    MOST_EXPECTED,
    PATH_STEPS,
    RECEIPTS,
    Body,
    ControlReceipt,
    Receipt,
    SubmissionContext,
    listed,
)

__all__ = [
    "LONGEST_LABEL", "MOST_EXPECTED", "NOW", "PATH_STEPS", "RECEIPTS", "Body", "BodyGoneError",
    "Callback", "Commit", "Compute", "ControlReceipt", "ConversationKey", "ConversationRecord",
    "ConversationSummary", "ConversationView", "Damage", "DeliveryOutcome", "Effect",
    "FeedEntry", "Handler", "HeldEntry", "HistoryPiece", "HostRequest", "Identity", "Ingest",
    "JournalEntry", "Loaded", "OutboxMessage", "Page", "Processor", "Quarantined", "Queries",
    "RebuiltConversation", "Receipt", "Retry", "SeveralConversations", "Store", "StoreDamaged",
    "StoreStats", "SubmissionContext", "TimelineEvent", "Unit", "adrive", "aperform",
    "delivery_of", "drive", "listed", "perform",
]  # fmt: skip
