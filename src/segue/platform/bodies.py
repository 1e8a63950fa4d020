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
    """An exception for a request body that does not fit its model.

    The message names the invalid member but does not quote its value.
    """


def written_members(model: type[PlatformModel], members: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the members of a body to be sent, and return them by their names in the JSON.

    Values may also be models, such as objects from an earlier answer. A member that is None becomes
    null. A None inside a nested model is left out.

    Raises:
        BodyMisfit: A member is missing, has the wrong type or exceeds its limit.

    """
    body = _fitted(model, lambda: to_json(members, by_alias=True, exclude_none=True), by_name=True)
    given = body.model_dump(by_alias=True, exclude_unset=True)
    return _written(body) | {name: None for name, value in given.items() if value is None}


def read_members(row: Endpoint, members: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the members of a received body, and return them as the body's model serializes them.

    The result has the names of the JSON as keys and no null values. It is empty if the endpoint
    takes no body.

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
    """Yield each string that is not among the literals of its annotation.

    Each result is the path of the string, such as `"filters.status.0"`, and the listed literals as
    text, such as `"asc, desc"`.
    """
    listed = vocabulary(annotation)
    if isinstance(value, str) and listed and value not in listed:
        yield place, ", ".join(filter(None, listed))
    for kind in alternatives(annotation):
        for name, inner, part in _parts(kind, value):
            yield from _unlisted(inner, part, f"{place}.{name}" if place else name)


def _parts(kind: Any, value: object) -> Iterator[tuple[str, object, object]]:  # noqa: ANN401 - a type
    """Yield the name, annotation and value of each member of an object or item of an array.

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
    """Validate the JSON text that `write` returns, and return it as an instance of the model.

    With `by_name`, the text may use the model's attribute names, as for a body to be sent.
    Otherwise it may only use the names of the JSON, as for a received body.
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
    """Return the members of a body that are not None, by their names in the JSON."""
    return body.model_dump(by_alias=True, exclude_none=True)
