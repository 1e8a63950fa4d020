"""Every row goes through every transport alike, and no answer is more than flaws or an error."""

import asyncio
import gzip
import json
import logging
import socket
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any, NoReturn

import httpx
import httpx2
import pytest
from tests.families import family
from tests.patience import PATIENCE
from tests.platform.client.calling import FIRST, TOKEN, WAYS, calls, use, use_async
from tests.platform.client.recording import BODIES, Recorded, bad_answer, serving
from tests.platform.vectors import DIALECTS

from segue.errors import ConfigurationError
from segue.platform.client import (
    AsyncClient,
    CannotPage,
    Client,
    HttpTransport,
    MemoryTransport,
    PlatformUnreachable,
    ReceivedAnswer,
    RequestRefused,
    SentRequest,
    transports,
)
from segue.platform.requests import build_request
from segue.platform.table import endpoint

LONG = timedelta(seconds=PATIENCE)
BROKEN = ["truncated", "closed", "garbage", "slow", "slow head"]
NO_RESULT = ["html error", "not found", "not utf-8", "redirect", *BROKEN]
BAD = [*BODIES, "redirect", *BROKEN]


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[Recorded]]]:
    with serving(lambda handler: bad_answer(handler, "missing")) as running:
        yield running


@pytest.fixture(scope="module")
def misbehaving() -> Iterator[Callable[[str], str]]:
    told = [""]
    with serving(lambda handler: bad_answer(handler, told[0])) as (url, _):

        def tell(kind: str) -> str:
            told[0] = kind
            return url

        yield tell


@pytest.fixture(scope="module")
def pool() -> Iterator[httpx2.Client]:
    with httpx2.Client() as client:
        yield client


def expected(dialect: str) -> list[tuple[str, dict[str, str], Any]]:
    changed = DIALECTS.get(dialect, {})
    return [changed.get(number, (*FIRST[number][1:],)) for number in FIRST]


@pytest.mark.parametrize("dialect", ["", "reference", "samples"])
@pytest.mark.parametrize("way", WAYS)
def test_every_row_is_sent(way: str, dialect: str, server: tuple[str, list[Recorded]]) -> None:
    url, received = server
    received.clear()

    calls(way, url, list(FIRST), dialect=dialect)

    wanted = expected(dialect)
    assert [(each.target, each.body) for each in received] == [
        (target, body) for target, _, body in wanted
    ]
    for request, (_, headers, _) in zip(received, wanted, strict=True):
        assert [request.headers[name.lower()] for name in headers] == list(headers.values())
        of_token = "token" if dialect == "samples" and "/hooks/" in request.target else "auth"
        assert request.headers[of_token] == TOKEN
        assert request.headers["accept-encoding"] == "identity"
        assert ("content-type" in request.headers) == (request.body is not None)


@pytest.mark.parametrize("dialect", ["", "reference", "samples"])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_every_row_is_sent_in_memory(dialect: str, *, is_async: bool) -> None:
    asked: list[SentRequest] = []

    def answer(request: SentRequest) -> ReceivedAnswer:
        asked.append(request)
        return ReceivedAnswer(200, {}, b"{}")

    options: dict[str, Any] = {"dialect": dialect, "transport": MemoryTransport(answer)}
    for number, (arguments, *_) in FIRST.items():
        if is_async:
            client = AsyncClient("https://h", token=TOKEN, **options)
            asyncio.run(use_async(client, number, arguments))
        else:
            use(Client("https://h", token=TOKEN, **options), number, arguments)

    assert [
        (f"{each.method} {each.target}", json.loads(each.body) if each.body else None)
        for each in asked
    ] == [(target, body) for target, _, body in expected(dialect)]


@family("transport", ["http.client", "httpx2"])
@family("kind", BAD)
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=pytest.mark.thorough if place % 6 else ())
        for place, number in enumerate(FIRST)
    ],
)
def test_a_bad_answer_has_flaws_or_is_one_of_three_errors(
    number: str, kind: str, transport: str, misbehaving: Callable[[str], str], pool: httpx2.Client
) -> None:
    timeout = timedelta(seconds=0.05 if kind in BROKEN else PATIENCE)  # broken ones are tried again
    url = misbehaving(kind)
    given: Any = pool if transport == "httpx2" else HttpTransport(url)
    client = Client(url, token=TOKEN, timeout=timeout, transport=given)
    shown = ""
    try:
        use(client, number, FIRST[number][0])
    except (RequestRefused, PlatformUnreachable, CannotPage) as error:
        shown = "".join(traceback.format_exception(error))

    assert TOKEN not in shown
    assert bool(shown) == (kind in NO_RESULT)


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("way", ["awaited http.client", "awaited httpx2"])
def test_a_bad_answer_that_is_awaited_ends_alike(
    kind: str, way: str, misbehaving: Callable[[str], str]
) -> None:
    timeout = timedelta(seconds=0.05 if kind in BROKEN else PATIENCE)
    shown = ""
    try:
        calls(way, misbehaving(kind), ["E13"], timeout=timeout)
    except (RequestRefused, PlatformUnreachable, CannotPage) as error:
        shown = "".join(traceback.format_exception(error))

    assert TOKEN not in shown
    assert bool(shown) == (kind in NO_RESULT)


