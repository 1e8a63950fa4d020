"""Strict conversion of JSON text or Python values to plain JSON values.

Input that is not valid raises `UnreadableError` with the reason for SG501. Reasons are fixed
phrases that contain no text of the sender. Plain values are exactly of the types dict, list, str,
int, float, bool and None. A number that is too large for a float, or that has more digits than
Python reads, becomes infinite.
"""

import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, Final, TypeAlias, TypeVar

from pydantic_core import from_json

from segue.core.events.shapes import BLANKS

T = TypeVar("T")
Text: TypeAlias = bytes | bytearray | memoryview | str
"""JSON text, as bytes in UTF-8 or as a string."""
RawBody: TypeAlias = Text | Mapping[str, Any]
"""JSON text, or a mapping with the values that the text would give."""

_BOM: Final = "\ufeff"
_BLANKS: Final = BLANKS.encode()
_MAX_DIGITS: Final = 4300
"""The maximum number of digits of an integer. Python has the same limit by default."""
_FEWEST_DIGITS: Final = 640
"""The smallest limit on the digits of an integer that Python can be configured to."""
_TOO_LONG: Final = 10**_MAX_DIGITS
_NUL: Final = "\0"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NOT_JSON: Final = "not JSON"
_TWICE: Final = "a key twice"

_LEVELS: Final = 200
"""The nesting that a text may have before it is decoded, unless a caller allows more.

This makes the result independent of the Python version and of the depth of the stack.
"""
_STRINGS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_OTHERS: Final = re.compile(r"[^][{}]+")

# The text between the place of a parser error and the end of a truncated text: empty, or the
# beginning of a word, number or escape.
_CUT: Final = re.compile(
    r"(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|\.|[eE][+-]?|\\?u[0-9a-fA-F]{0,3})?\Z",
)


class UnreadableError(Exception):
    """Raised for a body that cannot be read, with the reason for a finding.

    It is caught in this package and becomes a flaw.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Twice(dict[str, Any]):
    """An object in which a key occurs twice."""


class _Refused:
    """A literal such as NaN, which Python reads although JSON does not allow it."""


def parse(raw: object, max_bytes: int | None, max_depth: int) -> tuple[object, bool]:
    """Return the value of JSON text or Python values, and whether the value is known to be plain.

    If it is not, call `plain` for each part that is used. `plain` raises an error for a part that
    is not valid JSON, so the rest of a log line stays readable.
    """
    if type(raw) is bytes:
        text = raw
    elif isinstance(raw, str):
        text = raw.encode("utf-8", "surrogatepass")
    elif isinstance(raw, bytearray | memoryview):
        text = bytes(raw)
    else:
        copy = _sure_copy(raw, max_bytes, max_depth) if type(raw) is dict else None
        return (raw, False) if copy is None else (copy, True)
    if max_bytes is not None and len(text) > max_bytes:
        raise _too_large(max_bytes)
    try:
        value = from_json(text, allow_inf_nan=False, cache_strings="none")
        if _keys(value, max_depth) == _most_keys(text):
            return value, True
    except ValueError:
        pass
    # A truncated line may still end with a newline.
    whole = raw.rstrip(BLANKS) if isinstance(raw, str) else _decoded(text.rstrip(_BLANKS))
    return _marked(whole, max_depth), False


def _keys(value: object, levels: int) -> int:
    """Return the number of keys in an object or array and in its members.

    Raise `ValueError` for other values, and if there are more than `levels` levels.
    """
    if levels < 1:
        raise ValueError
    if type(value) is list:
        return sum([_keys(item, levels - 1) for item in value if type(item) in _NESTED])
    if type(value) is not dict:
        raise ValueError
    count = len(value)
    for item in value.values():
        if type(item) in _NESTED:
            count += _keys(item, levels - 1)
    return count


def plain(value: object, max_bytes: int | None, max_depth: int) -> object:
    """Return a copy of Python values in which every value is a plain JSON value.

    Raise `UnreadableError` for values that JSON does not have, and beyond the limits. The limits
    also stop at a list that contains itself.
    """
    return _guarded(lambda: _Copy(max_bytes, max_depth).of(value, 1), max_depth)


def members(value: object) -> dict[str, Any]:
    """Return the members of a JSON object without examining their values.

    Raise `UnreadableError` if the value is not an object, or if it contains a key twice.
    """
    if type(value) is dict:
        return value
    if isinstance(value, _Twice):
        raise UnreadableError(_TWICE)
    if not isinstance(value, Mapping):
        raise UnreadableError("not an object")
    return _guarded(lambda: dict(value.items()), 0)


def _guarded(copy: Callable[[], T], max_depth: int) -> T:
    """Call a function that copies values, and convert every exception to `UnreadableError`.

    The values may be of any library, so their methods may raise any exception.
    """
    try:
        return copy()
    except UnreadableError:
        raise
    except RecursionError:
        raise _too_deep(max_depth) from None
    except Exception:  # noqa: BLE001 - the values may be of any library
        raise UnreadableError(_NOT_JSON) from None


# Text.


def _most_keys(text: bytes) -> int:
    """Return the largest number of keys that a JSON text can have.

    Raise `ValueError` if the text contains something for which the number cannot be relied on.
    """
    if len(text) >= _FEWEST_DIGITS and 0 < sys.get_int_max_str_digits() < _MAX_DIGITS:
        raise ValueError
    packed = text.translate(None, _BLANKS)
    count = packed.count(b'":')  # also in strings
    if b"\\" in packed:
        if b"\\u0000" in packed:
            raise ValueError
        if b"\\\\" not in packed:
            count -= packed.count(b'\\":')
    return count


def _decoded(text: bytes) -> str:
    """Return UTF-8 bytes as text."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        # The last character is incomplete: the text was cut off there.
        cut = error.reason == "unexpected end of data"
        raise UnreadableError("cut off" if cut else "not UTF-8") from None


