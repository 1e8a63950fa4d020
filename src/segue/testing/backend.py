"""Backends under test: two functions, one that delivers and one that looks.

It decides how a delivery travels, over HTTP or by a call.  House rules: the standard library is
enough; a status is an answer like any other, and only a backend that cannot be reached is our
user's mistake; tokens are sent and never shown.  It does not know what an answer should be.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from segue.errors import ConfigurationError
from segue.events import HOOKS, INTAKES
from segue.wire import address_of

__all__ = ["Backend", "BackendAnswer", "BackendDelivery", "View", "in_process", "over_http"]

View: TypeAlias = Callable[[str], Mapping[str, Any]]
"""Takes a conversation id; returns what the backend knows of it."""

_PATIENCE: Final = 10.0
_OK: Final = 200


class BackendDelivery(NamedTuple):
    """One delivery on its way to a backend."""

    body: Mapping[str, Any] | str
    """A JSON object, or text that may be none."""
    conversation_id: str
    bot_id: str = "st-1"
    endpoint: str = HOOKS.name
    """Name of the intake: `hooks` (E21) or `transcription` (E1)."""
    delivery_id: str | None = None


class BackendAnswer(NamedTuple):
    """What a backend answered at once."""

    status: int
    fields: Mapping[str, Any]
    """The answer's JSON object; empty when it is none."""

    @property
    def shown(self) -> dict[str, Any]:
        """All it tells; `status` is that of HTTP, whatever the object may call so."""
        return {**self.fields, "status": self.status}


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend as the kit sees it."""

    deliver: Callable[[BackendDelivery], BackendAnswer] = field(repr=False)
    view: View | None = field(default=None, repr=False)
    """Without one, only what it answers at once is compared."""


def in_process(receive: Callable[[Any], object], *, view: View | None = None) -> Backend:
    """Return a backend that is a function of the E21 body.

    What it returns is its answer, if that is a mapping; an exception it raises goes through.
    """

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        given = receive(delivered.body)
        return BackendAnswer(_OK, given if isinstance(given, Mapping) else {})

    return Backend(deliver, view)


def over_http(
    url: str, *, view: View | str | None = None, headers: Mapping[str, str] | None = None
) -> Backend:
    """Return the backend at this URL, below which it has the routes of the specification.

    `view` is a function, or the URL of its account of a conversation with `{conversationId}` in it.
    `headers` are sent with everything: `{"auth": token}`. Raises `ConfigurationError` when there is
    nobody at the URL.
    """
    sent = {"Content-Type": "application/json", **(headers or {})}
    base = url.rstrip("/")
    _require_web(base)
    look: View | None = None
    if isinstance(view, str):
        address = _address_of_view(view, base)

        def fetch(conversation_id: str) -> Mapping[str, Any]:
            shown = address.replace("{conversationId}", quote(conversation_id, safe=""))
            return _exchange(Request(shown, headers=dict(sent))).fields  # noqa: S310

        look = fetch
    else:
        look = view

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        intake = INTAKES[delivered.endpoint]
        body = delivered.body
        more = {"Idempotency-Key": delivered.delivery_id} if delivered.delivery_id else {}
        request = Request(  # noqa: S310 - http and https only
            base + address_of(intake, delivered.bot_id, delivered.conversation_id),
            data=(body if isinstance(body, str) else json.dumps(body)).encode(),
            headers={**sent, **more},
            method="POST",
        )
        return _exchange(request)

    return Backend(deliver, look)


def _address_of_view(view: str, base: str) -> str:
    if "{conversationId}" not in view:
        msg = f"the view {view!r} names no conversation: put {{conversationId}} into it"
        raise ConfigurationError(msg)
    address = view if "://" in view else f"{base}/{view.lstrip('/')}"
    _require_web(address)
    return address


def _require_web(url: str) -> None:
    if urlsplit(url).scheme not in ("http", "https"):
        msg = f"{url!r} is no address of a backend: give one that begins with http:// or https://"
        raise ConfigurationError(msg)


def _exchange(request: Request) -> BackendAnswer:
    try:
        with urlopen(request, timeout=_PATIENCE) as response:  # noqa: S310
            return BackendAnswer(response.status, _object(response.read()))
    except HTTPError as error:
        with error:
            return BackendAnswer(error.code, _object(error.read()))
    except (OSError, HTTPException) as error:
        address = urlsplit(request.full_url)
        msg = f"nobody answers at {address.scheme}://{address.netloc}: {error}"
        raise ConfigurationError(msg) from error


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
