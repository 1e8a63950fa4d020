"""Backends under test: one function that delivers, and one that returns what the backend knows.

Over HTTP the standard library does; every status is an answer, a redirect too. Where nobody has
answered yet, or nobody listens any more, there is no backend; one that has answered and is then
silent has an error of its own. Headers with tokens are sent there and nowhere else, and never
shown.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from segue.core.errors import ConfigurationError
from segue.core.events import HOOKS, INTAKES, Intake
from segue.core.web_address import web_address
from segue.core.wire.address import address_of
from segue.testing.views import View, of_page

_TIMEOUT: Final = 10.0
_OK: Final = 200
_ANSWERING: Final = set[str]()
"""Where a backend has answered; each example of a machine connects to it anew."""


class BackendDelivery(NamedTuple):
    """One delivery on its way to a backend."""

    body: Mapping[str, Any] | str
    """A JSON object, or text that need not be JSON."""
    conversation_id: str
    """That the view is asked for afterwards."""
    bot_id: str = "st-1"
    """Of the path."""
    endpoint: str = HOOKS.name
    """Name of the intake: `hooks` (E21), `transcription` (E1) or `notifications` (E2)."""
    delivery_id: str | None = None
    """Sent as `Idempotency-Key`; None sends none."""


class BackendAnswer(NamedTuple):
    """What a backend answered at once."""

    status: int
    """That of HTTP."""
    fields: Mapping[str, Any]
    """The JSON object of the answer; empty if it has none."""

    @property
    def shown(self) -> dict[str, Any]:
        """All fields, and as `status` that of HTTP, even if the object has a field of that name."""
        return {**self.fields, "status": self.status}


@dataclass(frozen=True, slots=True)
class Backend:
    """How to reach a backend."""

    deliver: Callable[[BackendDelivery], BackendAnswer] = field(repr=False)
    """Sends one delivery and returns the answer."""
    view: View | None = field(default=None, repr=False)
    """Without one, only what it answers at once is compared."""
    takes_ids: bool = True
    """Whether it is given the ids of deliveries, and so can refuse one that is used again."""


def in_process(receive: Callable[[Any], object], *, view: View | None = None) -> Backend:
    """Return a backend that is a function of the E21 body.

    What it returns is its answer, if that is a mapping, or a `BackendAnswer` with another status
    than 200; an exception it raises goes through. It is given no delivery id.
    """

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        given = receive(delivered.body)
        if isinstance(given, BackendAnswer):
            return given
        return BackendAnswer(_OK, given if isinstance(given, Mapping) else {})

    return Backend(deliver, view, takes_ids=False)


def over_http(
    url: str,
    *,
    view: View | str | None = None,
    headers: Mapping[str, str] | None = None,
    path: str | None = None,
) -> Backend:
    """Return the backend at this URL, below which it has the routes of the specification.

    `view` is a function, or the URL of what it knows of a conversation with `{conversationId}` in
    it: a page with any of the keys of a view, and maybe others. `headers` are sent with every
    request: `{"auth": token}`. `path` is that of the hook, if the specification has another;
    `{botId}` in it is the bot. Nothing is sent yet: a delivery raises `ConfigurationError` if
    nobody listens at the URL, or if nobody has ever answered there, and `ConnectionError` if a
    backend that has answered hangs or drops the connection.
    """
    sent = {"Content-Type": "application/json", **(headers or {})}
    base = url.rstrip("/")
    _require_web(base)
    _require_web(f"{base}/{(path or '').lstrip('/')}")
    address = _address_of_view(view, base) if isinstance(view, str) else ""

    def fetch(conversation_id: str) -> Mapping[str, Any]:
        return of_page(
            *_exchange(address.replace("{conversationId}", quote(conversation_id, safe="")), sent)
        )

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        intake = INTAKES[delivered.endpoint]
        body = delivered.body
        more = {"Idempotency-Key": delivered.delivery_id} if delivered.delivery_id else {}
        return _exchange(
            base + _address(path, intake, delivered),
            {**sent, **more},
            (body if isinstance(body, str) else json.dumps(body)).encode(),
        )

    return Backend(deliver, fetch if isinstance(view, str) else view)


def _address(path: str | None, intake: Intake, delivered: BackendDelivery) -> str:
    if path is not None and intake is HOOKS:
        return f"/{path.lstrip('/')}".replace("{botId}", quote(delivered.bot_id, safe=""))
    return address_of(intake, delivered.bot_id, delivered.conversation_id)


def _address_of_view(view: str, base: str) -> str:
    if "{conversationId}" not in view:
        msg = f"the view {view!r} names no conversation: put {{conversationId}} into it"
        raise ConfigurationError(msg)
    address = view if "://" in view else f"{base}/{view.lstrip('/')}"
    _require_web(address)
    return address


def _require_web(url: str) -> None:
    if web_address(url) is None or not url.isascii():
        msg = f"{url!r} is not the address of a backend: give one that begins with http:// or https://"
        raise ConfigurationError(msg)


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nothing: a token is for the given address only."""


def _exchange(url: str, headers: Mapping[str, str], body: bytes | None = None) -> BackendAnswer:
    address = urlsplit(url)
    origin = f"{address.scheme}://{address.netloc}"
    try:
        found = _answer(Request(url, body, dict(headers)))  # noqa: S310 - http and https only
    except (OSError, HTTPException) as error:
        cause = getattr(error, "reason", error)  # of an `URLError`
        why = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
        if origin in _ANSWERING and not isinstance(cause, ConnectionRefusedError):
            raise ConnectionError(f"no answer ({why})") from error
        msg = f"no backend answers at {origin} ({why}): is it running?"
        raise ConfigurationError(msg) from error
    _ANSWERING.add(origin)
    return found


def _answer(request: Request) -> BackendAnswer:
    try:
        with build_opener(_NoRedirect).open(request, timeout=_TIMEOUT) as response:
            return BackendAnswer(response.status, _object(response.read()))
    except HTTPError as error:
        with error:
            return BackendAnswer(error.code, _object(error.read()))


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
