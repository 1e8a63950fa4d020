"""The adapter for WSGI servers such as gunicorn, and for hosts such as Flask.

A WSGI server reads the rest of a body or closes the connection itself, and PEP 3333 forbids the
header `Connection`. Only cheroot leaves the rest of a chunked body, and it accepts the header.

Some servers do not tell an underscore in the name of a header from a hyphen, among them cheroot,
granian, Twisted, tornado and wsgiref. They pass `Idempotency_Key` as `Idempotency-Key`.
"""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Unpack

from segue.server.adapters.build import AppOptions, RequestHandler, build
from segue.server.http import Authenticator, Body, BodyError, Headers, ReadBody, Request
from segue.server.processor import Effect, Processor, drive, perform

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIEnvironment

_CHUNK: Final = 64 * 1024
_CONTENT: Final = ("CONTENT_TYPE", "CONTENT_LENGTH")
_DUPLICATES: Final = frozenset(f"HTTP_{key}" for key in _CONTENT)
"""Keys that Twisted and netius set in addition to those of PEP 3333."""
_ENDING: Final = frozenset(
    {
        ("a2wsgi.wsgi", "Body"),
        ("cheroot.server", "ChunkedRFile"),
        ("twisted.web.wsgi", "_InputStream"),
    }
)
"""Module and name of the classes of streams that end with the body, but do not say so."""


class WsgiApp:
    """A WSGI application, created by `segue.wsgi`. Serve it, or mount it under a path."""

    def __init__(self, app: RequestHandler) -> None:
        self._app = app

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer one HTTP request. Return the body as a list of at most one bytes object."""

        def performing(effect: Effect[Any]) -> object:
            return _read_body(environ, effect) if isinstance(effect, ReadBody) else perform(effect)

        response = drive(self._app.handle(_request(environ)), performing)
        status = HTTPStatus(response.status)
        headers = list(response.headers)
        if response.closes and type(environ["wsgi.input"]).__module__ == "cheroot.server":
            headers.append(("connection", "close"))
        start_response(f"{status.value} {status.phrase}", headers)
        return [response.body] if response.body else []


def _request(environ: "WSGIEnvironment") -> Request:
    return Request(
        method=environ["REQUEST_METHOD"],
        path=_utf8(environ.get("PATH_INFO", "")),
        headers=Headers(_headers(environ)),
        query=environ.get("QUERY_STRING", ""),
        mount=_utf8(environ.get("SCRIPT_NAME", "")).rstrip("/"),
    )


def _utf8(value: str) -> str:
    """Decode a text that is UTF-8 but was passed as Latin-1, as WSGI requires.

    Invalid bytes become U+FFFD.
    """
    return value.encode("latin-1").decode("utf-8", "replace")


def _headers(environ: "WSGIEnvironment") -> Iterator[tuple[str, str]]:
    sent = [name.upper() for name in _names(environ)]
    plain = {name.replace("-", "_") for name in sent if "_" not in name}
    hidden = set(sent) - plain if sent else ()
    for key, value in environ.items():
        if key in _CONTENT:
            if value not in (None, "") and (not sent or key in plain):  # eventlet makes one up
                yield key.replace("_", "-"), str(value)
        elif key.startswith("HTTP_") and key not in _DUPLICATES:
            name = key.removeprefix("HTTP_")
            if name not in hidden:
                yield name.replace("_", "-"), value


def _names(environ: "WSGIEnvironment") -> Iterable[str]:
    """Return the names of headers as they were sent, if the server passes them on."""
    if "headers_raw" in environ:  # eventlet
        return [name for name, _ in environ["headers_raw"]]
    scope = environ.get("asgi.scope")  # a2wsgi
    return [] if scope is None else [name.decode("latin-1") for name, _ in scope["headers"]]


def _read_body(environ: "WSGIEnvironment", effect: ReadBody) -> Body:
    """Read the body of the request, up to `effect.limit` bytes.

    `effect.seconds` is ignored, because only the server can interrupt a read.
    """
    stream: InputStream = environ["wsgi.input"]
    announced = environ.get("CONTENT_LENGTH")
    announced = None if announced == "" else announced
    if announced is None and not environ.get("wsgi.input_terminated"):
        if "HTTP_TRANSFER_ENCODING" not in environ:
            return Body(b"")
        if not _ends(stream):  # reading on would wait forever
            return Body(b"", BodyError.NO_LENGTH)
    wanted = effect.limit + 1 if announced is None else int(announced)
    data = bytearray()
    while len(data) < wanted:
        try:
            part = stream.read(min(_CHUNK, wanted - len(data)))
        except Exception:  # noqa: BLE001 - each server has its own for what a sender does wrong
            return Body(bytes(data), BodyError.CUT_OFF)
        if not part:
            break
        data += part
    if len(data) > effect.limit:
        return Body(bytes(data[: effect.limit]), BodyError.TOO_LARGE)
    cut_off = announced is not None and len(data) < wanted
    return Body(bytes(data), BodyError.CUT_OFF if cut_off else None)


def _ends(stream: object) -> bool:
    """Return whether a stream ends with the body although its server does not say so."""
    if getattr(stream, "chunked_input", False):  # eventlet and gevent
        return True
    kind, seekable = type(stream), getattr(stream, "seekable", None)
    return (kind.__module__, kind.__name__) in _ENDING or (callable(seekable) and bool(seekable()))


def wsgi(
    processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]
) -> WsgiApp:
    """Return a WSGI application that receives deliveries and answers readers.

    The arguments and errors are those of `asgi`. The first request starts the processor, because
    WSGI has no event for the start of the server. Call `processor.close()` when your host stops.
    The server must limit the time for reading a request, because the application cannot.
    """
    return WsgiApp(build(processor, auth, **options))
