"""The description of the interface (OpenAPI 3.1), made of routes, problems and models.

A path, a status or a field is declared elsewhere, once. Routes that are off are not described.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from segue import __version__
from segue.events import HOOKS, TRANSCRIPTION, Intake, ReceiptKind
from segue.http.problem import Problem
from segue.http.request import RequestLimits
from segue.http.response_schemas import response_schemas
from segue.http.routes import Route
from segue.processor import NOW
from segue.wire import action_schema, body_schema

__all__ = ["describe"]

_Json: TypeAlias = dict[str, Any]

_MAY_HEAL: Final = (Problem.UNAVAILABLE, Problem.NO_KEYS)
_AUTHENTICATED: Final = (
    Problem.NO_TOKEN,
    Problem.BAD_TOKEN,
    Problem.NOT_ALLOWED,
    Problem.BAD_PARAMETER,
    *_MAY_HEAL,
)
_INGEST: Final = (
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
_BODIES: Final = {HOOKS.name: body_schema, TRANSCRIPTION.name: action_schema}
_REQUIRED: Final = frozenset({"conversationId"})
_SECURITY: Final[_Json] = {
    "auth": {"type": "apiKey", "in": "header", "name": "auth", "description": "A JWT."},
    "token": {"type": "apiKey", "in": "header", "name": "token", "description": "The same."},
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
}


def describe(routes: Sequence[Route], report: Mapping[str, Any], limits: RequestLimits) -> _Json:
    """Return the document, but for the address where Segue is mounted.

    `report` is the JSON Schema of a report.
    """
    known = _parameters(limits)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Segue",
            "summary": "Checks the lifecycle of contact-center conversations.",
            "version": __version__,
        },
        "paths": {
            route.path: {("post" if route.intake else "get"): _operation(route, known)}
            for route in routes
        },
        "components": {"schemas": _schemas(routes, report), "securitySchemes": _SECURITY},
    }


def _parameters(limits: RequestLimits) -> Mapping[str, _Json]:
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
    parameters = [_parameter(known, name, "path") for name in route.variables]
    parameters += [_parameter(known, name, "query") for name in route.query]
    found: _Json = {"operationId": route.name, "summary": route.summary}
    problems = [*(_AUTHENTICATED if route.permission else ()), *route.problems]
    if route.intake is not None:
        found["summary"] = _body_schema(route.intake)["title"]
        problems += _INGEST
        if route.intake.receipt is ReceiptKind.CONTROL:
            problems.append(Problem.NOT_IN_STATE)
        parameters.append(_parameter(known, "Idempotency-Key", "header"))
        found["requestBody"] = {"required": True, "content": _content(_body_name(route.intake))}
    elif "conversationId" in route.variables:
        problems.append(Problem.NO_CONVERSATION)
    if parameters:
        found["parameters"] = parameters
    if route.permission is not None:
        found["security"] = [{name: []} for name in _SECURITY]
    return found | {"responses": _responses(route, problems)}


def _parameter(known: Mapping[str, _Json], name: str, where: str) -> _Json:
    required = where == "path" or name in _REQUIRED
    return {"name": name, "in": where, "required": required, **known[name]}


def _responses(route: Route, problems: Iterable[Problem]) -> _Json:
    media = "text/html" if route.model == "HtmlPage" else "application/json"
    fine = {"description": "Done.", "content": _content(route.model, media)}
    grouped: dict[int, list[Problem]] = {}
    for problem in problems:
        grouped.setdefault(problem.status, []).append(problem)
    return {"200": fine} | {
        str(status): _refusal(problems) for status, problems in sorted(grouped.items())
    }


def _refusal(problems: Iterable[Problem]) -> _Json:
    found: _Json = {
        "description": "; or: ".join(problem.title for problem in problems),
        "content": _content("ProblemDetails", "application/problem+json"),
    }
    if any(problem in _MAY_HEAL for problem in problems):
        found["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return found


def _content(schema: str, media: str = "application/json") -> _Json:
    return {media: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _schemas(routes: Iterable[Route], report: Mapping[str, Any]) -> _Json:
    view = {
        **report,
        "properties": {**report["properties"], "expected": _EXPECTED},
        "required": [*report["required"], "expected"],
    }
    bodies = {
        _body_name(route.intake): _body_schema(route.intake) for route in routes if route.intake
    }
    found: _Json = {**response_schemas(), "Document": {"type": "object"}}
    for name, schema in ({"Report": view} | bodies).items():
        lifted = _referring_here(schema)
        lifted.pop("$schema", None)
        found |= lifted.pop("$defs", {})
        found[name] = lifted
    return found


def _body_schema(intake: Intake) -> _Json:
    known = _BODIES.get(intake.name)
    return {"title": intake.name, "type": "object"} if known is None else known()


def _body_name(intake: Intake) -> str:
    """Return the name of the component that describes the bodies of an intake."""
    return f"{intake.name.title()}Body"


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
