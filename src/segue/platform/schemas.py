"""JSON Schemas of the platform's models, for use in an OpenAPI document."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic.json_schema import models_json_schema

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel

_Json: TypeAlias = dict[str, Any]
_PREFIX: Final = "#/components/schemas/"
_NULL: Final = {"type": "null"}


def reference_to(model: "type[PlatformModel]") -> _Json:
    """Return a reference to a model's schema, as `{"$ref": "#/components/schemas/Queue"}`."""
    return {"$ref": f"{_PREFIX}{model.__name__}"}


def component_schemas(
    requests: "Iterable[type[PlatformModel]]", answers: "Iterable[type[PlatformModel]]"
) -> _Json:
    """Return the JSON Schemas of the models and of all models nested in them, by class name.

    The schemas of answers allow null for every member. Those of requests do not, because clients
    leave optional members out.
    """
    sent = _schemas(requests)
    received = _schemas(answers)
    return {
        name: _plain(schema, has_null=name not in sent)
        for name, schema in sorted({**received, **sent}.items())
    }


def _schemas(models: "Iterable[type[PlatformModel]]") -> _Json:
    _, found = models_json_schema(
        [(model, "validation") for model in dict.fromkeys(models)], ref_template=_PREFIX + "{model}"
    )
    schemas: _Json = found.get("$defs", {})
    return schemas


def _plain(schema: _Json, *, has_null: bool) -> _Json:
    """Return a copy of a schema without titles and null defaults, and with simplified unions.

    The copy allows null only if `has_null` is True.
    """
    found = {
        key: value
        for key, value in schema.items()
        if key != "title" and not (key == "default" and value is None)
    }
    if "properties" in found:
        found["properties"] = {
            name: _plain(each, has_null=has_null) for name, each in found["properties"].items()
        }
    for key in ("items", "additionalProperties"):
        if isinstance(found.get(key), dict):
            found[key] = _plain(found[key], has_null=has_null)
    if "anyOf" not in found:
        return found
    parts = [_plain(part, has_null=has_null) for part in found.pop("anyOf")]
    return found | _union(parts, has_null=has_null)


def _union(parts: list[_Json], *, has_null: bool) -> _Json:
    """Return one schema for a union of schemas.

    If the union is any string or one of some known values, the known values are listed in
    `x-extensible-enum`.
    """
    is_nullable = has_null and _NULL in parts
    known = [value for part in parts if part.get("type") == "string" for value in _values(part)]
    is_open = {"type": "string"} in parts
    kept = [part for part in parts if part != _NULL and not (is_open and _values(part))]
    if {"type": "number"} in kept:
        kept = [part for part in kept if part != {"type": "integer"}]
    kept = [{"type": part["type"], "enum": [part["const"]]} if "const" in part else part
            for part in kept]  # fmt: skip
    if is_open and known:
        kept = [{**part, "x-extensible-enum": known} if part == {"type": "string"} else part
                for part in kept]  # fmt: skip
    if not is_nullable and len(kept) == 1:
        return kept[0]
    if len(kept) == 1 and isinstance(kept[0].get("type"), str):
        return {**kept[0], "type": [kept[0]["type"], "null"]}
    return {"anyOf": [*kept, *([_NULL] if is_nullable else [])]}


def _values(part: _Json) -> list[Any]:
    return [part["const"]] if "const" in part else list(part.get("enum", ()))
