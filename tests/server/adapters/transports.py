"""One request of the table, through the core alone and through every adapter, in this process."""

import asyncio
import base64
import functools
import io
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import unquote, unquote_to_bytes

from tests.server.http import world
from tests.server.http.table import Case

from segue.server.http import Body, BodyError, Headers, HttpApp, ReadBody, Request
from segue.server.processor import Effect, drive, perform


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def length(case: Case) -> str | None:
    """What the request says of its length."""
    if any(name == "content-length" for name, _ in case.headers):
        return None
    return str(len(case.body) + (7 if case.lacking else 0))


def headers(case: Case) -> list[tuple[str, str]]:
    found = length(case)
    own = [] if found is None else [("content-length", found)]
    return [*case.headers, *own]


def latin(value: str) -> str:
    """A header as servers hand it over: bytes, read as Latin-1."""
    return value.encode().decode("latin-1")


def through_core(
    hook: HttpApp, case: Case, mount: str = "", asked: list[Effect[Any]] | None = None
) -> Answer:
    path, _, query = case.target.partition("?")

    def performing(ask: Effect[Any]) -> Any:
        if asked is not None:
            asked.append(ask)
        if not isinstance(ask, ReadBody):
            return perform(ask)
        if len(case.body) > ask.limit:
            return Body(case.body[: ask.limit], BodyError.TOO_LARGE)
        return Body(case.body, BodyError.CUT_OFF if case.lacking else None)

    pairs = ((name, latin(value)) for name, value in headers(case))
    request = Request(case.method, unquote(path, errors="replace"), Headers(pairs), query, mount)
    answer = drive(hook.handle(request), performing)
    return Answer(answer.status, dict(answer.headers), answer.body)


@functools.cache
def core(case: Case) -> Answer:
    """What the core itself answers; the same every time, since its world is."""
    return through_core(world.app(world.processor()), case)


def scope(case: Case, root: str = "") -> dict[str, Any]:
    path, _, query = case.target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": case.method,
        "scheme": "http",
        "path": root + unquote(path, errors="replace"),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": root,
        "headers": [(name.encode(), value.encode()) for name, value in headers(case)],
    }


def messages(case: Case, size: int = 1000) -> list[dict[str, Any]]:
    parts = [case.body[at : at + size] for at in range(0, len(case.body), size)] or [b""]
    found: list[dict[str, Any]] = [
        {"type": "http.request", "body": part, "more_body": True} for part in parts
    ]
    if case.lacking:
        return [*found, {"type": "http.disconnect"}]
    return [*found[:-1], {**found[-1], "more_body": False}]


def through_asgi(app: Callable[..., Any], case: Case, root: str = "") -> Answer:
    waiting, sent = messages(case), list[Any]()

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope(case, root), receive, send))
    start, body = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    found.pop("connection", None)  # of this connection, and the core's own in a field
    return Answer(start["status"], found, body["body"])


def asgi(case: Case) -> Answer:
    return through_asgi(world.asgi(), case)


def environ(case: Case, root: str = "") -> dict[str, Any]:
    path, _, query = case.target.partition("?")
    found: dict[str, Any] = {
        "REQUEST_METHOD": case.method,
        "SCRIPT_NAME": root,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "wsgi.input": io.BytesIO(case.body),
    }
    for name, value in headers(case):
        key = name.upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        found[key] = f"{found[key]},{latin(value)}" if key in found else latin(value)
    return found


def through_wsgi(app: Callable[..., Any], case: Case, root: str = "") -> Answer:
    started = list[Any]()

    def start_response(*given: Any) -> Any:
        started.append(given)

    body = b"".join(app(environ(case, root), start_response))
    [(status, found)] = started
    return Answer(int(status.split(" ")[0]), dict(found), body)


def wsgi(case: Case) -> Answer:
    return through_wsgi(world.wsgi(), case)


def second(case: Case, stage: str = "$default") -> dict[str, Any]:
    """An event of an HTTP API or a function URL."""
    path, _, query = case.target.partition("?")
    joined: dict[str, str] = {}
    for name, value in headers(case):
        known = joined.get(name.lower())
        joined[name.lower()] = latin(value) if known is None else f"{known},{latin(value)}"
    root = "" if stage == "$default" else f"/{stage}"
    return {
        "version": "2.0",
        "rawPath": root + path,
        "rawQueryString": query,
        "headers": joined,
        "requestContext": {"http": {"method": case.method}, "stage": stage},
        "body": base64.b64encode(case.body).decode(),
        "isBase64Encoded": True,
    }


def of_event(answer: dict[str, Any]) -> Answer:
    return Answer(answer["statusCode"], answer["headers"], answer["body"].encode())


def aws_lambda(case: Case) -> Answer:
    return of_event(world.aws_lambda()(second(case)))


TRANSPORTS: dict[str, Callable[[Case], Answer]] = {
    "core": core,
    "asgi": asgi,
    "wsgi": wsgi,
    "lambda": aws_lambda,
}
