"""Parse the platform's answers into models.

A value that does not fit its model is dropped and listed as an `AnswerFlaw`. So are the items of a
list beyond `ITEM_LIMIT`, because the model of an item can take hundreds of times the memory of its
JSON.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
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
ITEM_LIMIT: Final = 10_000
"""The maximum number of items that are read of a page, or of another list in an answer."""
_VALUE_LIMIT: Final = 50_000
"""The maximum number of items, objects and lists that are read of an answer."""
_MISFIT_LIMIT: Final = 50_000
"""The maximum number of values with a wrong type. Of an answer with more nothing is read."""
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


def _no_check() -> None:
    """Do nothing."""


def read_answer(
    row: Endpoint,
    raw: ReceivedAnswer,
    arguments: Mapping[str, Any],
    check_time: Callable[[], None] = _no_check,
) -> "PlatformModel":
    """Parse an answer of the platform and return an instance of `row.model`.

    The function never raises, whatever the server sends. Values that do not fit the model are
    dropped and listed in the result's `flaws`. If the body is not JSON, every attribute is None.

    Args:
        row: The endpoint that was called.
        raw: The HTTP answer.
        arguments: The arguments of the call, which the result repeats.
        check_time: Called before each step. It may raise an exception to stop reading.

    """
    check_time()
    value = _parsed(raw.body)
    too_long = _shorten(value)
    members = value
    if row.answers_array:
        members = {"results": value} if isinstance(value, list) else None
    if isinstance(members, dict):
        flaws = [
            AnswerFlaw("SG502", f"/{name}", f"{name} of the answer of {row.number} is missing")
            for name in row.expects
            if members.get(name) is None
        ]
        model, misfits = _fitted(row.model, members, check_time)
        in_array = "/results" if row.answers_array else ""
        flaws += too_long
        flaws += [each._replace(pointer=each.pointer.removeprefix(in_array)) for each in misfits]
    else:
        model, _ = _fitted(row.model, {}, check_time)
        flaws = [_unreadable(row, raw.body, value)]
    model.received(raw, flaws if row.shows_answer else (), arguments)
    return model


def flaws_of(row: Endpoint, body: bytes) -> tuple[AnswerFlaw, ...]:
    """Check the body of an answer against the model of its endpoint, `row.model`.

    Return a flaw for each wrong or missing value. The result is empty for a correct body.
    """
    return read_answer(row, ReceivedAnswer(200, {}, body), {}).flaws


def _parsed(body: bytes) -> object:
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        return _OMITTED


def _shorten(value: object) -> list[AnswerFlaw]:
    """Remove the items of JSON lists beyond `ITEM_LIMIT`, and whatever exceeds `_VALUE_LIMIT`.

    Outer lists come first. Return a flaw for each list that was shortened, and one for the rest.
    """
    flaws = []
    left, is_over = _VALUE_LIMIT, False
    pending = deque[tuple[_Place, Any]]([((), value)])
    while pending:
        place, holder = pending.popleft()
        if isinstance(holder, list):
            if len(holder) > ITEM_LIMIT:
                flaws.append(_too_many(place, len(holder)))
            is_over = is_over or min(len(holder), ITEM_LIMIT) > left
            del holder[min(ITEM_LIMIT, left) :]
            left -= len(holder)
            inner = [item for item in enumerate(holder) if isinstance(item[1], dict | list)]
        elif isinstance(holder, dict):
            inner = [item for item in holder.items() if isinstance(item[1], dict | list)]
            is_over = is_over or len(inner) > left
            for name, _ in inner[left:]:
                del holder[name]
            del inner[left:]
            left -= len(inner)
        else:
            break
        pending.extend(((*place, name), each) for name, each in inner)
    if is_over:
        message = f"the answer has more than {_VALUE_LIMIT} items and objects: the rest is left out"
        flaws.append(AnswerFlaw("SG503", "", message))
    return flaws


def _too_many(place: _Place, count: int) -> AnswerFlaw:
    name = place[-1] if place else "the answer"
    message = f"{name} has {count} items: only the first {ITEM_LIMIT} are read"
    return AnswerFlaw("SG503", _pointer(place), message)


def _unreadable(row: Endpoint, body: bytes, value: object) -> AnswerFlaw:
    of = f"the answer of {row.number}"
    if value is _OMITTED:
        return AnswerFlaw("SG501", "", f"{of} is {'not JSON' if body.strip() else 'empty'}")
    return _wrong_type("", of, value, ("array" if row.answers_array else "object",))


def _fitted(
    model: "type[PlatformModel]", value: dict[str, Any], check_time: Callable[[], None]
) -> tuple["PlatformModel", list[AnswerFlaw]]:
    """Convert `value` to the model, without the values that have a wrong type.

    Return the model, and a flaw for each value that was dropped.
    """
    flaws: list[AnswerFlaw] = []
    while True:
        check_time()
        try:
            return model.model_validate(value, by_alias=True, by_name=False), flaws
        except ValidationError as error:
            check_time()
            if error.error_count() > _MISFIT_LIMIT:
                message = f"more than {_MISFIT_LIMIT} values of the answer have a wrong type"
                flaws, value = [AnswerFlaw("SG503", "", message)], {}
                continue
            errors = error.errors(include_url=False, include_context=False, include_input=False)
            wrong = _places(value, errors)
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
    """Convert Pydantic's errors to the JSON types that are expected at each wrong location.

    The result looks like `{("results", 0): ("object",)}`. Pydantic reports a separate error for
    each member of a union, so a location may have several types.
    """
    found: dict[_Place, tuple[str, ...]] = {}
    for error in errors:
        place = _existing(value, error["loc"])
        wanted = _WANTED.get(error["type"], "one of its values")
        if wanted not in found.get(place, ()):
            found[place] = (*found.get(place, ()), wanted)
    return found


def _existing(value: object, loc: _Place) -> _Place:
    """Return the location of an error without the parts that do not exist in `value`.

    Pydantic appends the names of union members to locations, for example.
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
    """Delete the values at `places` from an object, which is modified, and return it.

    If the places include the object itself (an empty path), return an empty object.
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
