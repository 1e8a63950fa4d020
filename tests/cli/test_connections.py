"""Senders that hold on to connections of `segue serve`: closed in time, and others are served."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPResponse
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from tests.cli.server import Serving
from tests.patience import PATIENCE
from tests.server.adapters.holders import HOLDERS, hold
from tests.server.adapters.servers import send
from tests.server.http.world import ENTRY, delivery
from uvicorn.server import ServerState

from segue.cli.connections import Connections
from segue.cli.server import FailureLog

E21 = b"POST /agentdesk/api/v1/hooks/st-1 HTTP/1.1\r\nHost: localhost\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@contextmanager
def serving(folder: Path, *options: str, descriptors: int = 0) -> Iterator[tuple[int, Serving]]:
    """A server without authentication, perhaps with few descriptors."""
    with Serving(
        folder, "--no-auth", "--store=memory", "--quiet", *options, descriptors=descriptors
    ) as server:
        assert server.url
        yield int(server.url.rpartition(":")[2]), server


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["silence", "a body, a byte a second"])
def test_a_thousand_held_connections_on_256_descriptors(tmp_path: Path, kind: str) -> None:
    with serving(tmp_path, descriptors=256) as (port, server):
        held = hold(port, HOLDERS[kind], 1000, PATIENCE)
        server.process.terminate()
        log = server.err.read()

    assert (held.left, held.failed) == (0, 0)
    assert held.served
    assert len(log.splitlines()) <= held.seconds


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOLDERS)
def test_every_way_to_hold_a_thousand_connections(tmp_path: Path, kind: str) -> None:
    with serving(tmp_path, descriptors=256) as (port, _):
        held = hold(port, HOLDERS[kind], 1000, PATIENCE)

    assert (held.left, held.failed) == (0, 0)


@pytest.mark.thorough
def test_every_way_to_hold_a_connection_ends(tmp_path: Path) -> None:
    """Each way on a few connections, with no need for their descriptors."""
    with serving(tmp_path) as (port, _):
        for kind in ("half a head", "after an answer, a byte a second"):
            held = hold(port, HOLDERS[kind], 3, PATIENCE)
            assert held.left == 0
            assert held.seconds > 4


@pytest.mark.thorough
def test_a_sender_that_does_not_read_its_answers_is_given_up(tmp_path: Path) -> None:
    asked = (HEALTH.replace(b"healthz", b"openapi.json") + b"\r\n") * 100
    with serving(tmp_path) as (port, _), socket.create_connection(("127.0.0.1", port)) as unread:
        unread.settimeout(0.2)
        assert _is_cut(unread, asked, PATIENCE)


def _is_cut(connection: socket.socket, data: bytes, seconds: float) -> bool:
    """Whether the other side closes a connection while it is sent to, and never read from."""
    end = monotonic() + seconds
    while monotonic() < end:
        try:
            connection.send(data)
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


@pytest.mark.thorough
def test_an_idle_connection_is_used_again(tmp_path: Path) -> None:
    body = delivery("c-1", ENTRY)
    post = E21 + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    with serving(tmp_path) as (port, _), socket.create_connection(("127.0.0.1", port)) as sender:
        for pause in (0.0, 5.5):  # longer than a head may take
            sleep(pause)
            sender.sendall(post * 3)
            answers = b""
            while answers.count(b'"duplicate":false') < 3:
                part = sender.recv(65536)
                assert part
                answers += part
            assert answers.count(b"HTTP/1.1 200 OK") == 3


def test_a_body_that_is_refused_unread_gets_its_answer(tmp_path: Path) -> None:
    huge = E21 + b"Content-Length: 67108864\r\n\r\n" + b" " * 1_000_000
    with serving(tmp_path) as (port, _):
        heard = send(port, huge)

    assert heard is not None
    assert heard.status == 413


def test_a_sender_that_closes_its_half_is_answered(tmp_path: Path) -> None:
    body = delivery("c-1", ENTRY)
    post = E21 + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    with serving(tmp_path, f"--store=sqlite:{tmp_path / 'segue.db'}") as (port, _):
        heard = [send(port, post, half=True) for _ in range(20)]
        two = _all(port, post + post)
        half = _all(port, post + post[:-1])
        none = _all(port, post[:60])

    assert [each.status for each in heard if each] == [200] * 20
    assert (two.count(b"HTTP/1.1 200 OK"), half.count(b"HTTP/1.1 ")) == (2, 1)
    assert none == b""


def _all(port: int, data: bytes) -> bytes:
    """Everything that comes back after half of the connection was closed."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as sender:
        sender.sendall(data)
        sender.shutdown(socket.SHUT_WR)
        found = b""
        while part := sender.recv(65536):
            found += part
        return found


