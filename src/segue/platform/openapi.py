"""Generate an OpenAPI 3.1 description of the platform from the table and its models.

Where the specification contradicts itself, the description follows the reference of the endpoint
and lists the alternative in `x-segue-variants`. Vocabularies are open, so the known values are in
`x-extensible-enum`.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from segue.platform.arguments import Argument, ArgumentKind, ArgumentPlace, arguments_of
from segue.platform.requests import spoken
from segue.platform.rows import CallbackUrl, Endpoint, Link, VariantKind, load_model
from segue.platform.schemas import component_schemas, reference_to
from segue.platform.table import ENDPOINTS, UNKNOWN_IN_GENERAL, endpoint

_Json: TypeAlias = dict[str, Any]

_TYPES: Final[dict[ArgumentKind, _Json]] = {
    ArgumentKind.TEXT: {"type": "string"},
    ArgumentKind.INTEGER: {"type": "integer"},
    ArgumentKind.NUMBER: {"type": "number"},
    ArgumentKind.BOOLEAN: {"type": "string", "enum": ["True", "False"]},  # as in the sample
    ArgumentKind.TIME: {"type": "string"},
    ArgumentKind.JSON: {"type": "string", "contentMediaType": "application/json"},
}
_ADMIN: Final = "The token must be of an application that was created in the admin console."
_NOT_SHOWN: Final = {"description": "Errors are not shown."}
_AUTH: Final = {"type": "apiKey", "in": "header", "name": "auth", "description": "A JWT."}


def describe_platform(version: str) -> _Json:
    """Return the OpenAPI document as a JSON object. Its `info.version` is the given version."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Contact-center and conversational platform",
            "summary": "The 26 endpoints of the specification, as Segue reads it.",
            "version": version,
            "x-segue-not-shown": [asdict(each) for each in UNKNOWN_IN_GENERAL],
        },
        "servers": [
            {"url": "{base_url}", "variables": {"base_url": {"default": "https://example.com"}}}
        ],
        "security": [{"auth": []}],
        "tags": [{"name": name} for name in dict.fromkeys(map(_subject, ENDPOINTS))],
        "paths": _paths(),
        "components": {"securitySchemes": {"auth": _AUTH}, "schemas": _schemas()},
    }


def _paths() -> _Json:
    paths: _Json = {}
    for row in ENDPOINTS:
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row, row.path)
        if row.account_path:
            paths[row.account_path] = {row.method.lower(): _operation(row, row.account_path)}
    return paths


def _subject(row: Endpoint) -> str:
    return row.name.partition(".")[0]


def _operation(row: Endpoint, path: str) -> _Json:
    found: _Json = {
        "operationId": row.name if path == row.path else f"{row.name}_of_account",
        "summary": f"{row.title} ({row.number})",
        "tags": [_subject(row)],
    }
    if row.needs_admin_token:
        found["description"] = _ADMIN
    if parameters := [*_parameters(row, path)]:
        found["parameters"] = parameters
    if row.body_model and not _is_in_query(row):
        content = {"application/json": {"schema": reference_to(row.body_model)}}
        found["requestBody"] = {"required": True, "content": content}
    found["responses"] = {"200": _answer(row), "default": _NOT_SHOWN}
    if row.callbacks:
        found["callbacks"] = {each.member: _callback(row, each) for each in row.callbacks}
    return found | dict(_notes(row))


def _notes(row: Endpoint) -> Iterator[tuple[str, Any]]:
    """Yield names and values of `x-segue-…` members for facts that OpenAPI cannot express."""
    yield "x-segue-cites", row.cites
    if row.shown_scope:
        yield "x-segue-scope", row.shown_scope
    if row.expects:
        yield "x-segue-expects", list(row.expects)
    for name, notes in (
        ("variants", row.variants),
        ("not-shown", row.unknown),
        ("chosen", row.chosen),
    ):
        if notes:
            yield f"x-segue-{name}", [_plain(asdict(note)) for note in notes]


def _plain(note: _Json) -> _Json:
    return {key: list(value) if isinstance(value, tuple) else str(value)
            for key, value in note.items() if value}  # fmt: skip


def _is_in_query(row: Endpoint) -> bool:
    return spoken(row, VariantKind.PARAMETERS, "reference") == "query"


def _parameters(row: Endpoint, path: str) -> Iterator[_Json]:
    for name, value in row.fixed.items():
        yield _parameter(name, "query", {"type": "string", "const": value}, is_required=True)
    for each in arguments_of(row):
        if each.place is ArgumentPlace.PATH and f"{{{each.wire}}}" in path:
            yield _parameter(each.wire, "path", _schema(each), is_required=True)
        elif each.place is ArgumentPlace.QUERY or (
            each.place is ArgumentPlace.BODY and _is_in_query(row)
        ):
            yield _parameter(each.wire, "query", _schema(each), is_required=each.is_required)
    for header in row.headers:
        schema: _Json = {"type": "string"}
        yield _parameter(header.name, "header", schema, is_required=header.is_required)


def _parameter(name: str, where: str, schema: _Json, *, is_required: bool) -> _Json:
    return {"name": name, "in": where, "required": is_required, "schema": schema}


def _schema(argument: Argument) -> _Json:
    found = dict(_TYPES[argument.kind])
    if argument.values:
        found["x-extensible-enum"] = list(argument.values)
    if argument.maximum is not None:
        found["maximum"] = argument.maximum
    return found


def _answer(row: Endpoint) -> _Json:
    if not row.shows_answer:
        return {"description": "What is answered is not shown."}
    schema = _array(row) if row.answers_array else reference_to(row.model)
    found: _Json = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    if row.links:
        found["links"] = {endpoint(link.to).name: _link(row, link) for link in row.links}
    return found


def _array(row: Endpoint) -> _Json:
    members = component_schemas([], [row.model])[row.model.__name__]["properties"]
    return {**members["results"], "type": "array"}


def _link(row: Endpoint, link: Link) -> _Json:
    target = endpoint(link.to)
    shared = set(_names(row.path)) & set(_names(target.path)) - link.parameters.keys()
    parameters = {f"path.{name}": f"$request.path.{name}" for name in sorted(shared)}
    for name, pointer in link.parameters.items():
        place = "path" if name in _names(target.path) else "query"
        parameters[f"{place}.{name}"] = f"$response.body#{pointer}"
    return {"operationId": target.name, "parameters": parameters}


def _names(path: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", path)


def _callback(row: Endpoint, callback: CallbackUrl) -> _Json:
    where = f"query.{callback.member}" if _is_in_query(row) else f"body#/{callback.member}"
    schema = reference_to(load_model(callback.posts)) if callback.posts else {}
    posted: _Json = {
        "summary": f"Posted {callback.when}.",
        "security": [],
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"default": {"description": "What is made of the answer is not shown."}},
    }
    return {f"{{$request.{where}}}": {"post": posted}}


def _schemas() -> _Json:
    bodies = [row.body_model for row in ENDPOINTS if row.body_model and not _is_in_query(row)]
    answers = [row.model for row in ENDPOINTS if row.shows_answer]
    posted = [load_model(each.posts) for row in ENDPOINTS for each in row.callbacks if each.posts]
    found = component_schemas(bodies, [*answers, *posted])
    for row in ENDPOINTS:
        if row.answers_array:
            del found[row.model.__name__]  # the wire has the bare array instead
        if row.filled and row.body_model:
            schema = found[row.body_model.__name__]
            schema["properties"] |= {name: {"type": "string"} for name in row.repeats}
            schema["required"] = [*schema.get("required", ()), *row.filled]
    return found
