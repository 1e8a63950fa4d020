"""Checks of the options that callers pass: names, types, choices and bounds.

The type annotations of a function, a dataclass or a `TypedDict` declare its options. Messages name
the type of a wrong value, not the value, because the value may be a secret.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import InitVar, fields
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from math import isfinite
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Literal,
    NamedTuple,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from segue.core.epoch import is_aware
from segue.core.errors import ConfigurationError

__all__ = [
    "Bounds",
    "check_choice",
    "check_choices",
    "check_fields",
    "check_option",
    "check_options",
    "closest",
]

_LONGEST_SHOWN: Final = 60
_WORDS: Final[Mapping[object, tuple[str, str]]] = {
    str: ("a string", "strings"),
    bytes: ("bytes", "bytes"),
    bool: ("True or False", "booleans"),
    int: ("an integer", "integers"),
    float: ("a number", "numbers"),
    datetime: ("a datetime with a time zone", "datetimes with a time zone"),
    tzinfo: ("a tzinfo", "tzinfo objects"),
    NoneType: ("None", "None"),
    Callable: ("a function", "functions"),
}
"""The singular and the plural of types that messages do not call by their Python name."""
_EXAMPLES: Final[Mapping[object, str]] = {
    datetime: "datetime.now(UTC)",
    timedelta: "timedelta(seconds=30)",
    tzinfo: 'ZoneInfo("Europe/Berlin")',
}


class Bounds(NamedTuple):
    """A range of numbers or timedeltas.

    `value in bounds` tests a value. NaN and infinite values are not in any range.
    """

    least: Any = None
    """The smallest value in the range, or None if there is no such limit."""
    most: Any = None
    """The largest value in the range, or None if there is no such limit."""
    above: Any = None
    """A limit that values must exceed, or None if there is no such limit."""

    def __contains__(self, value: object) -> bool:
        """Return whether a value is a finite number or a timedelta within the limits."""
        return (
            isinstance(value, timedelta) or (isinstance(value, int | float) and isfinite(value))
        ) and (
            (self.least is None or self.least <= value)
            and (self.most is None or self.most >= value)
            and (self.above is None or self.above < value)
        )

    def __str__(self) -> str:
        """Return a description for error messages, such as `at least 1`."""
        if self.least is not None and self.most is not None:
            return f"from {self.least} to {self.most}"
        above = f"more than {self.above}" if self.above else "positive"
        parts = (
            (self.least, f"at least {self.least}"),
            (self.above, above),
            (self.most, f"at most {self.most}"),
        )
        return " and ".join(words for end, words in parts if end is not None)


def check_options(
    declared: Callable[..., Any],
    given: Mapping[str, object],
    *,
    examples: Mapping[str, str] | None = None,
    bounds: Mapping[str, Bounds] | None = None,
) -> None:
    """Check the names, types and ranges of options.

    Args:
        declared: The function or class whose parameters or fields are the options.
        given: The values to check, by the name of the option.
        examples: Valid values that error messages suggest, as Python code by option name.
        bounds: The ranges of numbers and timedeltas, by option name.

    Raises:
        ConfigurationError: An option is unknown, has a value of the wrong type, or is out of range.

    """
    kinds = _kinds(declared)
    for name, value in given.items():
        if name not in kinds:
            hint = closest(name, kinds, f"the options are {', '.join(sorted(kinds))}")
            raise ConfigurationError(f"unknown option `{name}`: {hint}")
        example, limits = (examples or {}).get(name, ""), (bounds or {}).get(name)
        check_option(name, value, kinds[name], example=example, bounds=limits)


def check_fields(
    instance: object,
    *,
    examples: Mapping[str, str] | None = None,
    bounds: Mapping[str, Bounds] | None = None,
) -> None:
    """Check the field values of a dataclass instance in the same way as `check_options`."""
    names = [each.name for each in fields(cast("Any", instance)) if each.init]
    given = {name: getattr(instance, name) for name in names}
    check_options(type(instance), given, examples=examples, bounds=bounds)


def check_option(
    name: str, value: object, kind: object, *, example: str = "", bounds: Bounds | None = None
) -> None:
    """Check the type and the range of one option.

    `kind` is the type that the value must have. It may be a union, a `Literal` or a collection.

    Raises:
        ConfigurationError: The value has another type, or is out of its range.

    """
    if not _matches(value, kind):
        is_choice = any(map(_is_literal, _parts(kind)))
        got = _shown(value) if is_choice else _kind_of(value, kind)
        example = example or next(filter(None, map(_EXAMPLES.get, _parts(kind))), "")
        hint = f", for example {name}={example}" if example else ""
        raise ConfigurationError(f"`{name}` must be {_words(kind)}{hint}, got {got}")
    if bounds is not None and value is not None and value not in bounds:
        raise ConfigurationError(f"`{name}` must be {bounds}, got {value}")


def check_choice(name: str, value: object, known: Collection[str]) -> None:
    """Raise `ConfigurationError` if the value of an option is not one of the `known` words."""
    _check_words(f"`{name}` must be one of", [value], known)


def check_choices(name: str, values: Iterable[object], known: Collection[str]) -> None:
    """Raise `ConfigurationError` if a list of words contains a word that is not in `known`."""
    _check_words(f"`{name}` must only contain", values, known)


def closest(text: str, known: Iterable[str], otherwise: str, most: int = 1) -> str:
    """Return a hint such as `did you mean policy?`, or `otherwise` if no known word is similar.

    `most` is the largest number of words in the hint.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it

    found = get_close_matches(text, known, most)
    return f"did you mean {' or '.join(found)}?" if found else otherwise


