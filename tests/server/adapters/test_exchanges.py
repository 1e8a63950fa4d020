"""Valid requests over sockets, through the servers people use.

Servers that are not installed are skipped.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import pytest
from tests.server.adapters.exchanges import EXCHANGES, LEFT, SEED, TOKEN, exchanged, is_right
from tests.server.adapters.servers import SERVERS, running, send, skip_missing
from tests.server.http.table import E21
from tests.server.http.tokens import SECRET

SERVE: Final = ["segue", "serve", "--port", "{port}", "--store", "memory:", "--quiet"]
GONE: Final = ()
_HALF: Final = {"a half that is closed": GONE, "HTTP/1.0 without a body": GONE}
"""Servers that take the end of what a sender sends for the end of the connection.

Whether they answer before they notice is a matter of chance.
"""
_UNDERSCORE: Final = {"an underscore in the name of an id": (422,)}
"""Servers that pass an underscore as a hyphen."""

OWN: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    "granian": _HALF,
    "gunicorn": {  # one request a connection, and the answer says so
        "two at once": (200,),
        "a chunked one after another": (200,),
    },
    "gunicorn-asgi": _HALF,
    "daphne": {"a half that is closed": GONE},
    "cheroot": {
        **_UNDERSCORE,
        "an underscore in another name": (415,),
        "auth twice": (200,),  # only the last of repeated headers is passed on
        "a slash more at the beginning": (400,),  # taken for a URL
        "a whole URL": (400,),  # refused unless it is a proxy
    },
    "twisted": {
        **_HALF,
        **_UNDERSCORE,
        "a whole URL": (404,),  # passed on as /ttp://…
    },
    "tornado": {
        **_HALF,
        **_UNDERSCORE,
        "chunks with a trailer": (400,),
    },
}
"""Rows that a server answers or spoils itself, with the statuses that come back."""


@contextmanager
def started(server: str) -> Iterator[int]:
    """Start a server that has received the seed, and yield its port."""
    if server != "segue serve":
        skip_missing(server)
        with running(SERVERS[server]) as (port, _):
            yield port
        return
    with running([*SERVE, "--bots", "bots"], SEGUE_SECRET=SECRET) as (port, _):
        body, name = SEED
        lines = f"POST {E21} HTTP/1.1", "Host: x", f"auth: {TOKEN}", f"Idempotency-Key: {name}"
        head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])
        heard = send(port, head.encode() + body)
        assert heard is not None
        assert heard.status == 200
        yield port


def test_the_table_has_enough_rows_and_no_name_twice() -> None:
    names = {each.name for each in EXCHANGES}

    assert len(EXCHANGES) == len(names) >= 41
    assert {name for own in OWN.values() for name in own} <= names


@pytest.mark.thorough
@pytest.mark.parametrize("server", [*SERVERS, "segue serve"])
def test_a_valid_request_is_answered_right(server: str) -> None:
    own, wrong = OWN.get(server, {}), []
    with started(server) as port:
        send(port, LEFT, half=True)  # who leaves early harms nobody
        for exchange in EXCHANGES:
            answers = exchanged(port, exchange)
            allowed = exchange.statuses, own.get(exchange.name, exchange.statuses)
            if not any(is_right(exchange, answers, each) for each in allowed):
                wrong.append((exchange.name, exchange.statuses, answers))

    assert wrong == []
