"""The adapter for WSGI servers such as gunicorn, and for hosts such as Flask."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Unpack

from segue.server.adapters.build import AppOptions, RequestHandler, build
from segue.server.http import Authenticator, Body, BodyError, Headers, ReadBody, Request
from segue.server.processor import Effect, Processor, drive, perform

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIEnvironment

_CHUNK = 64 * 1024


class WsgiApp:
    """A WSGI application, created by `segue.wsgi`. Serve it, or mount it under a path."""

    def __init__(self, app: RequestHandler) -> None:
        self._app = app

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer one HTTP request.

        Return the body as a list of one bytes object, or an empty list.
        """

        def performing(effect: Effect[Any]) -> object:
            return _read_body(environ, effect) if isinstance(effect, ReadBody) else perform(effect)

        response = drive(self._app.handle(_request(environ)), performing)
        status = HTTPStatus(response.status)
        start_response(f"{status.value} {status.phrase}", list(response.headers))
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
    """Decode a UTF-8 string that WSGI passes as Latin-1. Invalid bytes become U+FFFD."""
    return value.encode("latin-1").decode("utf-8", "replace")


def _headers(environ: "WSGIEnvironment") -> Iterator[tuple[str, str]]:
    for key, value in environ.items():
        if key.startswith("HTTP_"):
            yield key[5:].replace("_", "-"), value
        elif key in ("CONTENT_TYPE", "CONTENT_LENGTH") and value:
            yield key.replace("_", "-"), value


def _read_body(environ: "WSGIEnvironment", effect: ReadBody) -> Body:
    """Read the body of the request up to the limit of the effect.

    The time limit of the effect is ignored, because only the server can interrupt a read.
    """
    stream: InputStream = environ["wsgi.input"]
    announced = environ.get("CONTENT_LENGTH") or None
    if announced is None and not environ.get("wsgi.input_terminated"):
        return Body(b"")  # reading on would wait forever
    wanted = effect.limit + 1 if announced is None else int(announced)
    data = bytearray()
    while len(data) < wanted:
        try:
            part = stream.read(min(_CHUNK, wanted - len(data)))
        except OSError:
            return Body(bytes(data), BodyError.CUT_OFF)
        if not part:
            break
        data += part
    if len(data) > effect.limit:
        return Body(bytes(data[: effect.limit]), BodyError.TOO_LARGE)
    cut_off = announced is not None and len(data) < wanted
    return Body(bytes(data), BodyError.CUT_OFF if cut_off else None)


def wsgi(
    processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]
) -> WsgiApp:
    """Return a WSGI application that receives deliveries and answers readers.

    The arguments are those of `asgi`. WSGI has no lifespan, so the first request starts the
    processor. Call `processor.close()` when your host stops. The server must limit the time of slow
    bodies.
    """
    return WsgiApp(build(processor, auth, **options))
