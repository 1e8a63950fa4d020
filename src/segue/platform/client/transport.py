"""The transport protocols, and a transport that uses the standard library's http.client."""

import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from threading import Thread
from typing import TYPE_CHECKING, Final, Protocol, TypeVar
from urllib.parse import SplitResult

from segue.core.errors import ConfigurationError
from segue.core.web_address import is_loopback, web_address
from segue.platform.messages import ReceivedAnswer, SentRequest

if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse

T = TypeVar("T")
ANSWER_LIMIT: Final = 16 * 1024 * 1024
"""The maximum length of an answer's body in bytes."""
_BASE_URL: Final = "the base URL must be https://HOST without user, query and fragment"
LATE: Final = "no complete answer in time"
TOO_LONG: Final = f"the answer is longer than {ANSWER_LIMIT} bytes"
_CHUNK: Final = 64 * 1024


class TransportFailed(Exception):
    """The transport received no complete answer to a request.

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


def refuse_readable_token(base_url: str) -> None:
    """Check that the token of a client is sent encrypted, or stays on this machine.

    Raises:
        ConfigurationError: The URL begins with `http` and its host is not a loopback address.

    """
    parts = web_address(base_url)
    if parts is not None and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise ConfigurationError(
            f"the token would be sent to {parts.hostname} unencrypted: use a base URL that begins "
            "with https://, or for a test the platform's address on this machine, such as "
            "http://127.0.0.1:8000"
        )


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
    """Return the operating system's message for an error, or None if it is of another origin."""
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

        The request is sent in a daemon thread, because looking up a host or a handshake cannot be
        interrupted. The connection is shut down when the time is over.

        Raises:
            TransportFailed: No complete answer came in time.

        """
        deadline = time.monotonic() + timeout
        connection = self._connection(self._host, self._port, timeout=timeout)
        try:
            return in_time(timeout, lambda: self._answer(connection, request, deadline))
        except TimeoutError:
            _shut_down(connection.sock)
            raise TransportFailed(LATE) from None
        except self._failures as error:
            raise failure(self._shown_host, error) from None

    def _answer(
        self, connection: "HTTPConnection", request: SentRequest, deadline: float
    ) -> ReceivedAnswer:
        """Connect, send a request, and return the answer. Nothing is sent after the deadline."""
        with closing(connection):
            connection.connect()
            check_time(deadline)
            target = self._prefix + request.target
            connection.request(request.method, target, request.body, dict(request.headers))
            with closing(connection.getresponse()) as response:
                return _received(response, deadline)


def in_time(timeout: float, work: Callable[[], T]) -> T:
    """Return the result of a function, which is called in a daemon thread.

    Raises:
        TimeoutError: There is no result after `timeout` seconds. The thread is abandoned.

    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - the waiting thread raises it
            done.set_exception(error)

    Thread(target=run, daemon=True).start()
    return done.result(timeout)


def check_time(deadline: float) -> None:
    """Raise `TimeoutError` if the monotonic clock has reached `deadline`."""
    if time.monotonic() >= deadline:
        raise TimeoutError


def check_length(size: int) -> None:
    """Raise `AnswerTooLong` if a body of `size` bytes exceeds `ANSWER_LIMIT`."""
    if size > ANSWER_LIMIT:
        raise AnswerTooLong(TOO_LONG)


def _shut_down(connection: "socket.socket | None") -> None:
    """Shut down a connection to interrupt the thread that reads from it."""
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def _received(response: "HTTPResponse", deadline: float) -> ReceivedAnswer:
    chunks, size = [], 0
    while chunk := response.read1(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        check_length(size)
        check_time(deadline)
    if response.length:
        raise TransportFailed("the answer ended early")
    headers = {name.lower(): value for name, value in response.getheaders()}
    return ReceivedAnswer(response.status, headers, b"".join(chunks))
