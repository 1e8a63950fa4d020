"""Validate request bodies against their models, both before sending and after receiving."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import to_json

from segue.platform.arguments import alternatives, vocabulary
from segue.platform.models.base import RECEIVED, PlatformModel
from segue.platform.rows import Endpoint


class BodyMisfit(Exception):
    """A request body does not match the model of its endpoint.

    The message names the invalid member but does not quote its value.
    """


def written_members(model: type[PlatformModel], members: Mapping[str, Any]) -> dict[str, Any]:
    """Validate a request body before it is sent, and return it as a JSON object.

    Values may also be models, such as objects from an earlier answer. A member that is None becomes
    null. A None inside a nested model is left out.

    Args:
        model: The model of the body.
        members: The members of the body, under their names in Python or in JSON.

    Raises:
        BodyMisfit: A member is missing, has the wrong type or exceeds its limit.

    """
    body = _fitted(model, lambda: to_json(members, by_alias=True, exclude_none=True), by_name=True)
    given = body.model_dump(by_alias=True, exclude_unset=True)
    return _written(body) | {name: None for name, value in given.items() if value is None}


def read_members(row: Endpoint, members: Mapping[str, Any]) -> dict[str, Any]:
    """Validate a request body that a server has received, and return it as a JSON object.

    The result has no null values. It is empty if the endpoint takes no body.

    Args:
        row: The endpoint that the request addresses.
        members: The decoded body.

    Raises:
        BodyMisfit: A member is missing, has the wrong type, exceeds its limit, or has a value that
            the specification does not list.

    """
    model = row.body_model
    if model is None:
        return {}
    for name in row.filled:
        if not isinstance(members.get(name), str):
            raise BodyMisfit(f"{name}: a string is required")
    found = _fitted(model, lambda: json.dumps(members, allow_nan=False), by_name=False)
    body = _written(found)
    for place, listed in _unlisted(model, body, ""):
        raise BodyMisfit(f"{place}: must be one of {listed}")
    return body


def _unlisted(annotation: object, value: object, place: str) -> Iterator[tuple[str, str]]:
    """Yield `(path, allowed strings)` for each string that its annotation does not allow.

    For example `("filters.status.0", "asc, desc")`.
    """
    listed = vocabulary(annotation)
    if isinstance(value, str) and listed and value not in listed:
        yield place, ", ".join(filter(None, listed))
    for kind in alternatives(annotation):
        for name, inner, part in _parts(kind, value):
            yield from _unlisted(inner, part, f"{place}.{name}" if place else name)


def _parts(kind: Any, value: object) -> Iterator[tuple[str, object, object]]:  # noqa: ANN401 - a type
    """Yield `(name, annotation, value)` for each member of an object or item of an array.

    The name of an item is its index.
    """
    if isinstance(value, list) and get_origin(kind) is list:
        for number, item in enumerate(value):
            yield str(number), get_args(kind)[0], item
    elif isinstance(value, dict):
        for field in getattr(kind, "model_fields", {}).values():
            yield str(field.alias), field.annotation, value.get(str(field.alias))


def _fitted(
    model: type[PlatformModel], write: Callable[[], str | bytes], *, by_name: bool
) -> PlatformModel:
    """Validate JSON text against a model, and return an instance of the model.

    Args:
        model: The model of the body.
        write: A function that returns the JSON text.
        by_name: Whether the text may use the attribute names of the model in place of the names in
            the specification. Bodies to be sent may, received bodies may not.

    """
    try:
        context = None if by_name else RECEIVED
        return model.model_validate_json(write(), by_alias=True, by_name=by_name, context=context)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise BodyMisfit(f"{place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise BodyMisfit("the body contains a value that JSON cannot represent") from None


def _written(body: PlatformModel) -> dict[str, Any]:
    """Convert a model to a JSON object without null values."""
    return body.model_dump(by_alias=True, exclude_none=True)
