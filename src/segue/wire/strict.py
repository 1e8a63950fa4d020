"""What is JSON: text or Python values to plain JSON values, or the reason why not.

It decides SG501 and nothing else.  House rules: (1) whatever is given, the outcome is a value or
`Unreadable`; (2) a reason is one of a few fixed phrases, without a word of the sender's text;
(3) `decode` only marks what is wrong inside a part of the text and `plain` refuses the part, so
that the rest of a log line stays readable.  It does not know what a body means.

Plain JSON values are dict, list, str, int, float, bool and None, exactly these types.  A number
too large for a float, or of more digits than Python reads, is infinite.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

__all__ = ["Text", "Unreadable", "decode", "plain", "top"]

Text: TypeAlias = bytes | bytearray | memoryview | str

_BOM: Final = "\ufeff"
_MAX_DIGITS: Final = 4300
_TOO_LONG: Final = 10**_MAX_DIGITS
_NUL: Final = "\0"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NOT_JSON: Final = "not JSON"
_TWICE: Final = "a key twice"

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
    """Read JSON text; what comes back has yet to pass `plain`."""
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


def plain(value: object, max_bytes: int | None, max_depth: int) -> object:
    """Copy Python values, whatever they are, to the plain values their JSON text would give.

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


def top(value: object) -> dict[str, Any]:
    """Return an object whose members have not been looked at yet."""
    if isinstance(value, _Twice):
        raise Unreadable(_TWICE)
    if not isinstance(value, Mapping):
        raise Unreadable("not an object")
    try:
        return dict(value.items())
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


class _Copy:
    """One copy of foreign values, with a tally of the least bytes their text would take."""

    __slots__ = ("_max_bytes", "_max_depth", "_taken")

    def __init__(self, max_bytes: int | None, max_depth: int) -> None:
        self._max_bytes = max_bytes
        self._max_depth = max_depth
        self._taken = 0

    def of(self, value: object, depth: int) -> object:
        """Copy one value that stands this deep."""
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        self._take(1)
        if isinstance(value, list | tuple):
            self._enter(depth)
            return [self.of(item, depth + 1) for item in value]
        return _scalar(value)

    def _mapping(self, value: Mapping[object, object], depth: int) -> dict[str, Any]:
        self._take(1)
        self._enter(depth)
        if isinstance(value, _Twice):
            raise Unreadable(_TWICE)
        pairs = [(self._key(key), self.of(item, depth + 1)) for key, item in value.items()]
        copy = dict(pairs)
        if len(copy) < len(pairs):
            raise Unreadable(_TWICE)
        return copy

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise Unreadable(_NOT_JSON)
        return self._string(key)

    def _string(self, value: str) -> str:
        text = str.__str__(value)  # of a StrEnum, its plain value
        self._take(len(text))
        if _NUL in text:
            raise Unreadable("a NUL character in a string")
        if not text.isascii() and _SURROGATE.search(text):
            raise Unreadable("a lone surrogate in a string")
        return text

    def _enter(self, depth: int) -> None:
        if depth > self._max_depth:
            raise _too_deep(self._max_depth)

    def _take(self, size: int) -> None:
        self._taken += size
        if self._max_bytes is not None and self._taken > self._max_bytes:
            raise _too_large(self._max_bytes)


def _scalar(value: object) -> int | float | bool | None:
    if value is None or isinstance(value, bool):
        return value
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
