"""Bodies of requests as a receiver reads them: held against the model of their row."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from segue.platform.rows import Endpoint

__all__ = ["BodyMisfit", "misfit_text", "read_members"]


class BodyMisfit(Exception):
    """A body does not fit its model. The text names the place, and nothing that was sent."""


def misfit_text(error: ValidationError) -> str:
    """Return the first place that does not fit a model, and why; nothing of what stands there."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or "the body"
    return f"{place}: {first['msg']}"


def read_members(row: Endpoint, members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a body by wire names, as its model writes them.

    Raises:
        BodyMisfit: A member is missing, of another type or over its limit.

    """
    model = row.body_model
    if model is None:
        return {}
    try:
        text = json.dumps(members, allow_nan=False)
        body = model.model_validate_json(text, by_alias=True, by_name=False)
    except ValidationError as error:
        raise BodyMisfit(misfit_text(error)) from None
    except (ValueError, RecursionError):
        raise BodyMisfit("it holds a value that JSON cannot") from None
    written: dict[str, Any] = body.model_dump(by_alias=True, exclude_none=True)
    return written
