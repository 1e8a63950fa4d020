"""Fetching keys over a real socket: what is followed, and how much is taken."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import chain, repeat
from threading import Thread
from time import monotonic, sleep

import pytest

from segue.server.http.jwt import fetch as fetching
from segue.server.http.jwt.fetch import fetch
from segue.server.http.jwt.jwks import FetchKeys
from segue.server.processor import perform


class _Keys(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.headers["Accept"])  # type: ignore[attr-defined]
        status, headers, body = self.server.answers[self.path]  # type: ignore[attr-defined]
        if status == 0:
            self.wfile.write(body)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(
    answers: dict[str, tuple[int, dict[str, str], bytes]], asked: list[str] | None = None
) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Keys)
    server.answers = answers  # type: ignore[attr-defined]
    server.asked = [] if asked is None else asked  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_document_is_fetched() -> None:
    asked: list[str] = []
    with serving({"/keys": (200, {}, json.dumps({"keys": []}).encode())}, asked) as url:
        assert perform(FetchKeys(f"{url}/keys")) == {"keys": []}

    assert asked == ["application/json"]


@pytest.mark.parametrize(
    "answer",
    [
        (302, {"Location": "/keys"}, b""),
        (404, {}, b"{}"),
        (500, {}, b"{}"),
        (200, {}, b" " * (1024 * 1024 + 1)),
        (200, {}, b"not json"),
        (200, {"Content-Length": "10"}, b'{"keys":'),
        (200, {"Content-Length": "12"}, b'{"keys":[]}'),
        (0, {}, b"HTTP? No.\r\n\r\n"),
        (0, {}, b""),
        (0, {}, b"HTTP/1.1 200 OK\r\n" + b"X: " + b"x" * 100_000),
    ],
    ids=[
        "redirect",
        "404",
        "500",
        "too large",
        "not JSON",
        "cut off",
        "cut off where it is JSON",
        "no HTTP",
        "nothing",
        "a long header",
    ],
)
def test_anything_else_is_no_document(answer: tuple[int, dict[str, str], bytes]) -> None:
    with serving({"/odd": answer, "/keys": (200, {}, b'{"keys":[]}')}) as url:
        assert perform(FetchKeys(f"{url}/odd")) is None


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((200, {}, b"{}".ljust(1024 * 1024 + 1)), "^the document is larger than 1 MiB$"),
        ((0, {}, b"HTTP? No.\r\n\r\n"), "^BadStatusLine$"),
    ],
)
def test_what_goes_wrong_is_one_kind_of_error(
    answer: tuple[int, dict[str, str], bytes], message: str
) -> None:
    with serving({"/odd": answer}) as url, pytest.raises(OSError, match=message):
        fetch(f"{url}/odd", seconds=5)


def test_of_a_document_without_end_little_is_read() -> None:
    """The client goes away long before 64 MiB, whatever lies in the buffers between."""
    sent = 0
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def pour() -> None:
            nonlocal sent
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                while sent < 1024:
                    connection.sendall(b" " * 65536)
                    sent += 1

        thread = Thread(target=pour)
        thread.start()
        with pytest.raises(OSError, match="larger"):
            fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", seconds=5)
        thread.join()

    assert sent < 1024


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(OSError, match="timed"):
        fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", seconds=0.01)


def test_a_document_of_a_mebibyte_is_taken() -> None:
    with serving({"/keys": (200, {}, b"{}".ljust(1024 * 1024))}) as url:
        assert perform(FetchKeys(f"{url}/keys")) == {}


def test_nobody_there_is_no_document() -> None:
    with serving({}) as url:
        pass

    assert perform(FetchKeys(f"{url}/keys")) is None


@contextmanager
def dripping(head: bytes) -> Iterator[str]:
    """A server that sends the beginning of an answer, and then a byte every 20 ms."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.sendall(head)
                while True:
                    connection.sendall(b"x")
                    sleep(0.02)

        thread = Thread(target=drip, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        thread.join(10)
        assert not thread.is_alive(), "the client let go"


@pytest.mark.parametrize(
    "head", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"], ids=["", "head", "body"]
)
def test_a_server_that_drips_is_left_at_the_deadline(head: bytes) -> None:
    began = monotonic()
    with dripping(head) as url, pytest.raises(OSError, match=r".*"):
        fetch(url, seconds=0.3)

    assert monotonic() - began > 0.2


@pytest.mark.parametrize("times", [(0.0, 6.0), (0.0, 1.0, 6.0)], ids=["before", "after"])
def test_a_connection_that_comes_too_late_is_not_used(
    times: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deadline passes while a name is looked up, or while the connection is made."""
    ticks = chain(times, repeat(6.0))
    monkeypatch.setattr(fetching, "monotonic", lambda: next(ticks))
    asked = list[str]()
    with (
        serving({"/keys": (200, {}, b"{}")}, asked) as url,
        pytest.raises(TimeoutError, match="timed out"),
    ):
        fetch(f"{url}/keys", seconds=5)

    assert asked == []
