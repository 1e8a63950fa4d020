"""Segue checks the lifecycle of contact-center conversations.

`check` judges one conversation, `replay` a log of many, `Conversation` one as it happens, and
`Processor` keeps many in a store.  A name is loaded when it is first used, so importing `segue`
loads none of its dependencies.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from segue.core.errors import (
    ConfigurationError,
    SchemaTooNew,
    SegueError,
    StoreConflict,
    StoreUnavailable,
    UnknownRule,
    UnreadableLog,
)
from segue.core.version import __version__ as __version__

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from segue.server.adapters import (
        AppOptions, AsgiApp, LambdaHandler, WsgiApp, asgi, aws_lambda, wsgi,
    )
    from segue.core.conversation import (
        ControlResult, Conversation, FeedResult, Input, Report, check,
    )
    from segue.core.engine import HistoryEvent
    from segue.core.events import (
        ActionKind, Delivery, Event, EventKind, Flaw, IdSource, Intake, ReceiptKind,
    )
    from segue.report.export import convert
    from segue.core.findings import Cause, Finding, Place, Policy, Root, Rule, Severity
    from segue.server.http import (
        Authenticator, DeliverySummary, EffectRecord, Headers, NoAuth, Principal, Problem,
        RequestLimits, RequestRecord,
    )
    from segue.server.http.callback_urls import callback_url
    from segue.server.http.jwt import JwtAuth
    from segue.core.lifecycle import Phase
    from segue.logs import FieldMapping, replay
    from segue.server.processor import (
        Callback, Commit, ControlReceipt, ConversationKey, ConversationRecord,
        ConversationSummary, ConversationView, Damage, DeliveryOutcome, FeedEntry, HeldEntry,
        HistoryPiece, HostRequest, Identity, JournalEntry, Loaded, OutboxMessage, Page, Processor,
        Quarantined, RebuiltConversation, Receipt, Retry, Store,
        StoreStats, TimelineEvent,
    )
    from segue.analysis.repairs import Edit, EditKind, EditedEvent, RepackedDelivery, Repair, repair
    from segue.report.rows import to_rows
    from segue.analysis.causes import RootCause, RootCauses, causes
    from segue.core.segments import Connection, Metrics, Segment
    from segue.server.stores import MemoryStore, SqliteStore, open_store
    from segue.server.stores.postgres import PostgresStore
    from segue.core.transcription import AllowedAction, StateInterval, TranscriptionState
    from segue.core.wire import BodyLimits
    # isort: on
    # fmt: on

__all__ = [
    "ActionKind", "AllowedAction", "AppOptions", "AsgiApp", "Authenticator", "BodyLimits",
    "Callback", "Cause",
    "Commit", "ConfigurationError", "Connection", "ControlReceipt", "ControlResult",
    "Conversation", "ConversationKey", "ConversationRecord", "ConversationSummary",
    "ConversationView",
    "Damage", "Delivery", "DeliveryOutcome", "DeliverySummary", "Edit", "EditKind", "EditedEvent",
    "EffectRecord", "Event", "EventKind", "FeedEntry", "FeedResult", "FieldMapping", "Finding",
    "Flaw", "Headers", "HeldEntry", "HistoryEvent", "HistoryPiece", "HostRequest", "IdSource",
    "Identity", "Input", "Intake",
    "JournalEntry", "JwtAuth", "LambdaHandler", "Loaded", "MemoryStore", "Metrics", "NoAuth",
    "OutboxMessage", "Page", "Phase", "Place", "Policy", "PostgresStore", "Principal",
    "Problem", "Processor", "Quarantined", "RebuiltConversation", "Receipt", "ReceiptKind",
    "RepackedDelivery", "Repair", "Report", "RequestLimits", "RequestRecord", "Retry", "Root",
    "RootCause", "RootCauses",
    "Rule", "SchemaTooNew", "Segment", "SegueError", "Severity", "SqliteStore", "StateInterval",
    "Store", "StoreConflict", "StoreStats", "StoreUnavailable", "TimelineEvent",
    "TranscriptionState", "UnknownRule", "UnreadableLog", "WsgiApp", "asgi",
    "aws_lambda", "callback_url", "causes", "check", "convert", "open_store", "repair", "replay",
    "to_rows", "wsgi",
]  # fmt: skip

_NAMES = {
    "segue.server.adapters": "AppOptions AsgiApp LambdaHandler WsgiApp asgi aws_lambda wsgi",
    "segue.core.conversation": "ControlResult Conversation FeedResult Input Report check",
    "segue.core.engine": "HistoryEvent",
    "segue.core.events": "ActionKind Delivery Event EventKind Flaw IdSource Intake ReceiptKind",
    "segue.report.export": "convert",
    "segue.core.findings": "Cause Finding Place Policy Root Rule Severity",
    "segue.server.http": (
        "Authenticator DeliverySummary EffectRecord Headers NoAuth Principal Problem "
        "RequestLimits RequestRecord"
    ),
    "segue.server.http.callback_urls": "callback_url",
    "segue.server.http.jwt": "JwtAuth",
    "segue.core.lifecycle": "Phase",
    "segue.logs": "FieldMapping replay",
    "segue.server.processor": (
        "Callback Commit ControlReceipt ConversationKey ConversationRecord ConversationSummary "
        "ConversationView Damage DeliveryOutcome FeedEntry HeldEntry HistoryPiece HostRequest "
        "Identity JournalEntry Loaded OutboxMessage Page Processor Quarantined RebuiltConversation "
        "Receipt Retry Store StoreStats TimelineEvent"
    ),
    "segue.analysis.repairs": "Edit EditKind EditedEvent RepackedDelivery Repair repair",
    "segue.report.rows": "to_rows",
    "segue.analysis.causes": "RootCause RootCauses causes",
    "segue.core.segments": "Connection Metrics Segment",
    "segue.server.stores": "MemoryStore SqliteStore open_store",
    "segue.server.stores.postgres": "PostgresStore",
    "segue.core.transcription": "AllowedAction StateInterval TranscriptionState",
    "segue.core.wire": "BodyLimits",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    """Load a public name from its module when it is first used."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(module), name)
    except ConfigurationError as error:
        value = _unavailable(name, str(error))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _unavailable(name: str, reason: str) -> type:
    """Return a class that stands for one whose extra is not installed.

    It can be imported, listed and documented; calling it raises `ConfigurationError`.
    """

    def refuse(*_arguments: object, **_options: object) -> None:
        raise ConfigurationError(reason)

    return type(name, (), {"__new__": refuse, "__module__": __name__, "__doc__": reason})
