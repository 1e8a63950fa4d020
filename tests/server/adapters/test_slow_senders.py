"""Senders that hold on to their connections: they are given up, and nobody waits for them."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import uvicorn
from tests.server.adapters.servers import send, wire
from tests.server.http import world
from tests.server.http.table import E21, HEADERS, Case
from tests.server.http.world import ENTRY, delivery

import segue
from segue.server.http import RequestLimits

SLOW = 100


@contextmanager
def serving(seconds: float) -> Iterator[int]:
    """A server in this process, which gives a sender so many seconds for a body."""
    app = segue.asgi(
        world.processor(), auth=world.AUTH, limits=RequestLimits(body_seconds=seconds), observers=()
    )
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2 * SLOW)
        config = uvicorn.Config(app, log_level="critical")
        server = uvicorn.Server(config)
        thread = Thread(target=lambda: asyncio.run(server.serve([listener])))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(30)


def healthy(number: int) -> bytes:
    body = delivery(f"c-{number}", ENTRY)
    return wire(Case("", 200, None, "POST", E21, HEADERS, body))


def connect(stack: ExitStack, port: int) -> socket.socket:
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), 30))
    connection.sendall(healthy(0)[:-1])  # all but the end of the body
    return connection


def test_nobody_waits_for_those_who_are_slow() -> None:
    with serving(30.0) as port, ExitStack() as stack:
        held = [connect(stack, port) for _ in range(SLOW)]
        answers = [send(port, healthy(number)) for number in range(20)]
        for connection in held:
            connection.sendall(b"}")
        late = [connection.recv(12) for connection in held]

    assert [answer.status for answer in answers if answer] == [200] * 20
    assert late == [b"HTTP/1.1 200"] * SLOW


def test_those_who_are_too_slow_are_told_so() -> None:
    with serving(0.2) as port, ExitStack() as stack:
        held = [connect(stack, port) for _ in range(SLOW)]
        heads = [connection.recv(12) for connection in held]

    assert heads == [b"HTTP/1.1 408"] * SLOW
