"""Valid requests as tools and proxies send them, byte by byte, and the answer to each.

Each row is a connection of its own: what is sent, and which statuses come back after it.
"""

import gzip
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from time import sleep
from typing import Any, Final, NamedTuple

from tests.patience import PATIENCE
from tests.server.http.table import E21
from tests.server.http.tokens import Kit
from tests.server.http.world import ENTRY, delivery

BOTS: Final = ["st-1", "st 1", "st-ë", "st%31", "st+1", "st-1;v=1", "st%2F1", "st/1"]
TOKEN: Final = Kit("HS256").token({"appId": "cs-1", "bots": BOTS})
SEED: Final = delivery("c-1", ENTRY), "d-1"
"""A delivery that the server has received before, and its id."""
_AUTH: Final = f"auth: {TOKEN}"
_JSON: Final = "Content-Type: application/json"
_CHUNKED: Final = "Transfer-Encoding: chunked"
_PAUSE: Final = 0.05
Steps = tuple[tuple[bytes, tuple[int, ...]], ...]


class Exchange(NamedTuple):
    """A connection: what is sent step by step, and the statuses that come back after each."""

    name: str
    steps: Steps
    half: bool = False
    """Whether the sender closes its half after the last step."""
    may_close: bool = False
    """Whether the first answer may end the connection, if it says so."""

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status that comes back."""
        return tuple(status for _, after in self.steps for status in after)


class Answer(NamedTuple):
    """A status, whether it ends the connection, and the body."""

    status: int
    closes: bool
    body: bytes


def _head(
    path: str = E21,
    *more: str,
    method: str = "POST",
    version: str = "1.1",
    length: int | None = None,
    auth: str = _AUTH,
    media: str = _JSON,
) -> bytes:
    lines = [f"{method} {path} HTTP/{version}", "Host: localhost", auth, media, *more]
    lines += [] if length is None else [f"Content-Length: {length}"]
    return "\r\n".join([*filter(None, lines), "", ""]).encode()


def _post(body: bytes, path: str = E21, *more: str, **changed: Any) -> bytes:
    return _head(path, *more, length=len(body), **changed) + body


def _chunks(body: bytes, size: int = 60, trailer: bytes = b"") -> bytes:
    parts = (body[at : at + size] for at in range(0, len(body), size))
    return (
        b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n%b\r\n" % trailer
    )


def _chunked(body: bytes, *more: str, coding: str = _CHUNKED, **how: Any) -> bytes:
    return _head(E21, coding, *more) + _chunks(body, **how)


_numbers: Final = count(1)


def _body(*, pad: int = 0, bot: str = "st-1") -> bytes:
    """A delivery of a new conversation."""
    return delivery(f"c-new-{next(_numbers)}", ENTRY, bot=bot, note="Zoë" + "x" * pad)


def _fine() -> tuple[bytes, tuple[int, ...]]:
    return _post(_body()), (200,)


def _bodies() -> Iterator[Exchange]:
    def post(name: str, data: bytes, status: int = 200, *, half: bool = False) -> Exchange:
        return Exchange(name, ((data, (status,)),), half)

    yield post("a body with its length", _post(_body()))
    body = _body()
    parts: Steps = (_head(length=len(body)) + body[:40], ()), (body[40:], (200,))
    yield Exchange("a body in two parts", parts)
    yield post("a chunked body", _chunked(_body()))
    chunks = _chunks(_body())
    parts = (_head(E21, _CHUNKED) + chunks[:70], ()), (chunks[70:], (200,))
    yield Exchange("chunks that come later", parts)
    yield post("a coding in capitals", _chunked(_body(), coding=_CHUNKED.upper()))
    trailed = _chunked(_body(), "Trailer: X-Sum", trailer=b"X-Sum: 1\r\n")
    yield post("chunks with a trailer", trailed)
    body = _body()
    waiting = _head(E21, "Expect: 100-continue", length=len(body))
    parts = (waiting, (100,)), (body, (200,))
    yield Exchange("a sender that waits for 100 Continue", parts)
    yield Exchange("two at once", ((_post(_body()) + _post(_body()), (200, 200)),))
    yield Exchange("a chunked one after another", (_fine(), (_chunked(_body()), (200,))))
    yield post("220 KB", _post(_body(pad=220_000)))
    yield post("220 KB in chunks", _chunked(_body(pad=220_000), size=16_000))
    yield post("900 KB", _post(_body(pad=900_000)), 413)
    yield post("900 KB in chunks", _chunked(_body(pad=900_000), size=16_000), 413)
    coded = _post(gzip.compress(_body()), E21, "Content-Encoding: gzip")
    yield post("a zipped body", coded, 415)
    yield post("HTTP/1.0", _post(_body(), version="1.0"))
    yield post("HTTP/1.0 without a body", _head(version="1.0"), 400, half=True)
    yield post("no length and no body", _head(), 400)
    yield post("a half that is closed", _post(_body()), half=True)


def _connections() -> Iterator[Exchange]:
    much = _body(pad=220_000)
    bare = _post(_body(), auth="")
    media = _post(_body(), media="Content-Type: text/xml")
    nowhere = _post(_body(), "/nowhere")
    long, chunks = _post(much, auth=""), _head(E21, _CHUNKED, auth="") + _chunks(much, 16_000)
    for name, refused, status in (
        ("no token", bare, 401),
        ("no JSON", media, 415),
        ("no route", nowhere, 404),
        ("much without a token", long, 401),
        ("much without a token, in chunks", chunks, 401),
    ):
        yield Exchange(
            f"a delivery after one with {name}", ((refused, (status,)), _fine()), may_close=True
        )


def _headers() -> Iterator[Exchange]:
    for name, header in {
        "token": f"token: {TOKEN}",
        "a bearer": f"Authorization: Bearer {TOKEN}",
    }.items():
        yield Exchange(f"{name} as credential", ((_post(_body(), auth=header), (200,)),))
    for name, status, more in (
        ("auth twice", 401, (_AUTH,)),
        ("an id", 422, (f"Idempotency-Key: {SEED[1]}",)),
        ("an id twice", 200, ("Idempotency-Key: k",) * 2),
        ("an id in UTF-8", 200, ("Idempotency-Key: Zoë",)),
        ("an underscore in the name of an id", 200, (f"Idempotency_Key: {SEED[1]}",)),
        ("an underscore in another name", 200, ("Content_Type: text/xml",)),
    ):
        yield Exchange(name, ((_post(_body(), E21, *more), (status,)),))
    yield Exchange("no content type", ((_post(_body(), media=""), (200,)),))


def _paths() -> Iterator[Exchange]:
    yield Exchange("HEAD", ((_head(method="HEAD", media=""), (405,)),))
    yield Exchange("OPTIONS", ((_head(method="OPTIONS", media=""), (204,)),))
    yield Exchange("GET", ((_head("/healthz", method="GET", media="", auth=""), (200,)),))
    for name, path, status, bot in (
        ("a slash in the bot", E21.replace("st-1", "st%2F1"), 404, "st/1"),
        ("a slash at the end", f"{E21}/", 200, "st-1"),
        ("a slash more at the beginning", f"/{E21}", 200, "st-1"),
        ("a slash more inside", E21.replace("/v1/", "//v1/"), 200, "st-1"),
        ("a space in the bot", E21.replace("st-1", "st%201"), 200, "st 1"),
        ("UTF-8 in the bot", E21.replace("st-1", "st-%C3%AB"), 200, "st-ë"),
        ("a percent sign in the bot", E21.replace("st-1", "st%2531"), 200, "st%31"),
        ("a plus in the bot", E21.replace("st-1", "st+1"), 200, "st+1"),
        ("a semicolon in the bot", f"{E21};v=1", 200, "st-1;v=1"),
        ("a query", f"{E21}?a=1&b", 200, "st-1"),
        ("a step that is a dot", E21.replace("/v1/", "/./v1/"), 404, "st-1"),
        ("a whole URL", f"http://localhost{E21}", 200, "st-1"),
    ):
        yield Exchange(name, ((_post(_body(bot=bot), path), (status,)),))


EXCHANGES: Final = (*_bodies(), *_connections(), *_headers(), *_paths())
LEFT: Final = _head(length=999) + _body()
"""A request whose sender leaves before its end."""


def exchanged(port: int, exchange: Exchange) -> list[Answer]:
    """Send the steps of an exchange over one connection, and return all answers."""
    answers: list[Answer] = []
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE) as sender,
        sender.makefile("rb") as file,
    ):
        last = len(exchange.steps) - 1
        for number, (data, after) in enumerate(exchange.steps):
            with suppress(OSError):  # a server that has answered already may stop listening
                sender.sendall(data)
                if exchange.half and number == last:
                    sender.shutdown(socket.SHUT_WR)
            if not after:
                sleep(_PAUSE)  # so that the server reads what there is
            for _ in after:
                answer = _read(file, is_head=data.startswith(b"HEAD "))
                if answer is None:
                    return answers
                answers.append(answer)
            if answers and answers[-1].closes:
                return answers
    return answers


def _read(file: Any, *, is_head: bool) -> Answer | None:
    """Read one answer. Return None if the connection was closed instead."""
    try:
        line = file.readline()
        if not line:
            return None
        status, headers = int(line.split()[1]), http.client.parse_headers(file)
        closes = headers.get("connection", "").lower() == "close"
        if is_head or status in (100, 204):
            return Answer(status, closes, b"")
        if headers.get("transfer-encoding"):
            return Answer(status, closes, _joined(file))
        length = headers.get("content-length")
        return Answer(status, closes, file.read(None if length is None else int(length)))
    except OSError:
        return None


def _joined(file: Any) -> bytes:
    parts = []
    while size := int(file.readline(), 16):
        parts.append(file.read(size))
        file.readline()
    file.readline()
    return b"".join(parts)


def is_right(exchange: Exchange, answers: list[Answer], expected: tuple[int, ...]) -> bool:
    """Whether the answers are those expected, and each delivery was read as it was sent."""
    found = tuple(answer.status for answer in answers)
    closed = exchange.may_close and len(answers) == 1 and answers[0].closes
    if found != expected and not (closed and found == expected[:1]):
        return False
    receipts = [json.loads(each.body) for each in answers if each.status == 200]
    return all(
        each == {"status": "ok"}  # of /healthz
        or (each["conversationId"][:6], each["phase"], each["findings"]) == ("c-new-", "active", [])
        for each in receipts
    )
