"""Builds the application of every adapter, with the parts above `segue.server.http`."""

from collections.abc import Collection
from typing import Any, Final, Protocol, TypedDict, Unpack

from segue.core.errors import ConfigurationError
from segue.core.options import check_options
from segue.report.schema import report_schema
from segue.server.http import (
    Authenticator,
    HttpApp,
    Inspector,
    LogObserver,
    NoAuth,
    Observer,
    Request,
    RequestLimits,
    Response,
)
from segue.server.inspector.page import inspector_data, inspector_page
from segue.server.processor import ConversationView, Processor, Unit


class RequestHandler(Protocol):
    """Answers requests by effects: an `HttpApp`, or the sandbox of the platform."""

    def handle(self, request: Request) -> Unit[Response]:
        """Return the response to one request, whose body has not been read yet."""


class HttpOptions(TypedDict, total=False):
    """The options that every adapter passes to `HttpApp`."""

    prefix: str
    """The prefix of every path, such as `/segue`. A host that mounts an application needs none."""
    read: Authenticator | bool
    """Who may read conversations: False for none, True for principals of `auth` with the
    permission, or an authenticator for readers only."""
    callback_secret: str | bytes | None
    """The secret that signs the addresses of `segue.server.callback_url`. With it, notifications
    and callbacks of the platform are accepted only there. Without it they need a token, as
    deliveries do."""
    limits: RequestLimits
    """The maximum size and time of a request."""
    observers: Collection[Observer]
    """Functions called after every response. The default logs."""


class AppOptions(HttpOptions, total=False):
    """The options of every adapter, in addition to the processor and `auth`."""

    inspector: bool
    """Whether a page at `/inspect` shows readers conversations as they happen."""


_EXAMPLES: Final = {
    "processor": 'segue.Processor(store=segue.SqliteStore("segue.db"))',
    "auth": "segue.JwtAuth(secret=…)",
    "read": "segue.JwtAuth(secret=…)",
    "limits": "segue.server.RequestLimits(page=100)",
    "observers": "[print]",
}


def build(
    processor: Processor,
    auth: Authenticator | None,
    *,
    inspector: bool = False,
    **options: Unpack[HttpOptions],
) -> HttpApp:
    """Return the application. Raise `ConfigurationError` for options that cannot work."""
    check_options(
        build,
        {"processor": processor, "auth": auth, "inspector": inspector, **options},
        examples=_EXAMPLES,
    )
    options.setdefault("observers", (LogObserver(),))
    if auth is None:
        raise ConfigurationError(
            "`auth` is missing: use segue.JwtAuth(secret=…), your own authenticator, or "
            "segue.NoAuth() if every client that reaches the server may send"
        )
    reader = options.get("read", False)
    page = _inspector(auth if isinstance(reader, bool) else reader) if inspector else None
    return HttpApp(processor, auth=auth, report_schema=report_schema, inspector=page, **options)


def _inspector(reader: Authenticator) -> Inspector:
    from segue.server.inspector.recent_causes import JournalCauses  # noqa: PLC0415 - it loads all of logs

    page, policy = inspector_page(asks_for_token=not isinstance(reader, NoAuth))
    return Inspector(page, policy, _drawing, JournalCauses())


def _drawing(view: ConversationView) -> dict[str, Any]:
    later = None if view.next is None else (view.next, view.findings)
    return inspector_data(view.report, view.expected, view.deliveries, view.held, later)
