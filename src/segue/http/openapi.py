"""The description of the interface (OpenAPI 3.1), made of the routes, the problems and the schemas.

It decides how they are put together.  House rules: a path, a status or a field is written down
elsewhere, once, and only referred to here; what is switched off is not described.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from segue.http.limits import Limits
from segue.http.problem import Problem
from segue.http.response_schemas import ANSWERS
from segue.http.route import ROUTES, Route
from segue.processor import NOW
from segue.wire import action_schema, body_schema

__all__ = ["describe"]

_Json: TypeAlias = dict[str, Any]


class _Page(NamedTuple):
    """What the description says of a route, beyond its row."""

    summary: str
    answer: str
    """Name of the schema of a 200."""
    problems: tuple[Problem, ...] = ()
    query: tuple[str, ...] = ()
    body: str = ""
    media: str = "application/json"


_MAY_FAIL: Final = (Problem.UNAVAILABLE, Problem.NO_KEYS)
_AUTHENTICATED: Final = (
    Problem.NO_TOKEN,
    Problem.BAD_TOKEN,
    Problem.NOT_ALLOWED,
    Problem.BAD_PARAMETER,
    *_MAY_FAIL,
)
_SENDING: Final = (
    *_AUTHENTICATED,
    Problem.UNREADABLE,
    Problem.BAD_LENGTH,
    Problem.CUT_OFF,
    Problem.TOO_SLOW,
    Problem.TOO_LARGE,
    Problem.NOT_JSON,
    Problem.UNFILED,
    Problem.REJECTED,
    Problem.REUSED,
)

_PAGES: Final[Mapping[str, _Page]] = {
    "deliver": _Page(
        "Receive lifecycle events and messages (E21)", "Received", _SENDING, body="Delivery"
    ),
    "control": _Page(
        "Control the transcription (E1)",
        "Controlled",
        (*_SENDING, Problem.NOT_IN_STATE),
        query=("conversationId",),
        body="Action",
    ),
    "list": _Page(
        "List conversations, newest first", "Rows", _AUTHENTICATED, query=("after", "limit")
    ),
    "show": _Page(
        "Show what is known of a conversation",
        "Report",
        (*_AUTHENTICATED, Problem.NO_CONVERSATION),
    ),
    "feed": _Page(
        "Page through findings and changes of phase, oldest first",
        "Feed",
        _AUTHENTICATED,
        query=("place", "limit", "wait"),
    ),
    "inspect": _Page("Show conversations in a browser, as they happen", "Page", media="text/html"),
    "draw": _Page(
        "Give the page at /inspect what it draws; no interface, it changes with the page",
        "Drawing",
        (*_AUTHENTICATED, Problem.NO_CONVERSATION),
    ),
    "health": _Page("Say that the process is alive", "Status"),
    "ready": _Page("Say whether the store answers", "Status", (Problem.UNAVAILABLE,)),
    "describe": _Page("This document", "Document"),
}

_REQUIRED: Final = frozenset({"conversationId"})
_SECURITY: Final[_Json] = {
    "auth": {"type": "apiKey", "in": "header", "name": "auth", "description": "A JWT."},
    "token": {"type": "apiKey", "in": "header", "name": "token", "description": "The same."},
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
}


def describe(
    report: Mapping[str, Any], *, limits: Limits, routes: Iterable[Route] = ROUTES
) -> _Json:
    """Return the document, but for the address where Segue is mounted."""
    known = _parameters(limits)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Segue",
            "summary": "Checks the lifecycle of contact-center conversations.",
            "version": "1.0.0",
        },
        "paths": {route.path: {route.method.lower(): _operation(route, known)} for route in routes},
        "components": {"schemas": _schemas(report), "securitySchemes": _SECURITY},
    }


def _parameters(limits: Limits) -> Mapping[str, _Json]:
    """Return what is said of each parameter, wherever it stands."""
    text: _Json = {"type": "string", "maxLength": limits.max_id_length}
    return {
        "botId": {
            "schema": {**text, "minLength": 1, "pattern": "^[^/]+$"},
            "description": "Bot or stream id.",
        },
        "conversationId": {
            "schema": {**text, "minLength": 1},
            "description": "Constant during the conversation.",
        },
        "after": {
            "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
            "description": "`next` of the page before.",
        },
        "place": {
            "name": "after",
            "schema": {"type": "string", "pattern": f"^({NOW}|[0-9]{{1,18}})$"},
            "description": f"`next` of the page before; `{NOW}`: only what is still to come.",
        },
        "limit": {
            "schema": {"type": "integer", "minimum": 1, "maximum": limits.page},
            "description": "How many items at most.",
        },
        "wait": {
            "schema": {"type": "number", "minimum": 0, "maximum": limits.feed_seconds},
            "description": "Seconds to wait for news when there are none.",
        },
        "Idempotency-Key": {
            "schema": text,
            "description": "The delivery id: a repeat with the same body is applied once. "
            "`webhook-id` means the same.",
        },
    }


def _operation(route: Route, known: Mapping[str, _Json]) -> _Json:
    page = _PAGES[route.name]
    named = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters = [_parameter(known, name, "path") for name in named]
    parameters += [_parameter(known, name, "query") for name in page.query]
    found: _Json = {"operationId": route.name, "summary": page.summary}
    if page.body:
        parameters.append(_parameter(known, "Idempotency-Key", "header"))
        found["requestBody"] = {"required": True, "content": _content(page.body)}
    if parameters:
        found["parameters"] = parameters
    if route.operation is not None:
        found["security"] = [{name: []} for name in _SECURITY]
    return found | {"responses": _responses(page)}


def _parameter(known: Mapping[str, _Json], name: str, where: str) -> _Json:
    required = where == "path" or name in _REQUIRED
    return {"name": name, "in": where, "required": required, **known[name]}


def _responses(page: _Page) -> _Json:
    fine = {"description": "Done.", "content": _content(page.answer, page.media)}
    grouped: dict[int, list[Problem]] = {}
    for problem in page.problems:
        grouped.setdefault(problem.status, []).append(problem)
    return {"200": fine} | {
        str(status): _refusal(problems) for status, problems in sorted(grouped.items())
    }


def _refusal(problems: Iterable[Problem]) -> _Json:
    found: _Json = {
        "description": "; or: ".join(problem.title for problem in problems),
        "content": _content("Problem", "application/problem+json"),
    }
    if any(problem in _MAY_FAIL for problem in problems):
        found["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return found


def _content(schema: str, media: str = "application/json") -> _Json:
    return {media: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _schemas(report: Mapping[str, Any]) -> _Json:
    known = {**report, "properties": {**report["properties"], "expected": _EXPECTED}}
    known["required"] = [*report["required"], "expected"]
    found: _Json = {**ANSWERS, "Document": {"type": "object"}}
    for name, schema in (
        ("Report", known),
        ("Delivery", body_schema()),
        ("Action", action_schema()),
    ):
        lifted = _referring_here(schema)
        lifted.pop("$schema")
        found |= lifted.pop("$defs")
        found[name] = lifted
    return found


_EXPECTED: Final = {
    "description": "Which events would be legal now.",
    "type": "array",
    "items": {"type": "string"},
}


def _referring_here(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Copy a schema whose definitions move to the components of the document."""
    if isinstance(value, dict):
        return {
            key: item.replace("#/$defs/", "#/components/schemas/")
            if key == "$ref" and isinstance(item, str)
            else _referring_here(item)
            for key, item in value.items()
        }
    return [_referring_here(item) for item in value] if isinstance(value, list) else value
