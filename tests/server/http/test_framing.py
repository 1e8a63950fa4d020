"""Where a request was sent to, and whether its connection can be kept after the response."""

from typing import Any

import pytest
from tests.server.http import world
from tests.server.http.table import E1, E21, FINE
from tests.server.http.world import SENDS, action

import segue
from segue.server.http import Body, BodyError, Headers, HttpApp, ReadBody, Request, Response
from segue.server.http.request import DrainBody
from segue.server.processor import Effect, drive, perform

SECOND = 64 * 1024
WHOLE = Body(FINE)


def ask(
    *headers: tuple[str, str],
    body: Body = WHOLE,
    rest: Body | None = None,
    method: str = "POST",
    path: str = E21,
    **more: Any,
) -> tuple[Response, list[ReadBody]]:
    """The response to a request, and what was asked for of its body."""
    asked: list[ReadBody] = []

    def performing(effect: Effect[Any]) -> Any:
        if isinstance(effect, DrainBody):
            asked.append(effect)
            assert rest is not None
            return rest
        if isinstance(effect, ReadBody):
            asked.append(effect)
            return body
        return perform(effect)

    request = Request(method, path, Headers([("host", "localhost"), *headers]), **more)
    app = world.app(world.processor())
    return drive(app.handle(request), performing), asked


def announced(size: int) -> tuple[str, str]:
    return "content-length", str(size)


TOKEN, CHUNKED = ("auth", SENDS), ("transfer-encoding", "chunked")
END, MORE = Body(b"x"), Body(b"x" * SECOND, BodyError.TOO_LARGE)


@pytest.mark.parametrize("length", [announced(len(FINE)), CHUNKED])
def test_a_body_that_was_read_to_its_end_keeps_the_connection(length: tuple[str, str]) -> None:
    response, asked = ask(TOKEN, length)

    assert (response.status, response.closes) == (200, False)
    assert [type(each) for each in asked] == [ReadBody]


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
@pytest.mark.parametrize("length", [(), (announced(0),), (("content-length", ""),)])
def test_a_request_without_a_body_keeps_the_connection(
    method: str, length: tuple[tuple[str, str], ...]
) -> None:
    for path in ("/healthz", "/nowhere"):
        response, asked = ask(*length, method=method, path=path)

        assert (response.closes, asked) == (False, [])


@pytest.mark.parametrize("length", [announced(1), announced(SECOND), CHUNKED])
@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/nowhere", (TOKEN,), 404),
        ("/healthz", (TOKEN,), 405),
        (E21, (), 401),
        (E21, (TOKEN, ("content-encoding", "gzip")), 415),
        (E21.replace("st-1", "st-9"), (TOKEN,), 403),
    ],
)
@pytest.mark.parametrize(("rest", "closes"), [(END, False), (MORE, True)])
def test_the_rest_of_a_refused_body_is_read_if_it_is_short(
    length: tuple[str, str],
    path: str,
    headers: tuple[tuple[str, str], ...],
    status: int,
    *,
    rest: Body,
    closes: bool,
) -> None:
    response, asked = ask(length, *headers, path=path, rest=rest)

    assert (response.status, response.closes) == (status, closes)
    assert asked == [DrainBody(SECOND, 1.0)]


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (401, (announced(SECOND + 1),)),
        (413, (TOKEN, announced(262_145))),
        (400, (TOKEN, announced(5), CHUNKED)),
        (400, (TOKEN, announced(5), ("transfer-encoding", ""))),
        (400, (TOKEN, ("content-length", "5, 5"))),
        (401, (announced(5), ("expect", "100-continue"))),
        (401, (CHUNKED, ("expect", "100-continue"))),
    ],
)
def test_what_is_long_or_unclear_or_need_not_come_is_not_read(
    status: int, headers: tuple[tuple[str, str], ...]
) -> None:
    response, asked = ask(*headers)

    assert (response.status, response.closes, asked) == (status, True, [])


def test_options_and_head_do_not_leave_a_body_behind() -> None:
    for method in ("OPTIONS", "HEAD"):
        response, _ = ask(announced(SECOND + 1), method=method)
        assert (response.closes, response.body) == (True, b"")


