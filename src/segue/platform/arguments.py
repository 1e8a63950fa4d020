"""The arguments that the client's method for an endpoint takes.

They are derived from the `Endpoint` and the model of its request body.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin

from segue.platform.rows import Endpoint

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


class ArgumentPlace(StrEnum):
    """The part of an HTTP request that carries an argument."""

    PATH = "path"
    QUERY = "query"
    BODY = "body"
    HEADER = "header"


class ArgumentKind(StrEnum):
    """The type of an argument, independent of the part of the request that carries it."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"
    JSON = "JSON"
    """A JSON object or array. Some arguments also accept an id instead of an object."""


class Argument(NamedTuple):
    """An argument of a call, such as `stream`, which is sent as `streamId` in the path."""

    name: str
    """The name of the parameter of the client's method, such as `stream`."""
    wire: str
    """The name in the HTTP request, such as `streamId`."""
    place: ArgumentPlace
    kind: ArgumentKind
    is_required: bool
    values: tuple[str, ...] = ()
    """The values that the specification lists for the argument, or an empty tuple."""
    maximum: int | None = None
    """The largest number allowed, or None without a limit."""


_KINDS = {"str": ArgumentKind.TEXT, "int": ArgumentKind.INTEGER, "bool": ArgumentKind.BOOLEAN}


def arguments_of(row: Endpoint) -> Iterator[Argument]:
    """Yield the arguments of an endpoint, first those in the path, then query, body and headers.

    An argument that is sent in both the path and a header is yielded only once.
    """
    for place, args in ((ArgumentPlace.PATH, row.path_args), (ArgumentPlace.QUERY, row.query)):
        for arg in args:
            kind = _KINDS[arg.type]
            yield Argument(
                arg.name, arg.wire, place, kind, arg.is_required, arg.values, arg.maximum
            )
    for name, field in (row.body_model.model_fields if row.body_model else {}).items():
        is_time = bool(row.window_days) and name in {"since", "until"}
        yield Argument(
            name,
            str(field.alias),
            ArgumentPlace.BODY,
            ArgumentKind.TIME if is_time else _kind(field),
            field.is_required(),
            tuple(filter(None, vocabulary(field.annotation))),
        )
    in_path = {arg.name for arg in row.path_args}
    for header in row.headers:
        if header.argument not in in_path:
            place, kind = ArgumentPlace.HEADER, ArgumentKind.TEXT
            yield Argument(header.argument, header.name, place, kind, header.is_required)


def _kind(field: "FieldInfo") -> ArgumentKind:
    parts = set(_parts(field.annotation))
    if parts & {list, dict} or any(hasattr(part, "model_fields") for part in parts):
        return ArgumentKind.JSON
    if bool in parts:
        return ArgumentKind.BOOLEAN
    if float in parts:
        return ArgumentKind.NUMBER
    return ArgumentKind.INTEGER if int in parts else ArgumentKind.TEXT


def _parts(annotation: object) -> Iterator[Any]:
    yield get_origin(annotation) or annotation
    for part in get_args(annotation):
        yield from _parts(part)


def alternatives(annotation: object) -> Iterator[Any]:
    """Yield the members of a union annotation, including those of nested unions and literals.

    For `Literal["asc"] | list[int] | None` these are `"asc"`, `list[int]` and `NoneType`. An
    annotation that is not a union is yielded itself.
    """
    parts = () if get_origin(annotation) in {list, dict} else get_args(annotation)
    if not parts:
        yield annotation
    for part in parts:
        yield from alternatives(part)


def vocabulary(annotation: object) -> tuple[str, ...]:
    """Return the strings that an annotation lists as literals, or an empty tuple.

    For `Literal["asc", "desc"] | str` these are `("asc", "desc")`.
    """
    return tuple(part for part in alternatives(annotation) if isinstance(part, str))
