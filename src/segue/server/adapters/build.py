"""Builds the `HttpApp` that an adapter serves, with its inspector and the schema of reports."""

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
    """An object that answers HTTP requests, such as an `HttpApp` or the sandbox of the platform."""

    def handle(self, request: Request) -> Unit[Response]:
        """Return a generator that answers one request, whose body has not been read yet.

        The generator yields effects for a driver to perform, and returns the response.
        """


class HttpOptions(TypedDict, total=False):
    """The options that every adapter passes to `HttpApp`."""

    prefix: str
    """The prefix of every path, such as `/segue`. It is not needed if the host mounts the
    application."""
    read: Authenticator | bool
    """The readers of conversations: False for no one, True for principals of `auth` with the
    permission `read`, or a separate authenticator for readers."""
    callback_secret: str | bytes | None
    """The secret that signs the addresses of `segue.server.callback_url`. If it is given, the
    platform's notifications and callbacks are accepted only at signed addresses. Otherwise they
    need a token, as deliveries do."""
    limits: RequestLimits
    """The maximum sizes and times of requests, such as the maximum size of a body."""
    observers: Collection[Observer]
    """Functions that are called with a `RequestRecord` after every response. The default is one
    `LogObserver`."""


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
    """Return the application that an adapter serves.

    Raises `ConfigurationError` if `auth` is missing, or if an option has a wrong type or value.
    """
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
