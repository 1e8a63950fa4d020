"""The application that every adapter builds, with the parts above `segue.server.http`."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Protocol, TypedDict, Unpack

from segue.core.errors import ConfigurationError
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
    """Turns requests into responses by effects: an `HttpApp`, or the sandbox of the platform."""

    def handle(self, request: Request) -> Unit[Response]:
        """Return the response to one request; its body has not been read yet."""


class HttpOptions(TypedDict, total=False):
    """What every adapter passes on to `HttpApp`."""

    prefix: str
    """Before every path, such as `/segue`; a host that mounts an application needs none."""
    read: Authenticator | bool
    """Who may read conversations: False for none; True for principals of `auth` that may read; or
    an authenticator for readers alone."""
    callback_secret: str | bytes | None
    """Signs the addresses that `segue.server.callback_url` makes. Only there are notifications and
    callbacks of the platform accepted. Without it they need a token, as deliveries do."""
    limits: RequestLimits
    """How large a request may be, and how long it may take."""
    observers: Iterable[Observer]
    """Called after every response; the log by default."""


class AppOptions(HttpOptions, total=False):
    """What every adapter takes, beside the processor and `auth`."""

    inspector: bool
    """Whether there is a page at `/inspect` that shows readers conversations as they happen."""


def build(
    processor: Processor,
    auth: Authenticator | None,
    *,
    inspector: bool = False,
    **options: Unpack[HttpOptions],
) -> HttpApp:
    """Return the application; raise `ConfigurationError` for options that cannot be meant."""
    _check_names(options)
    options.setdefault("observers", (LogObserver(),))
    _check(processor, options)
    if auth is None:
        raise ConfigurationError(
            "auth=… is missing: segue.JwtAuth(secret=…), an authenticator of your own, or "
            "segue.NoAuth() when every client that reaches the server may send"
        )
    _check_authenticator("auth", auth)
    reader = options.get("read", False)
    page = _inspector(auth if isinstance(reader, bool) else reader) if inspector else None
    return HttpApp(processor, auth=auth, report_schema=report_schema, inspector=page, **options)


def _check_names(options: Iterable[str]) -> None:
    """Refuse options that there are not."""
    known = ["auth", *sorted(AppOptions.__optional_keys__)]
    for name in options:
        if name not in known:
            near = get_close_matches(name, known, 1)
            meant = f": did you mean {near[0]}?" if near else ";"
            raise ConfigurationError(
                f"there is no option {name}{meant} there are {', '.join(known)}"
            )


def _check(processor: object, options: Mapping[str, Any]) -> None:
    """Refuse what a type checker would have refused."""
    if not isinstance(processor, Processor):
        raise ConfigurationError(
            f"a segue.Processor is needed, got {_kind(processor)}: pass "
            'segue.Processor(store=segue.SqliteStore("segue.db"))'
        )
    if not isinstance(options.get("read", False), bool):
        _check_authenticator("read", options["read"])
    if not isinstance(options.get("prefix", ""), str):
        raise ConfigurationError(f"prefix=… must be text, got {_kind(options['prefix'])}")
    secret = options.get("callback_secret")
    if not isinstance(secret, str | bytes | None):
        raise ConfigurationError(f"callback_secret=… must be text or bytes, got {_kind(secret)}")
    limits, observers = options.get("limits"), options["observers"]
    if not isinstance(limits, RequestLimits | None):
        raise ConfigurationError(
            f"limits=… must be segue.server.http.RequestLimits(…), got {_kind(limits)}"
        )
    if not isinstance(observers, Collection) or not all(map(callable, observers)):
        raise ConfigurationError("observers=… must be a list of functions of a RequestRecord")


def _check_authenticator(name: str, value: object) -> None:
    if isinstance(value, type) or not callable(getattr(value, "authenticate", None)):
        others = "True, False, " if name == "read" else ""
        raise ConfigurationError(
            f"{name}=… must be {others}segue.JwtAuth(secret=…), segue.NoAuth() or an authenticator "
            f"of your own, got {_kind(value)}"
        )


def _kind(value: object) -> str:
    """Return the type of a value, for a message: the value itself may be a secret."""
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__


def _inspector(reader: Authenticator) -> Inspector:
    from segue.server.inspector.recent_causes import JournalCauses  # noqa: PLC0415 - it loads all of logs

    page, policy = inspector_page(asks_for_token=not isinstance(reader, NoAuth))
    return Inspector(page, policy, _drawing, JournalCauses())


def _drawing(view: ConversationView) -> dict[str, Any]:
    later = None if view.next is None else (view.next, view.findings)
    return inspector_data(view.report, view.expected, view.deliveries, view.held, later)
