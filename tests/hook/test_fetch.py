"""Fetching keys over a real socket: what is followed, and how much is taken."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from segue.hook.jwt import FetchKeys
from segue.hook.jwt.fetch import fetch


class _Keys(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
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
def serving(answers: dict[str, tuple[int, dict[str, str], bytes]]) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Keys)
    server.answers = answers  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_document_is_fetched() -> None:
    with serving({"/keys": (200, {}, json.dumps({"keys": []}).encode())}) as url:
        assert FetchKeys(f"{url}/keys", fetch).perform() == {"keys": []}


@pytest.mark.parametrize(
    "answer",
    [
        (302, {"Location": "/keys"}, b""),
        (404, {}, b"{}"),
        (500, {}, b"{}"),
        (200, {}, b" " * (1024 * 1024 + 1)),
        (200, {}, b"not json"),
        (200, {"Content-Length": "10"}, b'{"keys":'),
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
        "no HTTP",
        "nothing",
        "a long header",
    ],
)
def test_anything_else_is_no_document(answer: tuple[int, dict[str, str], bytes]) -> None:
    with serving({"/odd": answer, "/keys": (200, {}, b'{"keys":[]}')}) as url:
        assert FetchKeys(f"{url}/odd", fetch).perform() is None


def test_nobody_there_is_no_document() -> None:
    with serving({}) as url:
        pass

    assert FetchKeys(f"{url}/keys", fetch).perform() is None
