"""The description of the HTTP interface (OpenAPI 3.1), built from routes, problems and models.

This module only combines what other modules declare. Routes that are switched off are left out.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from segue.core.events import Intake, ReceiptKind
from segue.core.events.fields import FIELDS
from segue.core.version import __version__
from segue.core.wire.json_schema import schema_of
from segue.server.http.problem import Problem
from segue.server.http.request import RequestLimits
from segue.server.http.response_schemas import response_schemas
from segue.server.http.routes import Route
from segue.server.processor import NOW

_Json: TypeAlias = dict[str, Any]

_MAY_HEAL: Final = (Problem.STORE_UNAVAILABLE, Problem.KEYS_UNAVAILABLE)
_AUTHENTICATED: Final = (
    Problem.NO_TOKEN,
    Problem.BAD_TOKEN,
    Problem.NOT_ALLOWED,
    Problem.BAD_PARAMETER,
    Problem.WRONG_HOST,
    *_MAY_HEAL,
)
_OF_A_READER: Final = (Problem.NO_CONVERSATION, Problem.SEVERAL_CONVERSATIONS)
_INGEST: Final = [
    problem
    for problem in Problem
    if problem not in _AUTHENTICATED
    and problem not in (Problem.NO_ROUTE, Problem.WRONG_METHOD, *_OF_A_READER)
    and problem not in (Problem.ACTION_NOT_ALLOWED, Problem.BAD_ADDRESS)  # not of each intake
    and problem is not Problem.NOT_REPLAYABLE
]
_EXPECTED: Final = "The events that are legal now."
_REFUSED: Final = "The number of deliveries that were answered 422 and are still in the quarantine."
_MORE: Final[_Json] = {
    "type": "object",
    "description": "The numbers of findings, mistakes and expected events that are not listed. If"
    " `events` is true, the report covers only the beginning of the conversation, and no mistakes"
    " are searched for. Read the rest in pages.",
    "properties": {
        "findings": {"type": "integer", "minimum": 0},
        "mistakes": {"type": "integer", "minimum": 0},
        "expected": {"type": "integer", "minimum": 0},
        "events": {"type": "boolean"},
    },
    "required": ["findings", "mistakes", "expected", "events"],
    "additionalProperties": False,
}
_SHOWN: Final = ("Report", "FindingPage", "EventPage")
_REQUIRED: Final = frozenset({"conversationId"})
_SECURITY: Final[_Json] = {
    "auth": {"type": "apiKey", "in": "header", "name": "auth", "description": "A JWT."},
    "token": {"type": "apiKey", "in": "header", "name": "token", "description": "The same."},
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
}


def describe(routes: Sequence[Route], report: Mapping[str, Any], limits: RequestLimits) -> _Json:
    """Return the OpenAPI document of the routes as a dict, without `servers`.

    `report` is the JSON Schema of a report. `limits` gives the maximum values of parameters.
    """
    known = _parameters(limits)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Segue",
            "summary": "Checks the lifecycle of contact-center conversations.",
            "version": __version__,
        },
        "paths": {route.path: {route.method.lower(): _operation(route, known)} for route in routes},
        "components": {"schemas": _schemas(routes, report), "securitySchemes": _SECURITY},
    }


def _parameters(limits: RequestLimits) -> Mapping[str, _Json]:
    """Return the JSON Schema and the description of each request parameter, as a dict.

    The keys are the names in `Route.query` and in paths. The key `place` is the parameter `after`
    of the feed.
    """
    longest = limits.max_id_length
    return {
        "botId": _described(
            "The id of the bot or stream.", maxLength=longest, minLength=1, pattern="^[^/]+$"
        ),
        "conversationId": _described("The id of the conversation.", maxLength=longest, minLength=1),
        "after": _described("The `next` of the previous page.", pattern="^[0-9]{1,18}$"),
        "page": _described(
            "Reads all findings or all lifecycle events, in pages.", enum=["findings", "events"]
        ),
        "number": _described("The number of a quarantined body.", pattern="^[0-9]{1,18}$"),
        "place": _described(
            f"The `next` of the previous page, or `{NOW}` for new entries only.",
            pattern=f"^({NOW}|[0-9]{{1,18}})$",
        )
        | {"name": "after"},
        "limit": _described(
            "The maximum number of items.", "integer", minimum=1, maximum=limits.page
        ),
        "wait": _described(
            "The maximum number of seconds to wait for news.",
            "number",
            minimum=0,
            maximum=limits.feed_seconds,
        ),
        "Idempotency-Key": _described(
            "The id of the delivery. A repeat with the same body is not applied again. "
            "`webhook-id` has the same meaning.",
            maxLength=longest,
        ),
    }


def _described(description: str, kind: str = "string", **schema: object) -> _Json:
    return {"schema": {"type": kind, **schema}, "description": description}


def _operation(route: Route, known: Mapping[str, _Json]) -> _Json:
    parameters = [_parameter(known, name, "path") for name in route.variables]
    parameters += [_parameter(known, name, "query") for name in route.query]
    found: _Json = {"operationId": route.name, "summary": route.summary}
    problems = [*(_AUTHENTICATED if route.permission else ()), *route.problems]
    if route.intake is not None and route.intake.is_callback:
        problems.append(Problem.BAD_ADDRESS)
    if route.intake is not None:
        found["summary"] = FIELDS[route.intake.name].title
        problems += _INGEST
        if route.intake.receipt is ReceiptKind.CONTROL:
            problems.append(Problem.ACTION_NOT_ALLOWED)
        parameters.append(_parameter(known, "Idempotency-Key", "header"))
        found["requestBody"] = {"required": True, "content": _content(_body_name(route.intake))}
    elif "conversationId" in route.variables:
        problems += _OF_A_READER
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
        "description": " Or: ".join(problem.detail for problem in problems),
        "content": _content("ProblemDetails", "application/problem+json"),
    }
    if any(problem in _MAY_HEAL for problem in problems):
        found["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return found


def _content(schema: str, media: str = "application/json") -> _Json:
    return {media: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _schemas(routes: Iterable[Route], report: Mapping[str, Any]) -> _Json:
    expected = {"type": "array", "items": {"type": "string"}, "description": _EXPECTED}
    held = {"type": "array", "items": {"$ref": "#/components/schemas/HeldItem"}}
    refused = {"type": "integer", "minimum": 0, "description": _REFUSED}
    added = {"expected": expected, "held": held, "refused": refused, "more": _MORE}
    view = {
        **report,
        "properties": {**report["properties"], **added},
        "required": [*report["required"], *added],
    }
    found: _Json = {**response_schemas(), "Document": {"type": "object"}}
    found["LiveFinding"] = _without_mistake(report["$defs"]["finding"])
    intakes = [route.intake for route in routes if route.intake]
    bodies = {_body_name(intake): schema_of(intake) for intake in intakes}
    pages = [{"$ref": f"#/components/schemas/{name}"} for name in _SHOWN]
    for name, schema in ({"Report": view, "Shown": {"anyOf": pages}} | bodies).items():
        component = _with_components(schema)
        found |= component.pop("$defs", {})
        found[name] = {key: value for key, value in component.items() if key != "$schema"}
    return found


def _with_components(schema: Mapping[str, Any]) -> _Json:
    """Return a schema with references to components in place of its own definitions."""
    changed = json.dumps(schema).replace('"#/$defs/', '"#/components/schemas/')
    component: _Json = json.loads(changed)
    return component


def _without_mistake(finding: Mapping[str, Any]) -> _Json:
    """Return the schema of a finding outside of a report, which names no mistake."""
    properties = {name: each for name, each in finding["properties"].items() if name != "mistake"}
    required = [name for name in finding["required"] if name != "mistake"]
    return _with_components({**finding, "properties": properties, "required": required})


def _body_name(intake: Intake) -> str:
    """Return the name of the OpenAPI component that describes the bodies of an intake.

    The name is `HooksBody` for the intake `hooks`, for example.
    """
    return f"{intake.name.title()}Body"