@pytest.mark.parametrize("kind", ["slow", "slow head"])
@pytest.mark.parametrize("way", ["http.client", "httpx2", "awaited http.client", "awaited httpx2"])
def test_a_slow_answer_is_given_up_in_time(
    way: str, kind: str, misbehaving: Callable[[str], str]
) -> None:
    with pytest.raises(PlatformUnreachable, match="in time"):
        calls(way, misbehaving(kind), ["E14"], timeout=timedelta(seconds=0.2))


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_is_not_there_is_unreachable(way: str) -> None:
    with serving(lambda handler: bad_answer(handler, "empty")) as (url, _):
        pass

    host = url.removeprefix("http://")
    with pytest.raises(
        PlatformUnreachable, match=rf"^training.start \(E14\): {host}: Connection refused$"
    ):
        calls(way, f"{url}/base", ["E14"], timeout=LONG)


@pytest.mark.parametrize("way", WAYS)
def test_a_host_that_is_not_known_is_named(way: str) -> None:
    with pytest.raises(PlatformUnreachable, match=r"\(E14\): nowhere\.invalid:443: .* .*"):
        calls(way, "https://nowhere.invalid", ["E14"], timeout=LONG)


@pytest.mark.parametrize("way", WAYS)
def test_tls_to_a_server_without_it_is_named(way: str, server: tuple[str, list[Recorded]]) -> None:
    host = server[0].removeprefix("http://")

    with pytest.raises(PlatformUnreachable, match=rf"{host}: \[SSL.*\] ") as caught:
        calls(way, f"https://{host}", ["E2"], timeout=LONG, dialect="reference")

    assert "4930123" not in str(caught.value)


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_that_breaks_off_is_named_by_its_kind(
    way: str, misbehaving: Callable[[str], str]
) -> None:
    url = misbehaving("garbage")

    with pytest.raises(PlatformUnreachable, match=rf"{url.removeprefix('http://')}: \w+$"):
        calls(way, url, ["E14"], timeout=LONG)


