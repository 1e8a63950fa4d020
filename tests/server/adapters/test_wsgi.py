"""The WSGI adapter alone, with a core that records."""

import io
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.server.adapters.recording import Recorder
from tests.server.adapters.transports import environ, through_wsgi
from tests.server.http import world
from tests.server.http.table import Case

from segue.server.adapters.wsgi_app import WsgiApp
from segue.server.http import Body, BodyError

CASE = Case("", 200, None, "POST", "/a/b%20%C3%A9?x=%31", (("Auth", "t"), ("auth", "u")), b"{}")


def run(recorder: Recorder, **changed: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    started: list[Any] = []
    given = {key: value for key, value in (environ(CASE) | changed).items() if value is not None}
    app = WsgiApp(recorder.hook)
    list(app(given, lambda status, headers: started.append((status, headers))))  # type: ignore[arg-type]
    return started


class _Input(io.BytesIO):
    def __init__(self, data: bytes, step: int = 1 << 20) -> None:
        super().__init__(data)
        self.step, self.taken = step, 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0
        data = super().read(min(size, self.step))
        self.taken += len(data)
        return data


class _Broken(io.BytesIO):
    def read(self, _: int | None = -1, /) -> bytes:
        raise ConnectionResetError


def test_a_request_is_handed_over_as_it_came() -> None:
    recorder = Recorder()
    run(recorder)

    request = recorder.request
    assert (request.method, request.path, request.query) == ("POST", "/a/b é", "x=%31")
    assert request.headers.get("auth") == "t,u"
    assert request.headers.get("content-length") == "2"


@pytest.mark.parametrize(
    ("root", "mount"),
    [("", ""), ("/m", "/m"), ("/m/", "/m"), ("/X", "/X"), ("/\u00c3\u00a9", "/é")],
)
def test_the_place_where_it_is_mounted_is_known(root: str, mount: str) -> None:
    recorder = Recorder()
    run(recorder, SCRIPT_NAME=root)

    assert (recorder.request.path, recorder.request.mount) == ("/a/b é", mount)


def test_an_environment_with_the_least_in_it_is_understood() -> None:
    recorder = Recorder(limit=10)
    run(recorder, PATH_INFO=None, QUERY_STRING=None, SCRIPT_NAME=None, CONTENT_LENGTH=None)

    assert (recorder.request.path, recorder.request.query) == ("", "")
    assert recorder.request.mount == ""
    assert recorder.body == Body(b"")


def test_an_answer_has_a_status_line_and_headers() -> None:
    answer = through_wsgi(WsgiApp(Recorder().hook), CASE)

    assert answer.status == 200
    assert answer.headers == {"content-length": "2", "x-one": "é"}
    assert answer.body == b"ok"
    assert run(Recorder())[0][0] == "200 OK"


def test_an_answer_without_a_body_has_no_parts() -> None:
    asked = CASE._replace(method="OPTIONS", target="/healthz")

    assert list(world.wsgi()(environ(asked), lambda *_: None)) == []  # type: ignore[arg-type]


def test_a_core_that_asks_for_no_body_leaves_it_unread() -> None:
    stream = _Input(b"{}")
    run(Recorder(), **{"wsgi.input": stream})

    assert stream.taken == 0


@given(st.binary(max_size=300), st.integers(1, 50))
def test_how_a_body_comes_changes_nothing(data: bytes, step: int) -> None:
    """Any steps a body is read in give the same body."""
    recorder = Recorder(limit=200)
    run(recorder, CONTENT_LENGTH=str(len(data)), **{"wsgi.input": _Input(data, step)})

    expected = Body(data) if len(data) <= 200 else Body(data[:200], BodyError.TOO_LARGE)
    assert recorder.body == expected


@pytest.mark.parametrize("step", [1, 2, 3, 100])
def test_no_more_is_read_than_was_announced(step: int) -> None:
    stream, recorder = _Input(b"{ }more", step), Recorder(limit=100)
    run(recorder, CONTENT_LENGTH="3", **{"wsgi.input": stream})

    assert (recorder.body, stream.taken) == (Body(b"{ }"), 3)


def test_less_than_was_announced_is_a_body_cut_off() -> None:
    recorder = Recorder(limit=100)
    run(recorder, CONTENT_LENGTH="9")

    assert recorder.body == Body(b"{}", BodyError.CUT_OFF)


def test_a_connection_that_breaks_is_a_body_cut_off() -> None:
    recorder = Recorder(limit=100)
    run(recorder, **{"wsgi.input": _Broken()})

    assert recorder.body == Body(b"", BodyError.CUT_OFF)


@pytest.mark.parametrize("length", [None, ""])
def test_a_chunked_body_is_read_to_its_end_where_the_server_says_it_has_one(
    length: str | None,
) -> None:
    recorder = Recorder(limit=100)
    run(recorder, CONTENT_LENGTH=length, **{"wsgi.input_terminated": True})

    assert recorder.body == Body(b"{}")


class _Socket(io.RawIOBase):
    """A stream that would wait for ever at the end of the body."""

    def read(self, _: int | None = -1, /) -> bytes:
        raise AssertionError("read")


class _Chunks(_Input):
    """A stream as eventlet and gevent have it."""

    chunked_input = True

    def seekable(self) -> bool:
        return False


class _InputStream(_Input):
    """A stream of Twisted."""

    __module__ = "twisted.web.wsgi"

    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize("stream", [io.BytesIO, _Chunks, _InputStream])
@pytest.mark.parametrize("length", [None, ""])
def test_a_chunked_body_is_read_to_its_end_where_the_stream_has_one(
    stream: type[io.BytesIO], length: str | None
) -> None:
    recorder, more = Recorder(limit=100), {"wsgi.input": stream(b"{ }")}
    run(recorder, CONTENT_LENGTH=length, HTTP_TRANSFER_ENCODING="chunked", **more)

    assert recorder.body == Body(b"{ }")


@pytest.mark.parametrize(("coding", "error"), [("chunked", BodyError.NO_LENGTH), (None, None)])
def test_a_stream_without_an_end_is_not_read(coding: str | None, error: BodyError | None) -> None:
    recorder, more = Recorder(limit=100), {"wsgi.input": _Socket()}
    run(recorder, CONTENT_LENGTH=None, HTTP_TRANSFER_ENCODING=coding, **more)

    assert recorder.body == Body(b"", error)


def test_whatever_a_stream_raises_the_body_is_cut_off() -> None:
    class Odd(_Input):
        def read(self, _: int | None = -1, /) -> bytes:
            raise ValueError("a chunk of eventlet")

    recorder = Recorder(limit=100)
    run(recorder, **{"wsgi.input": Odd(b"")})

    assert recorder.body == Body(b"", BodyError.CUT_OFF)


@pytest.mark.parametrize(("length", "said"), [(2, "2"), (0, "0")])
def test_a_length_may_be_a_number(length: int, said: str) -> None:
    recorder = Recorder(limit=100)
    run(recorder, CONTENT_LENGTH=length)

    assert recorder.request.headers.get("content-length") == said
    assert recorder.body == Body(b"{}"[:length])


def test_a_content_type_under_two_keys_is_one() -> None:
    more = {"HTTP_CONTENT_TYPE": "application/json", "HTTP_CONTENT_LENGTH": "2"}
    recorder = Recorder()
    run(recorder, CONTENT_TYPE="application/json", **more)

    assert recorder.request.headers.get("content-type") == "application/json"
    assert recorder.request.headers.get("content-length") == "2"


@pytest.mark.parametrize(
    "sent",
    [
        {"headers_raw": (("Content-Length", "2"), ("X_One", "1"), ("X-Two", "2"))},  # eventlet
        {
            "asgi.scope": {
                "headers": [(b"content-length", b"2"), (b"x_one", b"1"), (b"x-two", b"2")]
            }
        },
    ],
    ids=["eventlet", "a2wsgi"],
)
def test_a_host_that_passes_the_names_as_sent_tells_an_underscore_from_a_hyphen(
    sent: dict[str, Any],
) -> None:
    recorder = Recorder()
    given = {"HTTP_X_ONE": "1", "HTTP_X_TWO": "2", "CONTENT_TYPE": "text/plain"}
    run(recorder, **given, **sent)
    get = recorder.request.headers.get

    assert (get("x-one"), get("x-two"), get("content-length")) == (None, "2", "2")
    assert get("content-type") is None  # eventlet makes one up


@pytest.mark.parametrize(
    ("module", "sent"), [("io", []), ("cheroot.server", [("connection", "close")])]
)
def test_a_connection_is_closed_by_the_server_unless_it_has_to_be_told(
    module: str, sent: list[tuple[str, str]]
) -> None:
    class Stream(io.BytesIO):
        __module__ = module

    recorder, more = Recorder(), {"wsgi.input": Stream(b"{}")}
    assert run(recorder, **more)[0][1][2:] == []

    recorder.closes = True
    assert run(recorder, **more)[0][1][2:] == sent


def test_a_chunked_body_is_read_no_further_than_is_allowed() -> None:
    stream, recorder = _Input(b"x" * 1000), Recorder(limit=100)
    more: dict[str, Any] = {"wsgi.input_terminated": True, "wsgi.input": stream}
    run(recorder, CONTENT_LENGTH=None, **more)

    assert recorder.body == Body(b"x" * 100, BodyError.TOO_LARGE)
    assert stream.taken == 101
