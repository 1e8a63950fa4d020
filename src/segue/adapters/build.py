"""The hook as every shell builds it, with what only rooms above it know."""

from collections.abc import Iterable
from typing import TypedDict, Unpack

from segue.errors import ConfigurationError
from segue.http import Authenticator, Hook, Inspector, Limits, LogObserver, NoAuth, Observer
from segue.processor import Processor
from segue.report.inspector import inspector_data, inspector_page
from segue.report.schema import report_schema

__all__ = ["Options", "build"]


class Settings(TypedDict, total=False):
    """What every shell hands on to the hook as it is."""

    prefix: str
    """Before every path, such as `/segue`; a host that mounts an application needs none."""
    read: Authenticator | bool
    """Who may read conversations: False, nobody; True, principals of `auth` that may read; or an
    authenticator for readers alone."""
    limits: Limits
    observers: Iterable[Observer]
    """Told of every answer; the log by default."""


class Options(Settings, total=False):
    """What every shell takes, beside the processor and `auth`."""

    inspector: bool
    """Whether there is a page at `/inspect` that shows readers conversations as they happen."""


def build(
    processor: Processor,
    auth: Authenticator | None,
    *,
    inspector: bool = False,
    **settings: Unpack[Settings],
) -> Hook:
    """Put a hook together; raise `ConfigurationError` when nobody says who may send."""
    if auth is None:
        raise ConfigurationError(
            "auth=… is missing: segue.JwtAuth(secret=…), an authenticator of your own, or "
            "segue.NoAuth() when everybody who can reach the server may send"
        )
    settings.setdefault("observers", (LogObserver(),))
    reader = settings.get("read", False)
    page = _inspector(auth if isinstance(reader, bool) else reader) if inspector else None
    return Hook(processor, auth=auth, report_schema=report_schema, inspector=page, **settings)


def _inspector(reader: Authenticator) -> Inspector:
    page, policy = inspector_page(asks_for_token=not isinstance(reader, NoAuth))
    return Inspector(page, policy, lambda known: inspector_data(known.report, known.expected))
