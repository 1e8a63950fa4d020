"""The server: a processor for deliveries, stores, HTTP routes, adapters and the inspector.

`Processor` applies deliveries to the conversations in a store. `asgi`, `wsgi` and `aws_lambda`
serve a processor over HTTP. Implement `Store` for a store of your own, and `Authenticator` for
credentials that `JwtAuth` does not verify.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.server.adapters import (
        AppOptions as AppOptions,
        AsgiApp as AsgiApp,
        LambdaHandler as LambdaHandler,
        WsgiApp as WsgiApp,
        asgi as asgi,
        aws_lambda as aws_lambda,
        wsgi as wsgi,
    )
    from segue.server.http import (
        Authenticator as Authenticator,
        DeliverySummary as DeliverySummary,
        EffectRecord as EffectRecord,
        Headers as Headers,
        NoAuth as NoAuth,
        Principal as Principal,
        Problem as Problem,
        RequestLimits as RequestLimits,
        RequestRecord as RequestRecord,
    )
    from segue.server.http.callback_urls import callback_url as callback_url
    from segue.server.http.jwt import JwtAuth as JwtAuth
    from segue.server.processor import (
        Callback as Callback,
        Commit as Commit,
        ControlReceipt as ControlReceipt,
        ConversationKey as ConversationKey,
        ConversationRecord as ConversationRecord,
        ConversationSummary as ConversationSummary,
        ConversationView as ConversationView,
        Damage as Damage,
        DeliveryOutcome as DeliveryOutcome,
        FeedEntry as FeedEntry,
        HeldEntry as HeldEntry,
        HistoryPiece as HistoryPiece,
        HostRequest as HostRequest,
        Identity as Identity,
        JournalEntry as JournalEntry,
        Loaded as Loaded,
        LongestWaits as LongestWaits,
        OutboxMessage as OutboxMessage,
        Page as Page,
        Processor as Processor,
        Quarantined as Quarantined,
        RebuiltConversation as RebuiltConversation,
        Receipt as Receipt,
        Retry as Retry,
        Store as Store,
        StoredEntry as StoredEntry,
        StoreStats as StoreStats,
        TimelineEvent as TimelineEvent,
    )
    from segue.server.stores import (
        MemoryStore as MemoryStore,
        SqliteStore as SqliteStore,
        open_store as open_store,
    )
    from segue.server.stores.postgres import PostgresStore as PostgresStore

_NAMES = {
    "segue.server.adapters": "AppOptions AsgiApp LambdaHandler WsgiApp asgi aws_lambda wsgi",
    "segue.server.http": (
        "Authenticator DeliverySummary EffectRecord Headers NoAuth Principal Problem "
        "RequestLimits RequestRecord"
    ),
    "segue.server.http.callback_urls": "callback_url",
    "segue.server.http.jwt": "JwtAuth",
    "segue.server.processor": (
        "Callback Commit ControlReceipt ConversationKey ConversationRecord ConversationSummary "
        "ConversationView Damage DeliveryOutcome FeedEntry HeldEntry HistoryPiece HostRequest "
        "Identity JournalEntry Loaded LongestWaits OutboxMessage Page Processor Quarantined "
        "RebuiltConversation Receipt Retry Store StoredEntry StoreStats "
        "TimelineEvent"
    ),
    "segue.server.stores": "MemoryStore SqliteStore open_store",
    "segue.server.stores.postgres": "PostgresStore",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
