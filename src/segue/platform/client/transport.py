"""What a transport is, and the one that needs nothing but the standard library's http.client."""

import os
import socket
import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import SplitResult

from segue.core.errors import ConfigurationError
from segue.core.web_address import web_address
from segue.platform.messages import ReceivedAnswer, SentRequest

if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse

ANSWER_LIMIT: Final = 64 * 1024 * 1024
"""Bytes of an answer; a longer one is not read."""
_BASE_URL: Final = "the base URL must be https://HOST, without user, query and fragment"
LATE: Final = "no complete answer in time"
TOO_LONG: Final = f"the answer is longer than {ANSWER_LIMIT} bytes"
_CHUNK: Final = 64 * 1024


class TransportFailed(Exception):
    """No complete answer came. The message holds nothing that was sent."""


class AnswerTooLong(TransportFailed):
    """The answer is over the limit; it would be again."""


class Transport(Protocol):
    """What sends a request and returns its answer."""

    def send(self, request: SentRequest, timeout: float) -> ReceivedAnswer:
        """Return the complete answer within so many seconds.

        Raises:
            TransportFailed: None came.

        """
        ...


class AsyncTransport(Protocol):
    """The same, awaited. An object may be both."""

    async def asend(self, request: SentRequest, timeout: float) -> ReceivedAnswer:  # noqa: ASYNC109 - of all that is sent and received
        """Return the complete answer within so many seconds.

        Raises:
            TransportFailed: None came.

        """
        ...


def split_base_url(base_url: str) -> SplitResult:
    """Return the parts of a base URL.

    Raises:
        ConfigurationError: It is none.

    """
    parts = web_address(base_url)
    if parts is None or parts.query or parts.fragment or "@" in parts.netloc:
        raise ConfigurationError(_BASE_URL)
    return parts


def host_of(base: SplitResult) -> str:
    """Return host and port of a base URL."""
    port = base.port or (443 if base.scheme == "https" else 80)
    host = f"[{base.hostname}]" if ":" in (base.hostname or "") else base.hostname
    return f"{host}:{port}"


def failure(host: str, error: BaseException) -> TransportFailed:
    """Return what is said of an error: the reason of the system, else its kind.

    What a library says may hold what was sent.
    """
    found: BaseException | None = error
    while found is not None and not (reason := _reason(found)):
        found = found.__cause__ or found.__context__
    return TransportFailed(f"{host}: {reason or type(error).__name__}")


def _reason(error: BaseException) -> str | None:
    """Return the reason of the system for an error; None if it is of no system."""
    first = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error
    if isinstance(first, ConnectionError) and first.errno:
        return os.strerror(first.errno)
    return first.strerror if isinstance(first, OSError) else None


class HttpTransport:
    """Sends each request over a connection of its own. Redirects are not followed.

    Args:
        base_url: `https://host`, with a port and a path if there are any.

    """

    def __init__(self, base_url: str) -> None:
        from http.client import (  # noqa: PLC0415 - half the import of the client
            HTTPConnection,
            HTTPException,
            HTTPSConnection,
        )

        parts = split_base_url(base_url)
        self._failures = (OSError, HTTPException, ValueError)
        self._connection = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._shown_host = host_of(parts)
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")

    def send(self, request: SentRequest, timeout: float) -> ReceivedAnswer:
        """Return the answer; a server that sends slowly is cut off when the time is over."""
        deadline = time.monotonic() + timeout
        connection = self._connection(self._host, self._port, timeout=timeout)
        try:
            connection.connect()
            return self._answer(connection, request, deadline)
        except TimeoutError:
            raise TransportFailed(LATE) from None
        except self._failures as error:
            raise failure(self._shown_host, error) from None
        finally:
            connection.close()

    def _answer(
        self, connection: "HTTPConnection", request: SentRequest, deadline: float
    ) -> ReceivedAnswer:
        """Return the answer; raise TimeoutError if the connection had to be cut."""
        is_late = threading.Event()
        left = max(deadline - time.monotonic(), 0.001)
        watch = threading.Timer(left, _cut, (connection.sock, is_late))
        watch.daemon = True
        watch.start()
        try:
            target = self._prefix + request.target
            connection.request(request.method, target, request.body, dict(request.headers))
            with closing(connection.getresponse()) as response:
                answer = _received(response)
        except (*self._failures, TransportFailed):
            if is_late.is_set():
                raise TimeoutError from None
            raise
        finally:
            watch.cancel()
        if is_late.is_set():
            raise TimeoutError
        return answer


def _cut(connection: socket.socket, is_late: threading.Event) -> None:
    """End a connection that another thread reads from."""
    is_late.set()
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _received(response: "HTTPResponse") -> ReceivedAnswer:
    chunks, size = [], 0
    while chunk := response.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > ANSWER_LIMIT:
            raise AnswerTooLong(TOO_LONG)
    if response.length:
        raise TransportFailed("the answer ended early")
    headers = {name.lower(): value for name, value in response.getheaders()}
    return ReceivedAnswer(response.status, headers, b"".join(chunks))
