"""The adapter for AWS Lambda, with events of API Gateway (v1 and v2) and of function URLs."""

import base64
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, Unpack
from urllib.parse import unquote, urlencode

from segue.core.errors import ConfigurationError
from segue.server.adapters.build import AppOptions, build
from segue.server.http import Authenticator, Body, BodyError, Headers, HttpApp, ReadBody, Request
from segue.server.processor import Effect, Processor, drive, perform

_Event: TypeAlias = Mapping[str, Any]


class LambdaHandler:
    """A handler for AWS Lambda, created by `segue.aws_lambda`."""

    def __init__(self, app: HttpApp) -> None:
        self._app = app

    def __call__(self, event: _Event, context: object = None) -> dict[str, Any]:
        """Answer the HTTP request in an event.

        Return a dict with `statusCode`, `headers`, `body` and `isBase64Encoded`, as API Gateway
        expects it. Raises `ConfigurationError` if the event is not a request.
        """
        del context

        def performing(effect: Effect[Any]) -> object:
            return _read_body(event, effect) if isinstance(effect, ReadBody) else perform(effect)

        request = _request(event)
        response = drive(self._app.handle(request), performing)
        return {
            "statusCode": response.status,
            "headers": dict(response.headers),
            "body": response.body.decode("utf-8"),
            "isBase64Encoded": False,
        }


def _request(event: _Event) -> Request:
    try:
        return _second(event) if event.get("version") == "2.0" else _first(event)
    except (KeyError, TypeError, AttributeError):
        given: object = event
        keys = ", ".join(map(str, given)) if isinstance(given, Mapping) else type(given).__name__
        raise ConfigurationError(
            "the event is not a request of API Gateway (payload version 1.0 or 2.0) or of a "
            f"function URL, it has: {keys or 'nothing'}. Let one of these call the function"
        ) from None


def _second(event: _Event) -> Request:
    """Convert an event of an HTTP API or a function URL (payload version 2.0) to a request."""
    http, stage = event["requestContext"]["http"], event["requestContext"].get("stage", "$default")
    root = "" if stage == "$default" else f"/{stage}"
    path = unquote(event["rawPath"])
    return Request(
        method=http["method"],
        path=path.removeprefix(root) if path.startswith(f"{root}/") else path,
        headers=Headers((event.get("headers") or {}).items()),
        query=event.get("rawQueryString") or "",
        mount=root,
    )


def _first(event: _Event) -> Request:
    """Convert an event of a REST API (payload version 1.0) to a request."""
    return Request(
        method=event["httpMethod"],
        path=unquote(event["path"]),
        headers=Headers(_pairs(event, "multiValueHeaders", "headers")),
        query=urlencode(
            list(_pairs(event, "multiValueQueryStringParameters", "queryStringParameters")),
            errors="surrogatepass",
        ),
        mount=_stage(event),
    )


def _stage(event: _Event) -> str:
    full = event.get("requestContext", {}).get("path", "")
    return full.removesuffix(event["path"]) if full.endswith(event["path"]) else ""


def _pairs(event: _Event, many: str, single: str) -> Iterator[tuple[str, str]]:
    for name, values in (event.get(many) or {}).items():
        yield from ((name, value) for value in values)
    if not event.get(many):
        yield from (event.get(single) or {}).items()


def _read_body(event: _Event, effect: ReadBody) -> Body:
    """Decode the body of the request, which the event contains as text or as Base64.

    A body above the limit of the effect is cut, and marked as too large.
    """
    text = event.get("body") or ""
    try:
        data = base64.b64decode(text) if event.get("isBase64Encoded") else text.encode()
    except ValueError:  # not base64, or not text
        return Body(b"", BodyError.CUT_OFF)
    limit = effect.limit
    return Body(data[:limit], BodyError.TOO_LARGE) if len(data) > limit else Body(data)


def aws_lambda(
    processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]
) -> LambdaHandler:
    """Return a handler for AWS Lambda. The arguments are those of `asgi`.

    The handlers of callbacks run only while the Lambda function runs. If they take long, pass them
    to a processor in a program that always runs and uses the same store. The processor of the
    Lambda function then only needs their kinds: `segue.Processor(store=…,
    callbacks=["conversation_ended"])`.
    """
    return LambdaHandler(build(processor, auth, **options))
