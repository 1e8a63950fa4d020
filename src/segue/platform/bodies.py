"""Bodies of requests, held against the model of their row: as they are sent, and as received."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json

from segue.platform.models.base import RECEIVED, PlatformModel
from segue.platform.rows import Endpoint


class BodyMisfit(Exception):
    """A body does not fit its model. The text names the place, and nothing that was sent."""


def written_members(model: type[PlatformModel], members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a body by wire names; a model of an answer may stand in it.

    Raises:
        BodyMisfit: A member is missing, of another type or over its limit.

    """
    return _fitted(model, lambda: to_json(members, by_alias=True, exclude_none=True), by_name=True)


def read_members(row: Endpoint, members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a body by wire names, as its model writes them.

    Raises:
        BodyMisfit: A member is missing, of another type or over its limit.

    """
    model = row.body_model
    if model is None:
        return {}
    for name in row.filled:
        if not isinstance(members.get(name), str):
            raise BodyMisfit(f"{name}: a text is required")
    return _fitted(model, lambda: json.dumps(members, allow_nan=False), by_name=False)


def _fitted(
    model: type[PlatformModel], write: Callable[[], str | bytes], *, by_name: bool
) -> dict[str, Any]:
    """Return a body as its model writes it; `write` gives its JSON text.

    With wire names alone, it was received.
    """
    try:
        context = None if by_name else RECEIVED
        body = model.model_validate_json(write(), by_alias=True, by_name=by_name, context=context)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise BodyMisfit(f"{place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise BodyMisfit("the body holds a value that JSON cannot") from None
    return body.model_dump(by_alias=True, exclude_none=True)
