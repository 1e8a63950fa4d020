"""The shell for WSGI servers: gunicorn, waitress, and hosts such as Flask and Django."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Unpack

from segue.adapters.build import Options, build
from segue.http import (
    Authenticator,
    Body,
    Headers,
    Hook,
    Lack,
    ReadBody,
    Request,
)
from segue.processor import Effect, Processor, drive, perform

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIEnvironment

__all__ = ["Wsgi", "wsgi"]

_CHUNK = 64 * 1024


class Wsgi:
    """A WSGI application."""

    def __init__(self, hook: Hook) -> None:
        self._hook = hook

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer one request."""

        def performing(ask: Effect[Any]) -> Any:  # noqa: ANN401 - whatever is asked for
            return read_body(environ, ask) if isinstance(ask, ReadBody) else perform(ask)

        answer = drive(self._hook.handle(_request(environ)), performing)
        status = HTTPStatus(answer.status)
        start_response(f"{status.value} {status.phrase}", list(answer.headers))
        return [answer.body] if answer.body else []


def _request(environ: "WSGIEnvironment") -> Request:
    return Request(
        method=environ["REQUEST_METHOD"],
        path=_text(environ.get("PATH_INFO", "")),
        headers=Headers(_headers(environ)),
        query=environ.get("QUERY_STRING", ""),
        mount=_text(environ.get("SCRIPT_NAME", "")).rstrip("/"),
    )


def _text(value: str) -> str:
    """Decode what WSGI hands over as Latin-1, whatever it is."""
    return value.encode("latin-1").decode("utf-8", "replace")


def _headers(environ: "WSGIEnvironment") -> Iterator[tuple[str, str]]:
    for key, value in environ.items():
        if key.startswith("HTTP_"):
            yield key[5:].replace("_", "-"), value
        elif key in ("CONTENT_TYPE", "CONTENT_LENGTH") and value:
            yield key.replace("_", "-"), value


def read_body(environ: "WSGIEnvironment", ask: ReadBody) -> Body:
    """Read a body as far as it is wanted; how long that may take is the server's to limit."""
    stream: InputStream = environ["wsgi.input"]
    announced = environ.get("CONTENT_LENGTH") or None
    if announced is None and not environ.get("wsgi.input_terminated"):
        return Body(b"")  # nothing else can be read without waiting for ever
    wanted = ask.limit + 1 if announced is None else int(announced)
    data = bytearray()
    while len(data) < wanted:
        try:
            part = stream.read(min(_CHUNK, wanted - len(data)))
        except OSError:
            return Body(bytes(data), Lack.CUT_OFF)
        if not part:
            break
        data += part
    if len(data) > ask.limit:
        return Body(bytes(data[: ask.limit]), Lack.TOO_LARGE)
    cut_off = announced is not None and len(data) < wanted
    return Body(bytes(data), Lack.CUT_OFF if cut_off else None)


def wsgi(
    processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[Options]
) -> Wsgi:
    """Return a WSGI application that receives deliveries and answers readers.

    The settings are those of `asgi`. WSGI has no lifespan: the first request starts the processor,
    and a host that is stopped should leave it with `with processor`. Slow bodies are the server's
    to limit.
    """
    return Wsgi(build(processor, auth, **options))