def test_a_refused_request_leaves_the_connection_usable_or_says_that_it_does_not(
    tmp_path: Path,
) -> None:
    long = b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n"
    short = long.replace(b"70000", b"60000")
    chunked = long.replace(b"Content-Length: 70000", b"Transfer-Encoding: chunked")
    kept = {
        "short": short + b"x" * 60_000,
        "chunked": chunked + b"fa0\r\n" + b"x" * 4000 + b"\r\n0\r\n\r\n",
    }
    closed = {
        "long": long + b"x" * 70_000,
        "slow": short + b"x",
        "both": chunked.replace(b"\r\n\r\n", b"\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"),
        "waiting": short.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"),
    }
    with serving(tmp_path) as (port, server):
        found = {name: _two(port, data) for name, data in (kept | closed).items()}
        server.process.terminate()
        log = server.err.read()

    refused = dict.fromkeys(("short", "chunked", "long", "slow", "waiting"), 404) | {"both": 400}
    assert {name: first for name, (first, _, _) in found.items()} == refused
    assert {name for name, (_, closes, _) in found.items() if closes} == set(closed)
    assert {name: then for name, (_, closes, then) in found.items() if not closes} == {
        "short": 200,
        "chunked": 200,
    }
    assert log == ""


def _two(port: int, data: bytes) -> tuple[int, bool, int | None]:
    """The status of an answer, whether it ends the connection, and the status of the next one."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as sender:
        sender.sendall(data)
        first = HTTPResponse(sender)
        first.begin()
        first.read()
        if first.will_close:
            assert sender.recv(1) == b""
            return first.status, True, None
        sender.sendall(HEALTH + b"\r\n")
        second = HTTPResponse(sender)
        second.begin()
        return first.status, False, second.status


BAD_CHUNK = b"Transfer-Encoding: chunked\r\n\r\nnot a size\r\n"
NO_HTTP = (
    (E21 + BAD_CHUNK,),
    (HEALTH.replace(b"GET", b"POST") + BAD_CHUNK,),
    (E21 + BAD_CHUNK[:-12], BAD_CHUNK[-12:]),
    (HEALTH + b"\r\nno request\r\n\r\n",),
    (b"no request\r\n\r\n",),
)


def test_what_is_no_http_is_answered_and_writes_no_line(tmp_path: Path) -> None:
    answers = []
    with serving(tmp_path) as (port, server):
        for parts in NO_HTTP * 2:
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as sender:
                for part in parts:
                    sender.sendall(part)
                    sleep(0.02)
                answers.append(b"".join(iter(partial(sender.recv, 65536), b"")))
        server.process.terminate()
        log = server.err.read()

    assert [each for each in answers if b"HTTP/1.1 400 " not in each] == []
    assert log == ""


def test_an_error_in_the_middle_of_an_answer_ends_the_connection() -> None:
    """Uvicorn answers what is not HTTP, which h11 does not allow while another answer is sent."""

    class Transport(asyncio.Transport):
        aborted = 0

        def abort(self) -> None:
            self.aborted += 1

        def is_closing(self) -> bool:
            return bool(self.aborted)

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        return

    async def main() -> int:
        config = uvicorn.Config(app, log_config=None)
        config.load()
        connection = Connections().protocol(config, ServerState(), {})
        transport = Transport()
        connection.connection_made(transport)
        connection._inner.conn.send_failed()  # noqa: SLF001 - as if an answer had been cut
        connection.data_received(b"no request\r\n\r\n")
        connection.connection_lost(None)
        return transport.aborted

    assert asyncio.run(main()) == 1


def test_a_websocket_handshake_opens_nothing_and_leaves_no_trace(tmp_path: Path) -> None:
    upgrade = (
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with serving(tmp_path) as (port, server):
        heard = send(port, b"GET /feed HTTP/1.1\r\nHost: localhost\r\n" + upgrade, "GET")
        server.process.terminate()
        log = server.err.read()

    assert heard is not None
    assert heard.status == 200
    assert "Traceback" not in log


def test_a_body_with_two_lengths_is_refused(tmp_path: Path) -> None:
    two = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with serving(tmp_path) as (port, _):
        for head in (E21, HEALTH):
            heard = send(port, head + two)
            assert heard is not None
            assert heard.status == 400


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="workers are found in /proc")
def test_workers_end_after_their_parent(tmp_path: Path) -> None:
    with Serving(tmp_path, "--no-auth", "--quiet", "--workers=2") as server:
        port = int(server.url.rpartition(":")[2])
        while len(workers := server.workers()) < 2:
            sleep(0.05)
        with socket.create_connection(("127.0.0.1", port)) as waiting:
            waiting.sendall(b"GET /feed?after=now&wait=20 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            sleep(0.5)
            os.kill(server.process.pid, signal.SIGKILL)
            began = monotonic()
            while any(_lives(each) for each in workers):
                sleep(0.05)
                assert monotonic() - began < PATIENCE
        with pytest.raises(OSError, match=r".*"):
            socket.create_connection(("127.0.0.1", port), 5)


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_failures_of_the_loop_are_logged_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    now = 10.0
    loop: Any = SimpleNamespace(time=lambda: now)
    log = FailureLog()
    error = OSError(24, "secret")
    with caplog.at_level(logging.ERROR):
        for _ in range(2048):
            log(loop, {"message": "socket.accept() out of system resource", "exception": error})
        log(loop, {"message": "another"})
        now += 1.0
        log(loop, {"message": "another"})

    told = ["socket.accept() out of system resource", "another", "another"]
    assert caplog.messages == told
