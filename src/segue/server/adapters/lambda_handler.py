"""The adapter for AWS Lambda, with events of API Gateway, function URLs and load balancers."""

import base64
from collections.abc import Iterator, Mapping
from http import HTTPStatus
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
        expects it. A load balancer also gets `statusDescription`, and `multiValueHeaders` in place
        of `headers` if its event has them. Raises `ConfigurationError` if the event is not a
        request.
        """
        del context

        def performing(effect: Effect[Any]) -> object:
            return _read_body(event, effect) if isinstance(effect, ReadBody) else perform(effect)

        request = _request(event)
        response = drive(self._app.handle(request), performing)
        answer: dict[str, Any] = {
            "statusCode": response.status,
            "headers": dict(response.headers),
            "body": response.body.decode("utf-8"),
            "isBase64Encoded": False,
        }
        if _is_of_load_balancer(event):
            answer["statusDescription"] = f"{response.status} {HTTPStatus(response.status).phrase}"
            if "multiValueHeaders" in event:
                pairs = answer.pop("headers").items()
                answer["multiValueHeaders"] = {name: [value] for name, value in pairs}
        return answer


def _request(event: _Event) -> Request:
    try:
        return _second(event) if event.get("version") == "2.0" else _first(event)
    except (KeyError, TypeError, AttributeError):
        given: object = event
        keys = ", ".join(map(str, given)) if isinstance(given, Mapping) else type(given).__name__
        raise ConfigurationError(
            "the event is not a request of API Gateway (payload version 1.0 or 2.0), of a function "
            "URL or of an Application Load Balancer, it has: "
            f"{keys or 'nothing'}. Let one of these call the function"
        ) from None


def _second(event: _Event) -> Request:
    """Convert an API Gateway event with payload version 2.0 to a request.

    HTTP APIs and function URLs send such events.
    """
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
    """Convert an API Gateway event with payload version 1.0 to a request.

    REST APIs send such events with a decoded query. Load balancers send events of the same form,
    but their query is percent-encoded as the sender sent it.
    """
    pairs = _pairs(event, "multiValueQueryStringParameters", "queryStringParameters")
    return Request(
        method=event["httpMethod"],
        path=unquote(event["path"]),
        headers=Headers(_pairs(event, "multiValueHeaders", "headers")),
        query="&".join(f"{name}={value}" for name, value in pairs)
        if _is_of_load_balancer(event)
        else urlencode(list(pairs), errors="surrogatepass"),
        mount=_stage(event),
    )


def _is_of_load_balancer(event: _Event) -> bool:
    return "elb" in (event.get("requestContext") or ())


def _stage(event: _Event) -> str:
    full = event.get("requestContext", {}).get("path", "")
    return full.removesuffix(event["path"]) if full.endswith(event["path"]) else ""


def _pairs(event: _Event, many: str, single: str) -> Iterator[tuple[str, str]]:
    for name, values in (event.get(many) or {}).items():
        yield from ((name, value) for value in values)
    if not event.get(many):
        yield from (event.get(single) or {}).items()


def _read_body(event: _Event, effect: ReadBody) -> Body:
    """Decode the body in an event, which is text or Base64.

    A body that is longer than `effect.limit` is truncated and marked as too large.
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
    """Return a handler for AWS Lambda. The arguments and errors are those of `asgi`.

    Callbacks are called only while the Lambda function runs. If they take long, handle them in
    another program, which runs all the time and uses the same store. The processor of the Lambda
    function then needs only their kinds, as in `segue.Processor(store=…,
    callbacks=["conversation_ended"])`.
    """
    return LambdaHandler(build(processor, auth, **options))
