"""Connections to a backend under test, in process or over HTTP.

Over HTTP every status counts as an answer. Redirects are answers too, and are not followed. Headers
may contain tokens, so they are sent only to the given URL and never shown.
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
from segue.core.web_address import shown_url, web_address
from segue.core.wire.address import address_of
from segue.testing.views import View, of_page

_TIMEOUT: Final = 10.0
_OK: Final = 200
_ANSWERING: Final = set[str]()
"""The origins, such as `http://127.0.0.1:8000`, that have answered a request.

The set is global because every Hypothesis example creates a new connection.
"""


class BackendDelivery(NamedTuple):
    """A request to send to a backend, with the data of one HTTP request of the platform."""

    body: Mapping[str, Any] | str
    """The body as a JSON object, or as text that need not be valid JSON."""
    conversation_id: str
    """The id of the conversation."""
    bot_id: str = "st-1"
    """The id of the bot (`botId`), which is part of the request's path."""
    endpoint: str = HOOKS.name
    """The endpoint to send to: `hooks` (E21), `transcription` (E1) or `notifications` (E2)."""
    delivery_id: str | None = None
    """The value of the header `Idempotency-Key`, or None to omit the header."""


class BackendAnswer(NamedTuple):
    """The answer of a backend to a delivery: an HTTP status and the fields of a JSON object."""

    status: int
    """The HTTP status."""
    fields: Mapping[str, Any]
    """The JSON object in the body of the answer, or an empty mapping if there is no such object."""

    @property
    def shown(self) -> dict[str, Any]:
        """The fields of the answer, with the HTTP status added as `status`, for comparisons."""
        return {**self.fields, "status": self.status}


@dataclass(frozen=True, slots=True)
class Backend:
    """A connection to a backend under test. Create one with `in_process` or `over_http`."""

    deliver: Callable[[BackendDelivery], BackendAnswer] = field(repr=False)
    """A function that sends a delivery and returns the answer."""
    view: View | None = field(default=None, repr=False)
    """A function from a conversation id to the backend's state of that conversation.

    It returns a mapping with any of the keys in `VIEW_KEYS`. If it is None, only the answers are
    compared.
    """
    takes_ids: bool = True
    """Whether the backend receives the id of each delivery, and can thus detect a reused id."""


def in_process(receive: Callable[[Any], object], *, view: View | None = None) -> Backend:
    """Return a connection that calls a function with the body of each delivery (E21).

    The function may return a mapping, which becomes the fields of an answer with status 200, or a
    `BackendAnswer` with another status. Any other value means an empty answer with status 200.
    Exceptions propagate. The function receives no delivery ids.

    Args:
        receive: The function to call.
        view: A function that takes a conversation id and returns a mapping with any of the keys in
            `VIEW_KEYS`.

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
    """Return a connection to a backend that receives deliveries over HTTP.

    Nothing is sent before the first delivery. A delivery raises `ConfigurationError` if no server
    listens at the URL or none has answered there before. It raises `ConnectionError` if a server
    that has answered before hangs for 10 seconds or drops the connection.

    Args:
        url: The base URL of the backend. The routes of the specification are relative to it.
        view: A function that takes a conversation id and returns a mapping with any of the keys in
            `VIEW_KEYS`, or the URL of a JSON object with any of them. The URL must contain
            `{conversationId}` and may be relative to `url`. Other members of the object are
            ignored.
        headers: Headers to send with every request, such as `{"auth": token}`.
        path: The path of the hook, if it differs from the specification. `{botId}` in it is
            replaced with the bot id.

    Raises:
        ConfigurationError: A URL is invalid, or the view's URL does not contain
            `{conversationId}`.

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
        msg = f"the URL of the view must contain {{conversationId}}, not {shown_url(view)}"
        raise ConfigurationError(msg)
    address = view if "://" in view else f"{base}/{view.lstrip('/')}"
    _require_web(address)
    return address


def _require_web(url: str) -> None:
    parts = web_address(url)
    if parts is None or not url.isascii():
        msg = "give the URL of a backend, one that begins with http:// or https://, not"
        raise ConfigurationError(f"{msg} {shown_url(url)}")
    if "@" in parts.netloc:
        msg = "the URL of a backend must contain no user and no password: send them in a header"
        raise ConfigurationError(msg)


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Return None to refuse the redirect, so that a token is sent only to the given URL."""


def _exchange(url: str, headers: Mapping[str, str], body: bytes | None = None) -> BackendAnswer:
    address = urlsplit(url)
    origin = f"{address.scheme}://{address.netloc}"
    try:
        found = _answer(Request(url, body, dict(headers)))  # noqa: S310 - http and https only
    except (OSError, HTTPException) as error:
        cause = getattr(error, "reason", error)  # a `URLError` wraps its cause
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
