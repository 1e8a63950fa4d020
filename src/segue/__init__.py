"""Segue checks the lifecycle of contact-center conversations.

`check` judges one conversation, `replay` a log of many, `Conversation` one as it happens, and
`Processor` keeps many in a store.  A name is loaded when it is first used, so importing `segue`
loads none of its dependencies.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from segue.errors import (
    ConfigurationError,
    SchemaTooNew,
    SegueError,
    StoreConflict,
    StoreUnavailable,
    UnknownRule,
    UnreadableLog,
)

if TYPE_CHECKING:
    from segue.adapters import asgi, aws_lambda, wsgi
    from segue.conversation import Control, Conversation, Report, Step, check
    from segue.events import Delivery, Event, EventKind
    from segue.export import convert, to_rows
    from segue.findings import Cause, Finding, Place, Policy, Rule, Severity
    from segue.http import NoAuth
    from segue.http.jwt import JwtAuth
    from segue.lifecycle import Phase
    from segue.logs import replay
    from segue.processor import (
        Callback,
        ControlReceipt,
        ConversationSummary,
        ConversationView,
        DeliveryOutcome,
        FeedEntry,
        OutboxMessage,
        Page,
        Processor,
        Quarantined,
        Receipt,
        Retry,
    )
    from segue.repairs import Edit, Repair, repair
    from segue.segments import Connection, Metrics, Segment
    from segue.stores import MemoryStore, SqliteStore, open_store
    from segue.stores.postgres import PostgresStore

__version__ = "0.2.0"

__all__ = [
    "Callback", "Cause", "ConfigurationError", "Connection", "Control", "ControlReceipt",
    "Conversation", "ConversationSummary", "ConversationView", "Delivery", "DeliveryOutcome",
    "Edit", "Event", "EventKind", "FeedEntry", "Finding", "JwtAuth", "MemoryStore", "Metrics",
    "NoAuth", "OutboxMessage", "Page", "Phase", "Place", "Policy", "PostgresStore", "Processor",
    "Quarantined", "Receipt", "Repair", "Report", "Retry", "Rule", "SchemaTooNew", "Segment",
    "SegueError", "Severity", "SqliteStore", "Step", "StoreConflict", "StoreUnavailable",
    "UnknownRule", "UnreadableLog", "asgi", "aws_lambda", "check", "convert", "open_store",
    "repair", "replay", "to_rows", "wsgi",
]  # fmt: skip

_NAMES = {
    "segue.adapters": "asgi aws_lambda wsgi",
    "segue.conversation": "Control Conversation Report Step check",
    "segue.events": "Delivery Event EventKind",
    "segue.export": "convert to_rows",
    "segue.findings": "Cause Finding Place Policy Rule Severity",
    "segue.http": "NoAuth",
    "segue.http.jwt": "JwtAuth",
    "segue.lifecycle": "Phase",
    "segue.logs": "replay",
    "segue.processor": (
        "Callback ControlReceipt ConversationSummary ConversationView DeliveryOutcome FeedEntry"
        " OutboxMessage Page Processor Quarantined Receipt Retry"
    ),
    "segue.repairs": "Edit Repair repair",
    "segue.segments": "Connection Metrics Segment",
    "segue.stores": "MemoryStore SqliteStore open_store",
    "segue.stores.postgres": "PostgresStore",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    """Load a public name from its module when it is first used."""
    module = _MODULE_OF.get(name)
    if module is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
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
