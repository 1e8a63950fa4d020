"""The hook as every shell builds it, with what only rooms above it know."""

from collections.abc import Iterable
from typing import TypedDict, Unpack

from segue.errors import ConfigurationError
from segue.hook import Authenticator, Hook, Limits, LogObserver, Observer
from segue.processor import Processor
from segue.report.schema import report_schema

__all__ = ["Options", "build"]


class Options(TypedDict, total=False):
    """What every shell takes, beside the processor and `auth`."""

    prefix: str
    """Before every path, such as `/segue`; a host that mounts an application needs none."""
    read: Authenticator | bool
    """Who may read conversations: False, nobody; True, principals of `auth` that may read; or an
    authenticator for readers alone."""
    limits: Limits
    observers: Iterable[Observer]
    """Told of every answer; the log by default."""


def build(processor: Processor, auth: Authenticator | None, **options: Unpack[Options]) -> Hook:
    """Put a hook together; raise `ConfigurationError` when nobody says who may send."""
    if auth is None:
        raise ConfigurationError(
            "auth=… is missing: segue.JwtAuth(secret=…), an authenticator of your own, or "
            "segue.NoAuth() when everybody who can reach the server may send"
        )
    options.setdefault("observers", (LogObserver(),))
    return Hook(processor, auth=auth, report_schema=report_schema, **options)