def _marked(text: str, max_depth: int) -> object:
    """Return the value of JSON text, in which NaN and objects with a repeated key are marked.

    The marks are `_Refused` and `_Twice` objects.
    """
    if _is_deeper(text, max(_LEVELS, max_depth)):
        raise _too_deep(max_depth)
    try:
        return _MARKING.decode(text.removeprefix(_BOM))
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or _CUT.match(error.doc, error.pos)
        raise UnreadableError("cut off" if cut else _NOT_JSON) from None
    except RecursionError:
        raise _too_deep(max_depth) from None


def _is_deeper(text: str, levels: int) -> bool:
    """Return whether objects and arrays in a text are nested deeper than `levels`."""
    if text.count("{") + text.count("[") <= levels:
        return False
    level = 0
    for bracket in _OTHERS.sub("", _STRINGS.sub("", text)):
        level += 1 if bracket in "{[" else -1
        if level > levels:
            return True
    return False


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else _Twice(value)


def _integer(text: str) -> int | float:
    if len(text.lstrip("-")) > _MAX_DIGITS:
        return float(text)
    try:
        return int(text)
    except ValueError:  # the interpreter was configured for even fewer digits
        return float(text)


def _constant(_: str) -> _Refused:
    return _Refused()


_MARKING: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant
)


# Values.

_NESTED: Final = frozenset({dict, list})
_CONSTANTS: Final = frozenset({bool, NoneType})
_SURE_BITS: Final = 64
_MOST_TEXTS: Final = 10_000
"""The number of strings above which the fast copy of an object gives up."""


class _DoubtError(Exception):
    """Raised by the fast copy for a value that only the exact copy can decide about."""


def _sure_copy(
    value: dict[str, Any], max_bytes: int | None, max_depth: int
) -> dict[str, Any] | None:
    """Return a fast copy of an object that is certainly valid, or None if it may be invalid."""
    texts: list[str] = []
    try:
        copy = _copy_object(value, max_depth, texts)
    except (_DoubtError, RuntimeError):  # too deep, or changed during the copy
        return None
    text = "".join(texts)
    size = len(text) + len(texts) + 1  # at most the size that the exact copy counts
    is_small = max_bytes is None or size <= max_bytes
    is_fine = _NUL not in text and (text.isascii() or not _SURROGATE.search(text))
    return copy if is_small and is_fine else None


def _copy_object(value: dict[str, Any], levels: int, texts: list[str]) -> dict[str, Any]:
    """Return a copy of an object with at most `levels` levels, and append its strings to `texts`.

    Raise `_DoubtError` for any value that may be invalid.
    """
    if levels < 1 or len(texts) > _MOST_TEXTS:
        raise _DoubtError
    copy: dict[str, Any] = {}
    for key, item in value.items():
        if type(key) is not str:
            raise _DoubtError
        kind = type(item)
        if kind is str:
            texts.append(item)
            copy[key] = item
        elif kind in _CONSTANTS:
            copy[key] = item
        else:
            copy[key] = _copy_part(item, levels - 1, texts)
    texts += copy
    return copy


def _copy_part(value: object, levels: int, texts: list[str]) -> object:
    """Return a copy of a member of an object, as `_copy_object` does."""
    if type(value) is dict:
        return _copy_object(value, levels, texts)
    if type(value) is list:
        texts += [""] * len(value)
        if levels < 1 or len(texts) > _MOST_TEXTS:
            raise _DoubtError
        return [_copy_part(item, levels - 1, texts) for item in value]
    if type(value) is str:
        texts.append(value)
        return value
    if type(value) in _CONSTANTS:
        return value
    is_whole = type(value) is int and value.bit_length() <= _SURE_BITS
    if not is_whole and (type(value) is not float or math.isnan(value)):
        raise _DoubtError
    return value


class _Copy:
    """An exact copier of Python values of any type, which limits the size and the depth."""

    __slots__ = ("_max_bytes", "_max_depth", "_taken")

    def __init__(self, max_bytes: int | None, max_depth: int) -> None:
        self._max_bytes = max_bytes
        self._max_depth = max_depth
        self._taken = 0

    def of(self, value: object, depth: int) -> object:
        """Return a copy of one value, which is nested at this depth."""
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
            raise UnreadableError(_TWICE)
        pairs = [(self._key(key), self.of(item, depth + 1)) for key, item in value.items()]
        copy = dict(pairs)
        if len(copy) < len(pairs):
            raise UnreadableError(_TWICE)
        return copy

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise UnreadableError(_NOT_JSON)
        return self._string(key)

    def _string(self, value: str) -> str:
        text = str.__str__(value)  # the plain value of a StrEnum
        self._take(len(text))
        if _NUL in text:
            raise UnreadableError("a NUL character in a string")
        if not text.isascii() and _SURROGATE.search(text):
            raise UnreadableError("a lone surrogate in a string")
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
    raise UnreadableError(_NOT_JSON)


def _number(value: int) -> int | float:
    if -_TOO_LONG < value < _TOO_LONG:
        return value
    return math.inf if value > 0 else -math.inf


# Reasons that contain a number.


def _too_deep(max_depth: int) -> UnreadableError:
    return UnreadableError(f"nested deeper than {max_depth}")


def _too_large(max_bytes: int) -> UnreadableError:
    for unit, name in ((1024 * 1024, "MiB"), (1024, "KiB")):
        if max_bytes >= unit and max_bytes % unit == 0:
            return UnreadableError(f"larger than {max_bytes // unit} {name}")
    return UnreadableError(f"larger than {max_bytes} bytes")
