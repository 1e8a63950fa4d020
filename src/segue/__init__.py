"""Check the lifecycle of contact-center conversations.

A contact center sends an event whenever an agent enters or leaves a conversation. Segue finds the
events that break the rules.

Check:

- `check` checks the deliveries of one conversation and returns a `Report`.
- `replay` reads a log of many conversations and yields a `Report` for each of them.
- `Conversation` checks one conversation while its deliveries arrive.
- `Policy` selects rules and sets their `Severity`. `RULES` contains every `Rule`.
- A `Delivery` is the body of one request and contains `Event` objects.

Read the result:

- A `Report` has `findings`, `segments`, `metrics` and the `Phase` of the conversation.
- A `Finding` says where a sender broke a rule, which events were expected, and how to correct it.
- A `Segment` is the presence of one agent. `Metrics` are durations and counts.
- `repair` returns the smallest change that makes a conversation valid.
- `causes` finds an agent, bot or queue that many mistakes have in common.
- `to_rows` and `convert` return reports as rows and in the formats of other tools.

Receive deliveries:

- `Processor` applies deliveries to the conversations in a store and calls functions of yours.
- `SqliteStore`, `PostgresStore` and `MemoryStore` are stores. `open_store` takes an address.
- `asgi` and `wsgi` return a web application. `JwtAuth` and `NoAuth` authenticate its clients.

Mistakes in calls of these functions raise a `SegueError`, usually a `ConfigurationError`. Mistakes
of a sender are findings.

The modules `segue.core`, `segue.logs`, `segue.analysis`, `segue.server`, `segue.platform`,
`segue.testing` and `segue.errors` contain everything else. Every name is loaded when it is first
used, so importing `segue` loads none of its dependencies. Use `help(segue.check)` and the like for
details.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names
from segue.core.version import __version__ as __version__

if TYPE_CHECKING:
    from segue import (
        analysis as analysis,
        core as core,
        errors as errors,
        logs as logs,
        platform as platform,
        server as server,
        testing as testing,
    )
    from segue.analysis.causes import causes as causes
    from segue.analysis.repairs import repair as repair
    from segue.core.conversation import (
        Conversation as Conversation,
        Report as Report,
        check as check,
    )
    from segue.core.errors import ConfigurationError as ConfigurationError, SegueError as SegueError
    from segue.core.events import Delivery as Delivery, Event as Event
    from segue.core.findings import (
        RULES as RULES,
        Finding as Finding,
        Policy as Policy,
        Rule as Rule,
        Severity as Severity,
    )
    from segue.core.lifecycle import Phase as Phase
    from segue.core.segments import Metrics as Metrics, Segment as Segment
    from segue.logs.replaying import replay as replay
    from segue.report.export import convert as convert
    from segue.report.rows import to_rows as to_rows
    from segue.server.adapters import asgi as asgi, wsgi as wsgi
    from segue.server.http import NoAuth as NoAuth
    from segue.server.http.jwt import JwtAuth as JwtAuth
    from segue.server.processor import Processor as Processor
    from segue.server.stores import (
        MemoryStore as MemoryStore,
        SqliteStore as SqliteStore,
        open_store as open_store,
    )
    from segue.server.stores.postgres import PostgresStore as PostgresStore

_NAMES = {
    "segue.analysis.causes": "causes",
    "segue.analysis.repairs": "repair",
    "segue.core.conversation": "Conversation Report check",
    "segue.core.errors": "ConfigurationError SegueError",
    "segue.core.events": "Delivery Event",
    "segue.core.findings": "Finding Policy RULES Rule Severity",
    "segue.core.lifecycle": "Phase",
    "segue.core.segments": "Metrics Segment",
    "segue.logs.replaying": "replay",
    "segue.report.export": "convert",
    "segue.report.rows": "to_rows",
    "segue.server.adapters": "asgi wsgi",
    "segue.server.http": "NoAuth",
    "segue.server.http.jwt": "JwtAuth",
    "segue.server.processor": "Processor",
    "segue.server.stores": "MemoryStore SqliteStore open_store",
    "segue.server.stores.postgres": "PostgresStore",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, _ = lazy_names(
        __name__, _NAMES, modules="analysis core errors logs platform server testing"
    )
