"""A server on loopback that records requests and answers as it is told."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

BODIES = {
    "empty": (200, b""),
    "html": (200, b"<html>please log in</html>"),
    "html error": (502, b"<html>bad gateway</html>"),
    "wrong types": (200, b'{"id": [], "name": {}, "results": 1, "status": true, "data": 4}'),
    "other shape": (200, b"[[1]]"),
    "unknown values": (200, b'{"status": "Halted", "results": [], "hasMore": false}'),
    "missing": (200, b"{}"),
    "null": (200, b"null"),
    "large": (200, b'{"results": [' + b'{"id": "x"},' * 5_000 + b'{"id": "y"}]}'),
    "5 MB": (200, b'{"results": [], "hasMore": false, "id": "' + b"x" * 5_000_000 + b'"}'),
    "not found": (404, b'{"message": "no such thing"}'),
    "not utf-8": (500, b"\xff\xfe\x00"),
}


class Recorded(NamedTuple):
    """One request as it arrived."""

    target: str
    headers: dict[str, str]
    body: Any


def bad_answer(handler: BaseHTTPRequestHandler, kind: str) -> None:
    """Answer as no platform should."""
    handler.close_connection = True
    match kind:
        case "redirect":
            handler.send_response(302)
            handler.send_header("Location", "http://127.0.0.1:9/stolen")
            handler.end_headers()
        case "truncated":
            handler.send_response(200)
            handler.send_header("Content-Length", "100")
            handler.end_headers()
            handler.wfile.write(b'{"id": "qu')
        case "closed":
            pass
        case "slow":
            _drip(handler, b"HTTP/1.0 200 OK\r\n\r\n")
        case "slow head":
            _drip(handler, b"HTTP/1.0 200 OK\r\nX: ")
        case "garbage":
            handler.wfile.write(b"NONSENSE\r\n\r\n")
        case _:
            status, body = BODIES[kind]
            handler.send_response(status)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)


def _drip(handler: BaseHTTPRequestHandler, start: bytes) -> None:
    handler.wfile.write(start)
    for _ in range(20):
        handler.wfile.write(b" ")
        time.sleep(0.05)


@contextmanager
def serving(
    answer: Callable[[BaseHTTPRequestHandler], None],
) -> Iterator[tuple[str, list[Recorded]]]:
    """The base URL of a server that answers so, and what it received."""
    received: list[Recorded] = []

    class Handler(BaseHTTPRequestHandler):
        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            value = json.loads(body) if body else None
            received.append(Recorded(f"{self.command} {self.path}", headers, value))
            try:
                answer(self)
            except OSError:
                self.close_connection = True

        do_GET = do_POST = do_PUT = _take  # noqa: N815 - names of the base class

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
