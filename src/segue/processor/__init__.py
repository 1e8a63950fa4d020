"""The processor: one delivery, one unit of work, one commit.

It decides what is applied, what is answered and which callbacks are due.  House rules: a unit of
work is a generator that asks and is told, so that blocking and async hosts run the same lines; it
answers after the commit; nothing a sender sends raises.  The room knows stores by their port only
and does not know HTTP.
"""

from segue.processor.callback import Callback, Handler
from segue.processor.drivers import adrive, aperform, drive, perform
from segue.processor.effects import Effect, Unit
from segue.processor.outbox import Retry
from segue.processor.processor import Processor
from segue.processor.queries import NOW
from segue.processor.receipt import (
    ControlReceipt,
    ConversationView,
    DeliveryOutcome,
    FeedEntry,
    Page,
    Receipt,
    Row,
)
from segue.processor.records import (
    Commit,
    Entry,
    Identity,
    Kept,
    Loaded,
    Notice,
    Quarantined,
    Summary,
    Vitals,
)
from segue.processor.store import Store

__all__ = [
    "NOW",
    "Callback",
    "Commit",
    "ControlReceipt",
    "ConversationView",
    "DeliveryOutcome",
    "Effect",
    "Entry",
    "FeedEntry",
    "Handler",
    "Identity",
    "Kept",
    "Loaded",
    "Notice",
    "Page",
    "Processor",
    "Quarantined",
    "Receipt",
    "Retry",
    "Row",
    "Store",
    "Summary",
    "Unit",
    "Vitals",
    "adrive",
    "aperform",
    "drive",
    "perform",
]
