"""Real servers in processes of their own, and a client that sends exactly the bytes it is given."""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest
from tests.patience import PATIENCE
from tests.server.adapters.fresh import MARK
from tests.server.adapters.transports import headers
from tests.server.http.table import Case

ROOT = Path(__file__).parents[3]
ASGI, WSGI = "tests.server.adapters.fresh:asgi", "tests.server.adapters.fresh:wsgi"

_GUNICORN = ["--bind", "127.0.0.1:{port}", "--log-level", "critical", "--no-control-socket"]
_HOSTING = "tests.server.adapters.hosting"

SERVERS: dict[str, list[str]] = {
    "uvicorn": ["uvicorn", ASGI, "--port", "{port}", "--log-level", "critical"],
    "granian": ["granian", ASGI, "--interface", "asgi", "--port", "{port}", "--no-log", "--no-ws"],
    "hypercorn": ["hypercorn", ASGI, "--bind", "127.0.0.1:{port}", "--log-level", "critical"],
    "gunicorn": ["gunicorn", WSGI, *_GUNICORN],
    "waitress": ["waitress", "--listen=127.0.0.1:{port}", WSGI],
    "gunicorn-asgi": ["gunicorn", ASGI, "-k", "asgi", *_GUNICORN],
    "daphne": ["daphne", "--port", "{port}", "--verbosity", "0", ASGI],
    "cheroot": ["cheroot", "--bind", "127.0.0.1:{port}", WSGI],
    "twisted": [_HOSTING, "twisted", "{port}"],
    "tornado": [_HOSTING, "tornado", "{port}"],
    "eventlet": [_HOSTING, "eventlet", "{port}"],
}


def skip_missing(server: str) -> None:
    """Skip a test of a server that is not installed."""
    package = server.removesuffix("-asgi")
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")


class Heard(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def handed_over(self) -> bool:
        """Whether the server let the application answer."""
        return MARK in self.headers


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], **environment: str) -> Iterator[tuple[int, int]]:
    """Start a server; its port and process id."""
    port = free_port()
    words = [word.format(port=port) for word in command]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *words],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": path} | environment,
            stdout=log,
            stderr=log,
        )
        try:
            _wait(server, port, log)
            yield port, server.pid
        finally:
            server.terminate()
            server.wait(PATIENCE)


def _wait(server: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    while True:
        if server.poll() is not None:
            log.seek(0)
            raise AssertionError(log.read().decode())
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return


def wire(case: Case) -> bytes:
    """The request as it goes over the wire."""
    lines = [f"{case.method} {case.target} HTTP/1.1", "Host: segue.example", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers(case)]
    return "\r\n".join([*lines, "", ""]).encode() + case.body


def send(port: int, data: bytes, method: str = "POST", *, half: bool = False) -> Heard | None:
    """Send bytes and read what comes back; None: the server only closed the connection."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        with suppress(OSError):  # a server that has answered already may stop listening
            connection.sendall(data)
            if half:
                connection.shutdown(socket.SHUT_WR)
        answer: Any = http.client.HTTPResponse(connection, method=method)
        try:
            answer.begin()
            body: bytes = answer.read()
        except (OSError, http.client.HTTPException):
            return None
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Heard(answer.status, found, body)
