"""The ASGI adapter alone, with a core that records."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.server.adapters.recording import Recorder
from tests.server.adapters.transports import scope, through_asgi
from tests.server.http import world
from tests.server.http.table import Case

import segue
from segue.server.adapters.asgi_app import AsgiApp
from segue.server.http import Authenticator, Body, BodyError
from segue.server.inspector.page import inspector_page
from segue.server.processor import Processor

CASE = Case("", 200, None, "POST", "/a/b%20c?x=%31", (("Auth", "t"), ("auth", "u")), b"{}")


def processor() -> Processor:
    return segue.Processor(store=segue.MemoryStore())


def run(recorder: Recorder, waiting: Iterable[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    messages = iter(waiting)

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    app = AsgiApp(recorder.hook, processor())
    asyncio.run(app({**scope(CASE), **more}, receive, send))
    return sent


def part(data: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": data, "more_body": more}


@pytest.mark.parametrize(
    ("root", "path", "inside", "mount"),
    [
        ("", "/a", "/a", ""),
        ("/m", "/m/a", "/a", "/m"),
        ("/m", "/a", "/a", "/m"),  # servers that leave it out of the path
        ("/m/", "/m/a", "/a", "/m"),
        ("/m", "/mm/a", "/mm/a", "/m"),
        ("/m", "/m", "/m", "/m"),
        ("/X", "/X/a", "/a", "/X"),
        ("/m/n", "/m/n/m/n", "/m/n", "/m/n"),
    ],
)
def test_the_place_where_it_is_mounted_is_taken_off_the_path(
    root: str, path: str, inside: str, mount: str
) -> None:
    recorder = Recorder()
    run(recorder, (), root_path=root, path=path)

    assert (recorder.request.path, recorder.request.mount) == (inside, mount)


def test_a_request_is_handed_over_as_it_came() -> None:
    recorder = Recorder()
    run(recorder, ())

    request = recorder.request
    assert (request.method, request.path, request.query) == ("POST", "/a/b c", "x=%31")
    assert request.headers.get("auth") == "t,u"
    assert request.headers.get("content-length") == "2"
    assert request.parameters() == {"x": ("1",)}


def test_a_scope_without_query_and_root_is_understood() -> None:
    recorder, found = Recorder(), scope(CASE)
    del found["query_string"], found["root_path"]
    app = AsgiApp(recorder.hook, processor())

    async def nothing(*_: Any) -> Any:
        return None

    asyncio.run(app(found, nothing, nothing))

    assert (recorder.request.query, recorder.request.mount) == ("", "")


def test_an_answer_is_two_messages_with_names_in_lower_case() -> None:
    start, body = run(Recorder(), ())

    assert (start["type"], start["status"]) == ("http.response.start", 200)
    assert start["headers"] == [(b"content-length", b"2"), (b"x-one", b"\xe9")]
    assert body == {"type": "http.response.body", "body": b"ok"}


@pytest.mark.parametrize(
    ("scope", "sent"),
    [
        ({"http_version": "1.1"}, [(b"connection", b"close")]),
        ({"http_version": "1.0"}, [(b"connection", b"close")]),
        ({"http_version": "2"}, []),
        ({"http_version": "3"}, []),
        ({"http_version": "1.1", "wsgi_environ": {}}, []),  # a2wsgi: PEP 3333 forbids the header
    ],
)
def test_a_connection_that_cannot_be_kept_is_closed_where_there_is_a_header_for_it(
    scope: dict[str, Any], sent: list[tuple[bytes, bytes]]
) -> None:
    recorder = Recorder()
    assert run(recorder, (), **scope)[0]["headers"][2:] == []

    recorder.closes = True
    assert run(recorder, (), **scope)[0]["headers"][2:] == sent


def test_a_core_that_asks_for_no_body_is_given_none() -> None:
    assert len(run(Recorder(), ())) == 2  # receiving would raise


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=8))
def test_how_a_body_is_cut_into_parts_changes_nothing(data: bytes, cuts: list[int]) -> None:
    """Any parts of a body give the same body."""
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    parts = [data[a:b] for a, b in pairwise(places)]
    waiting = [part(each, more=True) for each in parts] + [part(b"", more=False)]

    recorder = Recorder(limit=200)
    run(recorder, waiting)

    expected = Body(data) if len(data) <= 200 else Body(data[:200], BodyError.TOO_LARGE)
    assert recorder.body == expected


def test_a_message_without_a_body_ends_it() -> None:
    recorder = Recorder(limit=10)
    run(recorder, [part(b"a", more=True), {"type": "http.request"}])

    assert recorder.body == Body(b"a")


def test_no_more_is_received_than_is_allowed() -> None:
    taken = []

    def endless() -> Iterable[dict[str, Any]]:
        while True:
            taken.append(1)
            yield part(b"x" * 1000, more=True)

    recorder = Recorder(limit=2500)
    run(recorder, endless())

    assert recorder.body == Body(b"x" * 2500, BodyError.TOO_LARGE)
    assert len(taken) == 3


def test_a_sender_that_goes_away_leaves_a_body_cut_off() -> None:
    recorder = Recorder(limit=10)
    run(recorder, [part(b"{", more=True), {"type": "http.disconnect"}])

    assert recorder.body == Body(b"{", BodyError.CUT_OFF)


def test_a_body_that_takes_too_long_is_given_up() -> None:
    recorder = Recorder(limit=10, seconds=0.001)

    async def main() -> None:
        waiting = [part(b"{", more=True)]

        async def receive() -> Any:
            return waiting.pop() if waiting else await asyncio.Event().wait()

        async def send(_: Any) -> None:
            return

        await AsgiApp(recorder.hook, processor())(scope(CASE), receive, send)

    asyncio.run(main())

    assert recorder.body == Body(b"{", BodyError.TOO_SLOW)


def test_a_request_that_is_cancelled_lets_go_of_everything() -> None:
    recorder = Recorder(limit=10)

    async def main() -> None:
        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(_: Any) -> None:
            raise AssertionError("answered")

        app = AsgiApp(recorder.hook, processor())
        task = asyncio.ensure_future(app(scope(CASE), receive, send))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())

    assert recorder.closed


def test_an_answer_nobody_waits_for_is_forgotten() -> None:
    async def main() -> None:
        async def gone(*_: Any) -> Any:
            raise ConnectionResetError

        await AsgiApp(Recorder().hook, processor())(scope(CASE), gone, gone)

    asyncio.run(main())


def test_other_protocols_are_the_hosts_mistake() -> None:
    with pytest.raises(segue.ConfigurationError, match="webtransport"):
        run(Recorder(), (), type="webtransport")


def test_a_websocket_is_closed_before_it_opens() -> None:
    sent = list[Any]()

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(AsgiApp(Recorder().hook, processor())({"type": "websocket"}, receive, send))

    assert sent == [{"type": "websocket.close"}]


def test_a_websocket_whose_sender_has_gone_raises_nothing() -> None:
    async def gone(*_: Any) -> Any:
        raise ConnectionResetError

    asyncio.run(AsgiApp(Recorder().hook, processor())({"type": "websocket"}, gone, gone))


class _Store(segue.MemoryStore):
    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.error, self.life = error, list[str]()

    def migrate(self) -> None:
        self.life.append("migrate")
        if self.error is not None:
            raise self.error
        super().migrate()

    def close(self) -> None:
        self.life.append("close")
        super().close()


def live(store: _Store) -> list[str]:
    app = segue.asgi(segue.Processor(store=store), auth=segue.NoAuth())
    events: list[str] = []

    async def receive() -> Any:
        events.append(f"store: {','.join(store.life)}")
        return {"type": "lifespan"}

    async def send(message: Any) -> None:
        events.append(message["type"])

    asyncio.run(app({"type": "lifespan"}, receive, send))
    return events


def test_the_lifespan_starts_and_stops_the_processor() -> None:
    store = _Store()

    assert live(store) == [
        "store: ",
        "lifespan.startup.complete",
        "store: migrate",
        "lifespan.shutdown.complete",
    ]
    assert store.life == ["migrate", "close"]


def test_a_store_that_is_away_does_not_keep_the_server_from_starting() -> None:
    assert "lifespan.startup.complete" in live(_Store(segue.errors.StoreUnavailable("gone")))


def test_a_store_of_a_newer_segue_keeps_the_server_from_starting() -> None:
    store, events = _Store(segue.errors.SchemaTooNew("newer")), list[Any]()
    app = segue.asgi(segue.Processor(store=store), auth=segue.NoAuth())

    async def receive() -> Any:
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        events.append(message)

    asyncio.run(app({"type": "lifespan"}, receive, send))

    assert events == [{"type": "lifespan.startup.failed", "message": "newer"}]


@pytest.mark.parametrize("adapter", [segue.asgi, segue.wsgi, segue.server.aws_lambda])
def test_nobody_is_let_in_by_forgetting_to_say_who(adapter: Callable[..., object]) -> None:
    with pytest.raises(
        segue.ConfigurationError,
        match=r"^`auth` is missing: use segue\.JwtAuth\(secret=…\), your own authenticator, or "
        r"segue\.NoAuth\(\) if every client that reaches the server may send$",
    ):
        adapter(processor())


@pytest.mark.parametrize(
    ("auth", "read", "asks"),
    [
        (segue.NoAuth(), True, False),
        (world.AUTH, True, True),
        (world.AUTH, segue.NoAuth(), False),
        (segue.NoAuth(), world.AUTH, True),
    ],
)
def test_the_inspector_asks_for_a_token_where_readers_need_one(
    auth: Authenticator, *, read: Authenticator | bool, asks: bool
) -> None:
    app = segue.asgi(processor(), auth=auth, read=read, inspector=True)
    answer = through_asgi(app, Case("", 200, None, "GET", "/inspect", (), b""))
    page, policy = inspector_page(asks_for_token=asks)

    assert answer.body == page
    assert answer.headers["content-security-policy"] == f"{policy}; frame-ancestors 'none'"


@pytest.mark.parametrize("prefix", ["/a{botId}", "/{", "/a b", "/a//b", "/a?b", "/a%20", "/a\n"])
def test_a_prefix_is_a_path(prefix: str) -> None:
    with pytest.raises(segue.ConfigurationError, match="`prefix` must be a path of letters"):
        segue.asgi(processor(), auth=segue.NoAuth(), prefix=prefix)


@pytest.mark.parametrize("prefix", ["segue", "/segue/", "/", "segue/"])
def test_a_prefix_begins_with_a_slash_and_does_not_end_with_one(prefix: str) -> None:
    with pytest.raises(segue.ConfigurationError, match="prefix"):
        segue.asgi(processor(), auth=segue.NoAuth(), prefix=prefix)
