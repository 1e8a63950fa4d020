"""The transport protocols, and a transport that uses the standard library's http.client."""

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
"""The maximum length of an answer's body in bytes."""
_BASE_URL: Final = "the base URL must be https://HOST without user, query and fragment"
LATE: Final = "no complete answer in time"
TOO_LONG: Final = f"the answer is longer than {ANSWER_LIMIT} bytes"
_CHUNK: Final = 64 * 1024


class TransportFailed(Exception):
    """A request got no complete answer.

    The message quotes no part of the request, which may contain secrets.
    """


class AnswerTooLong(TransportFailed):
    """The answer exceeds `ANSWER_LIMIT`. A retry would exceed the limit again."""


class Transport(Protocol):
    """A protocol for objects that send a request and return its answer.

    Implement it to use another HTTP library with `Client`.
    """

    def send(self, request: SentRequest, timeout: float) -> ReceivedAnswer:
        """Send a request and return the complete answer within `timeout` seconds.

        Raises:
            TransportFailed: No complete answer came in time.

        """
        ...


class AsyncTransport(Protocol):
    """A protocol for objects that send a request asynchronously and return its answer.

    An object may implement this protocol and `Transport`.
    """

    async def asend(self, request: SentRequest, timeout: float) -> ReceivedAnswer:  # noqa: ASYNC109 - part of the protocol
        """Send a request and return the complete answer within `timeout` seconds.

        Raises:
            TransportFailed: No complete answer came in time.

        """
        ...


def split_base_url(base_url: str) -> SplitResult:
    """Parse the base URL of a platform.

    Raises:
        ConfigurationError: The text is not a URL such as `https://host`, or has a user, query or
            fragment.

    """
    parts = web_address(base_url)
    if parts is None or parts.query or parts.fragment or "@" in parts.netloc:
        raise ConfigurationError(_BASE_URL)
    return parts


def host_of(base: SplitResult) -> str:
    """Return the host and port of a base URL as text, such as `host:443`."""
    port = base.port or (443 if base.scheme == "https" else 80)
    host = f"[{base.hostname}]" if ":" in (base.hostname or "") else base.hostname
    return f"{host}:{port}"


def failure(host: str, error: BaseException) -> TransportFailed:
    """Return a `TransportFailed` for an error of an HTTP library.

    Its message has the host and the operating system's reason, such as "Connection refused", or the
    type of the error. Messages of libraries are not used because they may quote the request.
    """
    found: BaseException | None = error
    while found is not None and not (reason := _reason(found)):
        found = found.__cause__ or found.__context__
    return TransportFailed(f"{host}: {reason or type(error).__name__}")


def _reason(error: BaseException) -> str | None:
    """Return the operating system's text for an error, or None if the error has no such text."""
    first = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error
    if isinstance(first, ConnectionError) and first.errno:
        return os.strerror(first.errno)
    return first.strerror if isinstance(first, OSError) else None


class HttpTransport:
    """A transport that opens a connection for each request and does not follow redirects.

    Args:
        base_url: The URL of the platform, such as `https://host`, optionally with a port and a
            path.

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
        """Send a request and return the complete answer within `timeout` seconds.

        The connection is shut down when the time is over, even if the server is still sending.

        Raises:
            TransportFailed: No complete answer came in time.

        """
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
        """Send a request over an open connection, and return the answer.

        Raises:
            TimeoutError: The time was over, and the connection was shut down.

        """
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
    """Shut down a connection that another thread reads from, after setting `is_late`."""
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