def _check_words(must: str, values: Iterable[object], known: Collection[str]) -> None:
    for value in values:
        if value not in tuple(known):
            raise ConfigurationError(f"{must} {', '.join(known)}, got {_shown(value)}")


@lru_cache(maxsize=256)
def _kinds(declared: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the type of each parameter of a function, or field of a class, by its name."""
    kinds: dict[str, Any] = {}
    for name, hint in get_type_hints(declared).items():
        if get_origin(hint) is Unpack:
            kinds |= _kinds(get_args(hint)[0])
        elif name != "return":
            kinds[name] = hint.type if isinstance(hint, InitVar) else hint
    return kinds


@lru_cache(maxsize=256)
def _parts(kind: object) -> tuple[Any, ...]:
    """Return the member types of a union, or a tuple of the type itself if it is not a union."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _is_literal(kind: object) -> bool:
    return get_origin(kind) is Literal


def _is_collection(kind: object) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Container | Iterable)


def _matches(value: object, kind: object) -> bool:
    """Return whether a value has the type `kind`, or one of the types if `kind` is a union."""
    return any(_matches_part(value, part) for part in _parts(kind))


def _matches_part(value: object, kind: object) -> bool:
    origin: Any = get_origin(kind) or kind
    if _is_literal(kind):
        return value in get_args(kind)
    if _is_collection(kind):
        return (
            isinstance(value, origin)
            and not isinstance(value, str | bytes)
            and not any(True for _ in _misfits(value, kind))
        )
    if origin is float:
        origin = int | float
    if origin in (Any, object):
        return True
    is_other = (
        (isinstance(value, bool) and origin is not bool)
        or (isinstance(value, type) and getattr(origin, "_is_protocol", False))
        or (isinstance(value, datetime) and not is_aware(value))
    )
    return not is_other and isinstance(value, origin)


def _misfits(value: object, kind: object) -> Iterator[Any]:
    """Yield the elements of a collection, or values of a mapping, that have the wrong type."""
    wanted = _element_of(kind)
    if isinstance(value, Collection) and wanted not in (Any, object):
        of_values = isinstance(value, Mapping) and _is_mapping(kind)
        elements: Collection[Any] = cast("Any", value).values() if of_values else value
        yield from (each for each in elements if not _matches(each, wanted))


def _is_mapping(kind: object) -> bool:
    return issubclass(cast("type", get_origin(kind)), Mapping)


def _element_of(kind: object) -> object:
    """Return the type of the elements of a collection type, or of the values of a mapping type."""
    element: object = get_args(kind)[1 if _is_mapping(kind) else 0]
    return element


def _words(kind: object, *, plural: bool = False) -> str:
    """Return a noun phrase for a type, such as `a list of strings or None`."""
    words = [word for part in _parts(kind) for word in _words_of_part(part, plural=plural)]
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last


def _words_of_part(kind: object, *, plural: bool) -> Iterator[str]:
    origin: Any = get_origin(kind) or kind
    if _is_literal(kind):
        yield from map(repr, get_args(kind))
    elif origin in _WORDS:
        yield _WORDS[origin][plural]
    elif _is_collection(kind):
        name = "dict" if _is_mapping(kind) else "list"
        elements = _element_of(kind)
        of = "" if elements in (Any, object) else f" of {_words(elements, plural=True)}"
        yield f"{name}s{of}" if plural else f"a {name}{of}"
    else:
        article = "an" if origin.__name__[0] in "AEIOU" else "a"
        yield f"{origin.__name__} objects" if plural else f"{article} {origin.__name__}"


def _kind_of(value: object, kind: object) -> str:
    """Return a noun phrase for the type of a wrong value, such as `a list with int`."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    if isinstance(value, datetime):
        return name if is_aware(value) else f"a {name} without a time zone"
    for part in filter(_is_collection, _parts(kind)):
        if isinstance(value, cast("Any", get_origin(part))) and not isinstance(value, str | bytes):
            for misfit in _misfits(value, part):
                return f"a {name} with {_kind_of(misfit, _element_of(part))}"
    return name


def _shown(value: object) -> str:
    """Return the `repr` of a value for an error message.

    A long text is replaced by the name of its type, and so is one with `@` or `=`, which may
    contain a password.
    """
    text = repr(value)
    is_shown = len(text) <= _LONGEST_SHOWN and not {"@", "="} & set(text)
    return text if is_shown else type(value).__name__