@pytest.mark.parametrize("way", ["http.client", "httpx2", "awaited httpx2"])
def test_an_answer_that_is_too_long_is_not_read(
    way: str, misbehaving: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.platform.client.transport.ANSWER_LIMIT", 1_000_000)

    with pytest.raises(PlatformUnreachable, match="longer than"):
        calls(way, misbehaving("5 MB"), ["E14"])


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_that_is_too_long_is_not_asked_for_again(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.platform.client.transport.ANSWER_LIMIT", 1_000_000)

    with serving(lambda handler: bad_answer(handler, "5 MB")) as (url, received):
        with pytest.raises(PlatformUnreachable, match="longer than"):
            calls(way, url, ["E13"])
        assert len(received) == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_sends_too_much_is_left_alone(way: str) -> None:
    sent: list[int] = []
    left = Event()
    chunk = b" " * (1024 * 1024)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(64):
                handler.wfile.write(chunk)
                sent.append(1)
        finally:
            left.set()

    with serving(answer) as (url, received):
        with pytest.raises(PlatformUnreachable, match="longer than 16777216 bytes"):
            calls(way, url, ["E13"], timeout=LONG)
        assert left.wait(PATIENCE)
        assert len(received) == 1
    assert 16 <= len(sent) < 48  # MiB, of which the buffers of the sockets hold a few


@pytest.mark.parametrize("way", WAYS)
def test_a_name_server_that_does_not_answer_is_given_up_in_time(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No timeout of a socket covers looking up a host."""
    stop = Event()

    def look_up(*_: object, **__: object) -> NoReturn:
        stop.wait(3)
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(PlatformUnreachable, match="in time"):
        calls(way, "https://platform.example.com", ["E2"], timeout=timedelta(seconds=0.2))
    stop.set()


@pytest.mark.parametrize("way", WAYS)
def test_a_redirect_to_another_host_takes_the_token_nowhere(way: str) -> None:
    with serving(lambda handler: bad_answer(handler, "missing")) as (other, stolen):

        def redirect(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(307)
            handler.send_header("Location", other.replace("127.0.0.1", "localhost") + "/stolen")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with serving(redirect) as (url, received):
            with pytest.raises(RequestRefused, match="redirects are not followed"):
                calls(way, url, ["E2"])
            assert len(received) == 1
        assert stolen == []


def packed(handler: BaseHTTPRequestHandler) -> None:
    body = gzip.compress(gzip.compress(bytes(10_000_000)))
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip, gzip")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_packed_without_being_asked_for_stays_packed(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.platform.client.transport.ANSWER_LIMIT", 1_000_000)

    with serving(packed) as (url, _):
        calls(way, url, ["E13"])


SIGNED = {"bot": "st-1", "target": "tel:+4930123", "caller": "4711",
          "notify_url": "https://us/n?signature=s1gned"}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_no_log_has_what_is_in_the_query(
    way: str, server: tuple[str, list[Recorded]], caplog: pytest.LogCaptureFixture
) -> None:
    url, received = server
    received.clear()
    caplog.set_level(logging.DEBUG)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FIRST, "E2", (SIGNED, *FIRST["E2"][1:]))
        calls(way, url, ["E2"], dialect="reference")

    assert "s1gned" in received[0].target
    assert [each for each in ("s1gned", "4930123", TOKEN) if each in caplog.text] == []
    if "httpx2" in way:
        line = (
            f'HTTP Request: POST {url}/api/1.1/public/bot/st-1/voicedesk/dialout "HTTP/1.0 200 OK"'
        )
        assert line in caplog.messages


def test_the_log_of_other_requests_is_whole(
    server: tuple[str, list[Recorded]], caplog: pytest.LogCaptureFixture
) -> None:
    url, _ = server
    caplog.set_level(logging.INFO)

    with httpx2.Client() as own:
        Client(url, token=TOKEN, transport=own).training.start(bot="st-1")
        own.get(f"{url}/own?page=7")

    assert caplog.messages[-1].startswith(f"HTTP Request: GET {url}/own?page=7 ")


def test_no_repr_of_a_request_has_what_is_in_the_query() -> None:
    built = build_request(endpoint("E2"), SIGNED, dialects="reference")

    path = "/api/1.1/public/bot/st-1/voicedesk/dialout"
    assert "s1gned" in built.target
    assert repr(built) == f"SentRequest(method='POST', target='{path}')"


def test_a_client_of_the_user_keeps_its_own_settings(
    server: tuple[str, list[Recorded]],
) -> None:
    url, received = server
    received.clear()

    with httpx2.Client(headers={"X-Own": "1"}, follow_redirects=True) as own:
        Client(url + "/base/", token=TOKEN, transport=own).training.start(bot="st-1")

    assert received[0].target == "POST /base/api/public/bot/st-1/train"
    assert received[0].headers["x-own"] == "1"


def test_a_client_of_the_user_that_follows_redirects_does_not_here(
    misbehaving: Callable[[str], str],
) -> None:
    url = misbehaving("redirect")

    with (
        httpx2.Client(follow_redirects=True) as own,
        pytest.raises(RequestRefused, match="redirects are not followed"),
    ):
        Client(url, token=TOKEN, transport=own).hours.get(
            org="o", queue="q", account="a", app="st-1"
        )


def test_what_is_no_transport_is_refused_at_once() -> None:
    wrong: Any
    for wrong in (7, httpx.Client(), httpx2.AsyncClient()):
        with pytest.raises(ConfigurationError, match=r"httpx2\.Client.*, got .*\."):
            Client("https://h", token=TOKEN, transport=wrong)
    for wrong in (7, httpx.AsyncClient(), httpx2.Client()):
        with pytest.raises(ConfigurationError, match=r"httpx2\.AsyncClient.*, got .*\."):
            AsyncClient("https://h", token=TOKEN, transport=wrong)


def test_the_standard_library_serves_where_httpx2_is_absent(
    monkeypatch: pytest.MonkeyPatch, server: tuple[str, list[Recorded]]
) -> None:
    monkeypatch.setattr(transports, "find_spec", {}.get)
    monkeypatch.setattr("segue.platform.client.httpx_transport.HttpxTransport", None)
    url, received = server
    received.clear()

    calls("httpx2", url, ["E14"])
    calls("awaited httpx2", url, ["E14"])

    assert [request.target for request in received] == ["POST /api/public/bot/st-1/train"] * 2


def test_an_asgi_application_is_called_in_memory() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        seen.append((scope["method"], scope["path"], scope["query_string"], message["body"]))
        headers = [(b"Content-Type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"_id": ', "more_body": True})
        await send({"type": "http.response.body", "body": b'"fjg-1", "status": "running"}'})

    transport = MemoryTransport.of_asgi(app)
    client = Client("https://h", token=TOKEN, transport=transport)
    awaited = AsyncClient("https://h", token=TOKEN, transport=transport)

    assert client.training.start(bot="st/1").id == "fjg-1"
    assert asyncio.run(awaited.training.get(bot="st-1", job="fjg-1")).status == "running"
    assert seen == [
        ("POST", "/api/public/bot/st/1/train", b"", b"{}"),
        ("GET", "/api/public/bot/st-1/job-group/fjg-1", b"", b""),
    ]


def test_what_answers_nothing_or_not_in_time_is_unreachable() -> None:
    async def silent(*_: Any) -> None:
        """Send nothing."""

    async def asleep(_: SentRequest) -> ReceivedAnswer:
        await asyncio.sleep(60)
        raise AssertionError

    for transport, message in (
        (MemoryTransport.of_asgi(silent), "sent no answer"),
        (MemoryTransport(asleep), "in time"),
    ):
        with pytest.raises(PlatformUnreachable, match=message):
            Client(
                "https://h", token=TOKEN, transport=transport, timeout=timedelta(seconds=0.1)
            ).training.start(bot="st-1")
