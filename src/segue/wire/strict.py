"""What is JSON: text or Python values to plain JSON values, or the reason why not.

It decides SG501 and nothing else.  House rules: (1) whatever is given, the outcome is a value or
`Unreadable`; (2) a reason is one of a few fixed phrases, without a word of the sender's text;
(3) what is wrong inside a part of the text is marked where it stands and refused by `inspect`, so
that the rest of a log line stays readable.  It does not know what a body means.

Plain JSON values are dict, list, str, int, float, bool and None, exactly these types.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

__all__ = ["Scalar", "Text", "Unreadable", "decode", "inspect", "plain"]

Text: TypeAlias = bytes | bytearray | memoryview | str
Scalar: TypeAlias = str | int | float | bool | None

_BOM: Final = "\ufeff"
_MAX_DIGITS: Final = 4300
_TOO_LONG: Final = 10**_MAX_DIGITS
_NUL: Final = "\0"
_NOT_JSON: Final = "not JSON"

# What may stand between the place of a parser error and the end of a text that was cut off there:
# nothing, or the beginning of a word, number or escape.
_CUT: Final = re.compile(
    r"(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|\.|[eE][+-]?|\\?u[0-9a-fA-F]{0,3})?[ \t\n\r]*\Z",
)


class Unreadable(Exception):  # noqa: N818 - the reason says what happened
    """A body that is no body. Never leaves this room: it becomes a flaw."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Twice(dict[str, Any]):
    """An object one of whose keys came twice."""


class _Refused:
    """A literal such as NaN, which Python reads and JSON does not have."""


def decode(raw: Text, max_bytes: int | None, max_depth: int) -> object:
    """Read JSON text; the value still has to pass `inspect`.

    Only text nested beyond the interpreter's own limit is refused for its depth here.
    """
    try:
        return json.loads(
            _text(raw, max_bytes),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(_reason(error)) from None
    except RecursionError:
        raise _too_deep(max_depth) from None


def inspect(value: object, max_depth: int) -> None:
    """Refuse what no store or screen survives: depth, NUL, lone surrogates, a key twice."""
    waiting = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if depth > max_depth and isinstance(item, dict | list):
            raise _too_deep(max_depth)
        waiting += [(inner, depth + 1) for inner in _inner(item)]


def plain(value: object, max_bytes: int | None, max_depth: int) -> object:
    """Copy Python values to the plain values their JSON text would give.

    The limits end what would never end: a list that contains itself, once or twice.
    """
    try:
        return _Copy(max_bytes, max_depth).of(value, 1)
    except Unreadable:
        raise
    except RecursionError:
        raise _too_deep(max_depth) from None
    except Exception:  # noqa: BLE001 - a mapping of somebody else's may raise anything
        raise Unreadable(_NOT_JSON) from None


# Text.


def _text(raw: Text, max_bytes: int | None) -> str:
    encoded = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else bytes(raw)
    if max_bytes is not None and len(encoded) > max_bytes:
        raise _too_large(max_bytes)
    if isinstance(raw, str):
        return raw.removeprefix(_BOM)
    try:
        return encoded.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        # A character whose last bytes are missing at the end: the text was cut off there.
        cut = error.reason == "unexpected end of data"
        raise Unreadable("cut off" if cut else "not UTF-8") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else _Twice(value)


def _integer(text: str) -> int | float:
    if len(text.lstrip("-")) > _MAX_DIGITS:
        return float(text)
    try:
        return int(text)
    except ValueError:  # the interpreter was told to read even fewer digits
        return float(text)


def _constant(_: str) -> _Refused:
    return _Refused()


def _reason(error: json.JSONDecodeError) -> str:
    cut = error.msg.startswith("Unterminated string") or _CUT.match(error.doc, error.pos)
    return "cut off" if cut else _NOT_JSON


# Values.


def _inner(item: object) -> Iterable[object]:
    if isinstance(item, str):
        _characters(item)
    elif isinstance(item, dict):
        if isinstance(item, _Twice):
            raise Unreadable("a key twice")
        return (*item, *item.values())
    elif isinstance(item, list):
        return item
    elif isinstance(item, _Refused):
        raise Unreadable(_NOT_JSON)
    return ()


def _characters(text: str) -> None:
    if _NUL in text:
        raise Unreadable("a NUL character in a string")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Unreadable("a lone surrogate in a string") from None


class _Copy:
    """One copy of foreign values, with a tally of the least bytes their text would take."""

    __slots__ = ("_max_bytes", "_max_depth", "_taken")

    def __init__(self, max_bytes: int | None, max_depth: int) -> None:
        self._max_bytes = max_bytes
        self._max_depth = max_depth
        self._taken = 0

    def of(self, value: object, depth: int) -> object:
        """Copy one value that stands this deep."""
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, list | tuple):
            self._take(1, depth)
            return [self.of(item, depth + 1) for item in value]
        scalar = _scalar(value)
        self._take(len(scalar) if isinstance(scalar, str) else 1)
        return scalar

    def _mapping(self, value: Mapping[object, object], depth: int) -> dict[str, Any]:
        self._take(1, depth)
        return _object([(self._key(key), self.of(item, depth + 1)) for key, item in value.items()])

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise Unreadable(_NOT_JSON)
        self._take(len(key))
        return str.__str__(key)

    def _take(self, size: int, depth: int = 0) -> None:
        if depth > self._max_depth:
            raise _too_deep(self._max_depth)
        self._taken += size
        if self._max_bytes is not None and self._taken > self._max_bytes:
            raise _too_large(self._max_bytes)


def _scalar(value: object) -> Scalar:
    # The conversions give subclasses (a StrEnum, an IntEnum) their plain value.
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return _number(int.__int__(value))
    if isinstance(value, float) and not math.isnan(value):
        return float.__float__(value)
    raise Unreadable(_NOT_JSON)


def _number(value: int) -> int | float:
    if -_TOO_LONG < value < _TOO_LONG:
        return value
    return math.inf if value > 0 else -math.inf


# Reasons with a number in them.


def _too_deep(max_depth: int) -> Unreadable:
    return Unreadable(f"nested deeper than {max_depth}")


def _too_large(max_bytes: int) -> Unreadable:
    for unit, name in ((1024 * 1024, "MiB"), (1024, "KiB")):
        if max_bytes >= unit and max_bytes % unit == 0:
            return Unreadable(f"larger than {max_bytes // unit} {name}")
    return Unreadable(f"larger than {max_bytes} bytes")