@pytest.mark.parametrize(("rest", "closes"), [(END, False), (MORE, True)])
def test_a_body_that_turns_out_too_large_may_be_near_its_end(*, rest: Body, closes: bool) -> None:
    response, asked = ask(TOKEN, CHUNKED, body=MORE, rest=rest)

    assert (response.status, response.closes) == (413, closes)
    assert [type(each) for each in asked] == [ReadBody, DrainBody]


@pytest.mark.parametrize(
    ("error", "status"),
    [(BodyError.TOO_SLOW, 408), (BodyError.CUT_OFF, 400), (BodyError.NO_LENGTH, 411)],
)
def test_what_did_not_come_before_is_not_waited_for_again(error: BodyError, status: int) -> None:
    response, asked = ask(TOKEN, CHUNKED, body=Body(b"", error))

    assert (response.status, response.closes, len(asked)) == (status, True, 1)


def test_a_chunked_body_that_is_empty_may_have_been_lost() -> None:
    for path in (E21, E1):
        response, _ = ask(TOKEN, CHUNKED, body=Body(b""), path=path)
        assert (response.status, response.closes) == (411, True)

    response, _ = ask(TOKEN, body=Body(b""))
    assert (response.status, response.closes) == (400, False)


def test_a_whole_url_is_taken_and_its_host_counts() -> None:
    auth = segue.NoAuth(["desk.example"])
    app = HttpApp(world.processor(), auth=auth, report_schema=dict)
    found = {}
    for url in ("http://desk.example", "HTTPS://DESK.example:8443", "http://x@desk.example",
                "http://evil.example", "http://desk.example@evil.example", "http://"):  # fmt: skip
        for host in ("desk.example", "evil.example"):
            request = Request("POST", url + E21, Headers([("Host", host), announced(len(FINE))]))
            response = drive(app.handle(request), _body)
            found[url, host] = response.status

    assert {key for key, status in found.items() if status == 200} == {
        (url, host)
        for url in ("http://desk.example", "HTTPS://DESK.example:8443", "http://x@desk.example")
        for host in ("desk.example", "evil.example")
    }
    assert set(found.values()) == {200, 421}


def _body(effect: Effect[Any]) -> Any:
    return WHOLE if isinstance(effect, ReadBody) else perform(effect)


@pytest.mark.parametrize(
    ("path", "mount", "status"),
    [
        ("http://x/healthz", "", 200),
        ("http://x/desk/healthz", "/desk", 200),
        ("http://x/healthz", "/desk", 200),
        ("http://x/deskhealthz", "/desk", 404),
        ("http://x", "", 404),
        ("http:/healthz", "", 404),
        ("healthz", "", 404),
        ("//healthz", "", 404),
        ("ftp://x/healthz", "", 404),
        ("/http://x/healthz", "", 404),
    ],
)
def test_a_whole_url_is_taken_below_the_mount(path: str, mount: str, status: int) -> None:
    assert ask(method="GET", path=path, mount=mount)[0].status == status


def test_more_slashes_lead_to_the_same_place() -> None:
    many = [{"name": "x"}] * 200
    answers = [
        ask(TOKEN, body=Body(world.delivery("c-new", *many)), path=path, mount="/m")[0].body
        for path in (E21, f"//{E21}", E21.replace("/", "//"), f"{E21}/", f"{E21}//")
    ]

    assert b'"read":"/m/conversations/c-new?' in answers[0]
    assert len(set(answers)) == 1


@pytest.mark.parametrize("bot", ["st/1", "st%2F1", "st%2f1", "", "/"])
def test_a_bot_id_has_no_slash(bot: str) -> None:
    assert ask(TOKEN, path=E21.replace("st-1", bot))[0].status == 404


def test_an_action_finds_its_conversation_after_more_slashes() -> None:
    ended = Body(action("end"))
    response, _ = ask(TOKEN, path=f"{E1}/", query="conversationId=c-open", body=ended)

    assert response.status == 200


def test_a_header_with_an_underscore_is_nobody_s() -> None:
    used = ("Idempotency_Key", "d-1"), ("Content_Length", "99999999"), ("Content_Type", "text/xml")

    assert ask(TOKEN, *used)[0].status == 200
    assert ask(TOKEN, ("Idempotency-Key", "d-1"))[0].status == 422
    assert ask(("Auth_", SENDS), ("_auth", SENDS))[0].status == 401
