"""An HTTP client for a running server: one connection, with retries until a timeout.

Requests are retried after a lost connection and after a response with 408, 429 or 503. This is safe
since every delivery has an id and all other requests only read. Redirects are not followed, so that
a token is sent to the given address only.
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Final, NamedTuple

from segue.cli.errors import print_error
from segue.core.errors import ConfigurationError, SegueError
from segue.core.web_address import shown_url, web_address

_TIMEOUT: Final = 40.0
"""Seconds until a request times out.

A request to the feed that waits for new entries is answered sooner.
"""
_RETRIED: Final = frozenset({408, 429, 503})
_PAUSES: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
_QUIET: Final = 2.0
"""Seconds that a server may be unavailable before this is reported."""
_LONGEST: Final = 30.0
_ANSWER_LIMIT: Final = 16 * 1024 * 1024
"""The maximum length of a response in bytes."""


class ServerUnreachableError(SegueError):
    """Raised if a server gives no response, or is unavailable, until the timeout has passed."""


class ServerReply(NamedTuple):
    """The response of a server to a request."""

    status: int
    value: Mapping[str, Any]
    """The JSON object in the body, or an empty mapping if the body is not a JSON object."""

    @property
    def is_success(self) -> bool:
        """Whether the status is from 200 to 299."""
        return self.status in range(200, 300)


class ServerClient:
    """An HTTP client for one server.

    Args:
        url: Address of the server, `http://host:port` or `https://…`.
        token: Returns the token for a request, or None.
        timeout: Seconds until an unavailable server is an error.

    """

    def __init__(
        self,
        url: str,
        token: Callable[[], str | None],
        *,
        timeout: float,
    ) -> None:
        is_secure, host, port, self._base = _parts(url)
        kind = HTTPSConnection if is_secure else HTTPConnection
        self._connection = kind(host, port, timeout=_TIMEOUT)
        self.url = url
        """The address of the server."""
        self._token, self._timeout = token, timeout

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def get(self, path: str) -> ServerReply:
        """Send a GET request for a path of the server, and return the response.

        Raise `ServerUnreachableError` if there is no response until the timeout.
        """
        return self._request("GET", path, None, {})

    def post(self, path: str, body: bytes, delivery_id: str | None) -> ServerReply:
        """Send a POST request with a body of JSON, and return the response.

        `delivery_id` is sent as `Idempotency-Key`. Raise `ServerUnreachableError` if there is no
        response until the timeout.
        """
        headers = {"Content-Type": "application/json"}
        if delivery_id is not None:
            headers["Idempotency-Key"] = delivery_id
        return self._request("POST", path, body, headers)

    def _request(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> ServerReply:
        start = time.monotonic()
        until, tries, is_reported = start + self._timeout, 0, False
        while True:
            pause = _PAUSES[min(tries, len(_PAUSES) - 1)]
            try:
                status, data, after = self._once(method, path, body, headers)
            except (OSError, HTTPException) as error:
                self._connection.close()
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            else:
                if status not in _RETRIED:
                    return ServerReply(status, _object(data))
                reason, pause = f"it answers with {status}", after or pause
            tries += 1
            if time.monotonic() + pause > until:
                raise ServerUnreachableError(
                    f"{self.url} cannot be reached ({reason}): is it running?"
                )
            if not is_reported and time.monotonic() + pause > start + _QUIET:
                left = f"trying again for {self._timeout:g} seconds"
                print_error(f"{self.url} cannot be reached ({reason}): {left}")
                is_reported = True
            time.sleep(pause)

    def _once(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes, float]:
        token = self._token()
        sent = {**headers, **({} if token is None else {"auth": token})}
        self._connection.request(method, self._base + path, body, sent)
        # A finalizer would close it otherwise, and lose a Ctrl-C that comes while it runs.
        with closing(self._connection.getresponse()) as response:
            body = response.read(_ANSWER_LIMIT + 1)
            if len(body) > _ANSWER_LIMIT:
                raise ServerUnreachableError(
                    f"{self.url} sends more than {_ANSWER_LIMIT} bytes: is it a segue server?"
                )
            return response.status, body, _retry_after(response)


def _parts(url: str) -> tuple[bool, str, int | None, str]:
    """Return `(is_https, host, port, path)` for the URL of a server.

    `port` is None if the URL has none. Raise `ConfigurationError` for an invalid URL.
    """
    parts = web_address(url)
    if parts is None or not url.isascii() or parts.username or parts.query:
        raise ConfigurationError(
            f"the address of a server must be http://host:port or https://…, not {shown_url(url)}"
        )
    return parts.scheme == "https", parts.hostname or "", parts.port, parts.path.rstrip("/")


def _retry_after(response: HTTPResponse) -> float:
    text = response.getheader("Retry-After", "")
    return min(float(text), _LONGEST) if text.isascii() and text.isdigit() else 0.0


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
