"""Fetches a document over HTTP, within limits of time and size, without following redirects."""

import socket
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Timer
from time import monotonic
from typing import Any, Final
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

_MAX_BYTES: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024

_Connections = list[HTTPConnection]


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Return None to refuse a redirect.

        Keys must come from the configured address.
        """


class _Connecting(HTTPHandler, HTTPSHandler):
    """Opens connections and appends them to a list, so that a timer can interrupt them."""

    def __init__(self, opened: _Connections) -> None:
        super().__init__()
        self._opened = opened

    def http_open(self, req: Request) -> HTTPResponse:
        """Send a request over a new connection without TLS."""
        return self.do_open(_noted(HTTPConnection, self._opened), req)

    def https_open(self, req: Request) -> HTTPResponse:
        """Send a request over a new connection with TLS."""
        return self.do_open(_noted(HTTPSConnection, self._opened), req)


def fetch(url: str, *, seconds: float) -> bytes:
    """Return the document at a URL, which the caller has validated, as bytes.

    Raises `OSError` for every failure, and for a document of more than 1 MiB. The fetch ends within
    `seconds` even if the headers arrive slowly. If the body does, it ends within one more socket
    timeout of the same length.
    """
    end, opened, data = monotonic() + seconds, _Connections(), b""
    opener = build_opener(_NoRedirect, _Connecting(opened))
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


def _noted(kind: type[HTTPConnection], opened: _Connections) -> Callable[..., HTTPConnection]:
    def connection(*args: Any, **options: Any) -> HTTPConnection:
        opened.append(kind(*args, **options))
        return opened[-1]

    return connection


def _cut(opened: _Connections) -> None:
    """Shut down the sockets of all connections, even if they still wait for headers."""
    for each in opened:
        with suppress(OSError, AttributeError):  # closed, or not connected yet
            each.sock.shutdown(socket.SHUT_RDWR)
