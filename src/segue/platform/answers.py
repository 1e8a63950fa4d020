"""Parse the platform's answers into models.

A value that does not fit its model is dropped and listed as an `AnswerFlaw`.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from segue.core.events import Json
from segue.platform.messages import ReceivedAnswer
from segue.platform.models.base import AnswerFlaw
from segue.platform.rows import Endpoint

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel

_Place = tuple[str | int, ...]
FLAW_LIMIT: Final = 100
"""The maximum number of `AnswerFlaw` objects listed for one answer."""
_WANTED: Final = {
    "bool_type": "boolean",
    "string_type": "string",
    "int_type": "integer",
    "float_type": "number",
    "list_type": "array",
    "dict_type": "object",
    "model_type": "object",
}
_ALSO_WANTED: Final = {"integer": "number", "one of its values": "string"}
"""Type names that a message omits if it also names the type they are mapped to."""
_OMITTED: Final = object()


def read_answer(
    row: Endpoint, raw: ReceivedAnswer, arguments: Mapping[str, Any]
) -> "PlatformModel":
    """Parse an answer and return an instance of `row.model`.

    The function never raises, whatever the server sends. Values that do not fit the model are
    dropped and listed in the result's `flaws`. If the body is not JSON, every attribute is None.
    """
    value = _parsed(raw.body)
    members = value
    if row.answers_array:
        members = {"results": value} if isinstance(value, list) else None
    if isinstance(members, dict):
        flaws = [
            AnswerFlaw("SG502", f"/{name}", f"{name} of the answer of {row.number} is missing")
            for name in row.expects
            if members.get(name) is None
        ]
        model, misfits = _fitted(row.model, members)
        in_array = "/results" if row.answers_array else ""
        flaws += [each._replace(pointer=each.pointer.removeprefix(in_array)) for each in misfits]
    else:
        model, _ = _fitted(row.model, {})
        flaws = [_unreadable(row, raw.body, value)]
    model.received(raw, tuple(flaws[:FLAW_LIMIT]) if row.shows_answer else (), arguments)
    return model


def flaws_of(row: Endpoint, body: bytes) -> tuple[AnswerFlaw, ...]:
    """Return a flaw for each value of an answer's body that does not fit `row.model`.

    The result is empty for a correct body.
    """
    return read_answer(row, ReceivedAnswer(200, {}, body), {}).flaws


def _parsed(body: bytes) -> object:
    """Return the JSON value of a body, or `_OMITTED` if the body is not JSON."""
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        return _OMITTED


def _unreadable(row: Endpoint, body: bytes, value: object) -> AnswerFlaw:
    of = f"the answer of {row.number}"
    if value is _OMITTED:
        return AnswerFlaw("SG501", "", f"{of} is {'not JSON' if body.strip() else 'empty'}")
    return _wrong_type("", of, value, ("array" if row.answers_array else "object",))


def _fitted(
    model: "type[PlatformModel]", value: dict[str, Any]
) -> tuple["PlatformModel", list[AnswerFlaw]]:
    """Return a model of the values that fit it, and a flaw for each value that does not fit."""
    flaws: list[AnswerFlaw] = []
    while True:
        try:
            return model.model_validate(value, by_alias=True, by_name=False), flaws
        except ValidationError as error:
            wrong = _places(value, error.errors(include_url=False, include_context=False))
            flaws += [
                _wrong_type(
                    _pointer(place),
                    str(place[-1]) if place else "the answer",
                    _at(value, place),
                    wanted,
                )
                for place, wanted in wrong.items()
            ]
            value = _without(value, wrong)


def _places(value: object, errors: Iterable[ErrorDetails]) -> dict[_Place, tuple[str, ...]]:
    """Return the expected JSON types of each wrong value, such as `{("results", 0): ("object",)}`.

    Pydantic reports an error for each type of a union. Their types are collected in one tuple.
    """
    found: dict[_Place, tuple[str, ...]] = {}
    for error in errors:
        place = _existing(value, error["loc"])
        wanted = _WANTED.get(error["type"], "one of its values")
        if wanted not in found.get(place, ()):
            found[place] = (*found.get(place, ()), wanted)
    return found


def _existing(value: object, loc: _Place) -> _Place:
    """Return the longest prefix of an error location that exists in the value.

    Pydantic appends the names of union members to a location, which the value does not contain.
    """
    for depth, part in enumerate(loc):
        if not _has(value, part):
            return loc[:depth]
        value = _at(value, (part,))
    return loc


def _has(value: object, part: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(part, int) and part < len(value)
    return isinstance(value, dict) and part in value


def _at(value: Json, place: _Place) -> Json:
    for part in place:
        value = value[part]
    return value


def _without(value: dict[str, Any], places: Collection[_Place]) -> dict[str, Any]:
    """Remove the values at these places from an object, and return it.

    The object is modified. If the places include the empty path, the result is an empty object.
    """
    if () in places:
        return {}
    shortened: list[list[Any]] = []
    for place in places:
        if any(place[:depth] in places for depth in range(1, len(place))):
            continue  # removed together with the object or array that contains it
        holder = _at(value, place[:-1])
        if isinstance(holder, list):
            holder[int(place[-1])] = _OMITTED
            shortened.append(holder)
        else:
            del holder[place[-1]]
    for each in shortened:
        each[:] = [item for item in each if item is not _OMITTED]
    return value


def _pointer(place: Iterable[str | int]) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def _wrong_type(pointer: str, name: str, value: object, wanted: Collection[str]) -> AnswerFlaw:
    named = [each for each in wanted if _ALSO_WANTED.get(each) not in wanted]
    message = f"{name} came as {_type_of(value)} instead of {' or '.join(named)}"
    return AnswerFlaw("SG503", pointer, message)


def _type_of(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list():
            return "array"
        case _:
            return "object"
