"""Segue checks the lifecycle of contact-center conversations.

`check` judges one conversation, `replay` a log of many, `Conversation` one as it happens.  The
names are loaded when first used, so that importing `segue` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segue.adapters import asgi, aws_lambda, wsgi
    from segue.conversation import Control, Conversation, Report, Step, check
    from segue.errors import (
        ConfigurationError,
        SchemaTooNew,
        SegueError,
        StoreConflict,
        StoreUnavailable,
        UnknownRule,
        UnreadableLog,
    )
    from segue.export import convert
    from segue.findings import Finding, Place, Policy, Rule, Severity
    from segue.http import NoAuth
    from segue.http.jwt import JwtAuth
    from segue.lifecycle import Phase
    from segue.logs import replay
    from segue.processor import (
        Callback,
        ControlReceipt,
        ConversationView,
        DeliveryOutcome,
        Processor,
        Receipt,
        Retry,
    )
    from segue.repairs import Edit, Repair, repair
    from segue.segments import Connection, Metrics, Segment
    from segue.stores import MemoryStore, SqliteStore
    from segue.stores.postgres import PostgresStore

__all__ = [
    "Callback",
    "ConfigurationError",
    "Connection",
    "Control",
    "ControlReceipt",
    "Conversation",
    "ConversationView",
    "DeliveryOutcome",
    "Edit",
    "Finding",
    "JwtAuth",
    "MemoryStore",
    "Metrics",
    "NoAuth",
    "Phase",
    "Place",
    "Policy",
    "PostgresStore",
    "Processor",
    "Receipt",
    "Repair",
    "Report",
    "Retry",
    "Rule",
    "SchemaTooNew",
    "Segment",
    "SegueError",
    "Severity",
    "SqliteStore",
    "Step",
    "StoreConflict",
    "StoreUnavailable",
    "UnknownRule",
    "UnreadableLog",
    "asgi",
    "aws_lambda",
    "check",
    "convert",
    "repair",
    "replay",
    "wsgi",
]

_ROOMS = {
    "segue.adapters": ("asgi", "aws_lambda", "wsgi"),
    "segue.conversation": ("Control", "Conversation", "Report", "Step", "check"),
    "segue.errors": (
        "ConfigurationError",
        "SchemaTooNew",
        "SegueError",
        "StoreConflict",
        "StoreUnavailable",
        "UnknownRule",
        "UnreadableLog",
    ),
    "segue.export": ("convert",),
    "segue.findings": ("Finding", "Place", "Policy", "Rule", "Severity"),
    "segue.http": ("NoAuth",),
    "segue.http.jwt": ("JwtAuth",),
    "segue.lifecycle": ("Phase",),
    "segue.logs": ("replay",),
    "segue.repairs": ("Edit", "Repair", "repair"),
    "segue.processor": (
        "Callback",
        "ControlReceipt",
        "ConversationView",
        "DeliveryOutcome",
        "Processor",
        "Receipt",
        "Retry",
    ),
    "segue.segments": ("Connection", "Metrics", "Segment"),
    "segue.stores": ("MemoryStore", "SqliteStore"),
    "segue.stores.postgres": ("PostgresStore",),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    """Load a public name from its room when it is first used."""
    room = _HOME.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(room), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
