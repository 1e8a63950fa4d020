"""Fetches a document over HTTP, within limits of time and size, without following redirects."""

import socket
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from math import inf
from threading import Timer
from time import monotonic
from typing import Any, Final
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

_MAX_BYTES: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024

_Connections = list[HTTPConnection]


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Refuse every redirect, because keys must come from the configured address."""


class _Connection(HTTPConnection):
    """A connection that is established before a deadline, or not at all.

    The timer cannot shut down a socket that does not exist yet.
    """

    end = inf
    """The deadline, a value of `monotonic`."""

    def connect(self) -> None:
        """Connect to the server. Raises `TimeoutError` after the deadline."""
        self.timeout = self._left()
        super().connect()
        self._left()

    def _left(self) -> float:
        left = self.end - monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left


class _TlsConnection(_Connection, HTTPSConnection):
    """A connection with TLS."""


class _Connecting(HTTPHandler, HTTPSHandler):
    """Opens HTTP connections, and records them so that a timer can shut them down."""

    def __init__(self, opened: _Connections, end: float) -> None:
        super().__init__()
        self._opened, self._end = opened, end

    def http_open(self, req: Request) -> HTTPResponse:
        """Send a request over a new connection without TLS."""
        return self.do_open(self._noted(_Connection), req)

    def https_open(self, req: Request) -> HTTPResponse:
        """Send a request over a new connection with TLS."""
        return self.do_open(self._noted(_TlsConnection), req)

    def _noted(self, kind: type[_Connection]) -> Callable[..., HTTPConnection]:
        def connection(*args: Any, **options: Any) -> HTTPConnection:
            made = kind(*args, **options)
            made.end = self._end
            self._opened.append(made)
            return made

        return connection


def fetch(url: str, *, seconds: float) -> bytes:
    """Download the document at a URL and return its bytes. The caller must have validated the URL.

    Raises `OSError` if the download fails, if the document is larger than 1 MiB, or if the download
    takes longer than `seconds` in total, however slowly the server sends.
    """
    end, opened, data = monotonic() + seconds, _Connections(), b""
    opener = build_opener(_NoRedirect, _Connecting(opened, end))
    request = Request(url, headers={"Accept": "application/json"})  # noqa: S310 - checked before
    timer = Timer(seconds, _cut, (opened,))
    timer.daemon = True
    timer.start()
    try:
        with opener.open(request, timeout=seconds) as response:
            data = _read(response, end)
    except (HTTPException, OSError, ValueError) as error:
        if monotonic() <= end:
            raise (error if isinstance(error, OSError) else OSError(type(error).__name__)) from None
    finally:
        timer.cancel()
    if monotonic() > end:  # a truncated response may look like one without a body
        raise TimeoutError("timed out")
    return data


def _read(response: HTTPResponse, end: float) -> bytes:
    data = bytearray()
    while monotonic() <= end and (part := response.read1(_CHUNK)):
        data += part
        if len(data) > _MAX_BYTES:
            raise OSError("the document is larger than 1 MiB")
    if response.length:  # announced but not sent
        raise OSError("the document was cut off")
    return bytes(data)


def _cut(opened: _Connections) -> None:
    """Shut down the sockets of all connections, so that blocked reads end with an error."""
    for each in opened:
        with suppress(OSError, AttributeError):  # closed, or not connected yet
            each.sock.shutdown(socket.SHUT_RDWR)
