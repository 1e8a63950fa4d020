"""A client of a running server, on the standard library: one connection, used again and again.

It decides how often something is tried: what the server answers with 408, 429 or 503, and a server
that is away, are tried again until patience ends, since every delivery has an id or is only read.
House rules: a token is sent nowhere but to the address given, so redirects are not followed; what
our user can mend is an error that says how.
"""

import json
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from segue.errors import ConfigurationError, SegueError

__all__ = ["Answer", "Client", "ServerAway", "is_url"]

_TIMEOUT: Final = 40.0
"""Seconds for an answer: longer than a server lets a reader wait for news."""
_AGAIN: Final = frozenset({408, 429, 503})
_PAUSES: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
_LONGEST: Final = 30.0


class ServerAway(SegueError):  # noqa: N818 - public names say what happened
    """A server that could not be reached, or not do its work, for as long as we would wait."""


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    value: Mapping[str, Any]
    """The JSON object in it; empty: there was none."""

    @property
    def is_good(self) -> bool:
        """Whether it did what was asked."""
        return 200 <= self.status < 300  # noqa: PLR2004 - as the specification has it


def is_url(text: str) -> bool:
    """Whether this is the address of a server."""
    return text.startswith(("http://", "https://"))


class Client:
    """Asks one server."""

    def __init__(
        self,
        url: str,
        token: Callable[[], str | None],
        *,
        patience: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        is_secure, host, port, self._base = _parts(url)
        kind = HTTPSConnection if is_secure else HTTPConnection
        self._connection = kind(host, port, timeout=_TIMEOUT)
        self._url = url
        self._token, self._patience = token, patience
        self._clock, self._sleep = clock, sleep

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def get(self, path: str) -> Answer:
        """Read something."""
        return self._asked("GET", path, None, {})

    def post(self, path: str, body: bytes, delivery_id: str | None) -> Answer:
        """Send something."""
        headers = {"Content-Type": "application/json"}
        if delivery_id is not None:
            headers["Idempotency-Key"] = delivery_id
        return self._asked("POST", path, body, headers)

    def _asked(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        until, tries = self._clock() + self._patience, 0
        while True:
            pause = _PAUSES[min(tries, len(_PAUSES) - 1)]
            try:
                status, data, after = self._once(method, path, body, headers)
            except (OSError, HTTPException) as error:
                self._connection.close()
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            else:
                if status not in _AGAIN:
                    return Answer(status, _object(data))
                reason, pause = f"it answers {status}", after or pause
            tries += 1
            if self._clock() + pause > until:
                raise ServerAway(f"{self._url} cannot be reached ({reason}): is it running?")
            self._sleep(pause)

    def _once(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes, float]:
        token = self._token()
        sent = {**headers, **({} if token is None else {"auth": token})}
        self._connection.request(method, self._base + path, body, sent)
        response = self._connection.getresponse()
        return response.status, response.read(), _retry_after(response)


def _parts(url: str) -> tuple[bool, str, int | None, str]:
    """Return whether it is https, host, port, path; with more in it, an address is none of ours."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    is_plain = url.isascii() and url.isprintable() and " " not in url
    if not (is_url(url) and host and is_plain) or parts.username or parts.query:
        raise ConfigurationError("the address of a server is http://host:port, or https://…")
    return parts.scheme == "https", host, port, parts.path.rstrip("/")


def _retry_after(response: HTTPResponse) -> float:
    text = response.getheader("Retry-After", "")
    return min(float(text), _LONGEST) if text.isascii() and text.isdigit() else 0.0


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
