"""Senders that hold on to their connections: half heads, silence, bytes that drip."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Event, Thread
from time import monotonic, sleep
from typing import Final, NamedTuple

from tests.server.adapters.servers import send

_POST: Final = b"POST /agentdesk/api/v1/hooks/st-1 HTTP/1.1\r\nHost: localhost\r\n"
_GET: Final = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
_HEALTHY: Final = _GET + b"Connection: close\r\n\r\n"


class Holder(NamedTuple):
    """What a sender sends first, and then once a second."""

    first: bytes
    drip: bytes = b""


HOLDERS: Final[Mapping[str, Holder]] = {
    "silence": Holder(b""),
    "half a head": Holder(_POST + b"X-Y: "),
    "a head, a byte a second": Holder(_POST + b"X-Y: ", b"z"),
    "a body, a byte a second": Holder(_POST + b"Content-Length: 999\r\n\r\n{", b" "),
    "a body that never comes": Holder(_POST + b"Content-Length: 999\r\n\r\n"),
    "after an answer, a byte a second": Holder(_GET + b"\r\n", b"G"),
    "a chunked body, a byte a second": Holder(
        _POST + b"Transfer-Encoding: chunked\r\n\r\n1;", b"z"
    ),
    "a refused body, a byte a second": Holder(
        b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{", b" "
    ),
}


class Held(NamedTuple):
    """How a server came through."""

    left: int
    """Connections that were still open in the end."""
    seconds: float
    """Until the last one was closed."""
    served: int
    """Others that were answered meanwhile."""
    failed: int
    """Others that were not."""
    worst: float
    """Seconds that one of them waited at most."""


def hold(port: int, holder: Holder, count: int, patience: float) -> Held:
    """Open connections and hold them, while another sender asks for an answer again and again."""
    began, over, answers = monotonic(), Event(), list[tuple[bool, float]]()
    asking = Thread(target=_ask, args=(port, over, answers))
    held = [_opened(port, holder) for _ in range(count)]
    asking.start()
    last, drips = began, 1
    while held and monotonic() - began < patience:
        sleep(0.1)
        open_yet = [each for each in held if not _is_closed(each)]
        last = monotonic() if len(open_yet) < len(held) else last
        held = open_yet
        if monotonic() - began > drips:
            drips += 1
            for each in held:
                with suppress(OSError):
                    each.send(holder.drip)
    over.set()
    asking.join()
    for each in held:
        each.close()
    waits = [seconds for _, seconds in answers]
    served = sum(fine for fine, _ in answers)
    return Held(len(held), last - began, served, len(answers) - served, max(waits, default=0.0))


def _ask(port: int, over: Event, answers: list[tuple[bool, float]]) -> None:
    while not over.wait(0.1):
        since, heard = monotonic(), None
        with suppress(OSError):
            heard = send(port, _HEALTHY, "GET")
        answers.append((heard is not None and heard.status == 200, monotonic() - since))


def _opened(port: int, holder: Holder) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 30)
    connection.setblocking(False)  # noqa: FBT003 - the library's own
    with suppress(OSError):
        connection.send(holder.first)
    return connection


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other side has closed it; close it here as well then."""
    try:
        closed = not connection.recv(65536)
    except BlockingIOError:
        return False
    except OSError:
        closed = True
    if closed:
        connection.close()
    return closed
