r"""Finds a JSON object in text: escaped, in base64, or surrounded by other text.

Each of these forms is recognized by its beginning, which is not valid JSON: `{\x22` in an access
log, `{\"` in a string within a string, `{'` in a Python dictionary, `ey` in base64, and `%7B` in a
form.
"""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_plus

from segue.logs.python_literals import json_of_literal

_OBJECT: Final = re.compile(
    r"""\{(?=\s*["}]|'|\\x(?:22|0[ADad]|20)|\\["nr])|#7[Bb](?=#22|#0[ADad]|#20)"""
)
"""Matches the beginning of an object in plain or escaped JSON, or of a Python dictionary."""
_REGIONS: Final[Mapping[str, re.Pattern[str]]] = {
    '"': re.compile(r'(?:[^"\\]|\\.)*+(?=")', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]|\\.)*+(?=')", re.DOTALL),
    "": re.compile(r"[^\t\r\n]*+"),
    "#": re.compile(r"[^}|\r\n]*+"),
    "''": re.compile(r"(?:[^']|'')*+(?=')"),
    '""': re.compile(r'(?:[^"]|"")*+(?=")'),
}
"""The text that is escaped in one way, from the object on.

The keys are the quote before the object, an empty string for a column of a table, `#` for a capture
of HAProxy, and two quotes for SQL and CSV.
"""
_ESCAPE: Final = re.compile(
    rb"\\(?:x(?P<byte>[0-9A-Fa-f]{2})"
    rb"|u(?P<high>[Dd][89ABab][0-9A-Fa-f]{2})\\u(?P<low>[Dd][C-Fc-f][0-9A-Fa-f]{2})"
    rb"|u(?P<unit>[0-9A-Fa-f]{4})|(?P<letter>.))",
    re.DOTALL,
)
_LETTERS: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_HASH: Final = re.compile(rb"#([0-9A-Fa-f]{2})")
_UNLIKE_JSON: Final = re.compile(r"""\\\\"|\\['x]|\A\s*\{\s*""|#22""")
"""Matches text that is JSON only after it has been decoded, with few exceptions."""
_BASE64: Final = re.compile(r"(?:e(?:y[A-DI-L]|w[k-r0-3])|H4sI)[A-Za-z0-9+/_\-\s]*+={0,2}\s*\Z")
"""Matches text in base64 that begins with a brace followed by a quote or whitespace, or is gzip."""
_HEX_DIGITS: Final = re.compile(r"7[Bb]:?(?:22|0[ADad]|20)(?::?[0-9A-Fa-f]{2})*+\s*\Z")
"""Matches text in hexadecimal digits, perhaps with colons, that begins like a body."""
_FORM: Final = re.compile(r"(?:\A|=)(%7[Bb]%(?:22|0[ADad]|20)[^&\s]*)")
_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d)|[+-]\d\d(?!\d))?"
    r"|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?"
)
_OF_BODY: Final = re.compile("conversationId(?!=)")
"""Matches the key of a body, and not that of a query."""
_BODY_KEYS: Final = ('"conversationId"', '"events"', '"query"', '"action"')
_MOST_TRIES: Final = 16
_LAST_BYTE: Final = 255
_GZIP: Final = b"\x1f\x8b"
_MOST_UNZIPPED: Final = 1 << 24


class FoundObject(NamedTuple):
    """A JSON object that was found in a longer text."""

    text: str
    """The JSON of the object. For invalid JSON, the rest of the text from the opening brace."""
    around: str
    """The text before the object, followed by the text after it."""


def text_of(value: object) -> str | None:
    """Return a text, or the text of a list of its bytes as the systemd journal writes it.

    Return None for other values.
    """
    if isinstance(value, list) and len(value) > 1 and all(map(_is_byte, value)):
        return bytes(value).decode("utf-8", "surrogateescape")
    return value if isinstance(value, str) else None


def _is_byte(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LAST_BYTE


def object_text(text: str) -> str:
    """Return the JSON object contained in `text`, or `text` itself if there is no object.

    Base64, also of gzip, hexadecimal digits, URL encoding and escapes are decoded. A Python
    dictionary is converted to JSON.
    """
    stripped = text.lstrip()
    if stripped[:1] == "{" and stripped[1:2] not in ("\\", "'") and not _is_escaped(text):
        return text
    if _BASE64.match(stripped):
        return _from_base64(stripped)
    if _HEX_DIGITS.match(stripped):
        return bytes.fromhex(stripped.replace(":", "")).decode("utf-8", "surrogateescape")
    if form := _FORM.search(text):
        return unquote_plus(form[1])
    found = _object_in(text)
    return text if found is None else found.text


def text_around(value: object) -> str:
    """Return the text around the JSON object in a text, or an empty string without such text."""
    text = text_of(value)
    if text is None or text.lstrip()[:1] == "{":
        return ""
    found = _object_in(text)
    return "" if found is None else found.around


def first_time(text: str) -> str | None:
    """Return the first time in a text such as the line of an access log, or None."""
    found = _TIME.search(text)
    return None if found is None else found[0]


def text_record(line: bytes) -> dict[str, Any] | None:
    """Extract the JSON object from a line of a text log, such as an access log.

    Return a dictionary with the keys `body` (the JSON of the object), `text` (the text around it)
    and, if that text contains a time, `received_at`. Return None for a line without an object,
    unless it has the key `conversationId`, because it may be a part of a body then.
    """
    text = line.decode("utf-8", "surrogateescape")
    found = _object_in(text)
    if found is None:
        return {"body": text, "text": ""} if _OF_BODY.search(text) else None
    record = {"body": found.text, "text": found.around}
    if time := first_time(found.around):
        record["received_at"] = time
    return record


def _object_in(text: str) -> FoundObject | None:
    """Return the object in `text` that most likely is a request body.

    Prefer the first object with a key of a body, such as `"events"`, and a valid one to an invalid
    one. Otherwise return the first valid object, or else the first invalid one. Return None if
    nothing in the text begins like an object.
    """
    first = broken = None
    at = 0
    for _ in range(_MOST_TRIES):
        begin = _OBJECT.search(text, at)
        if begin is None:
            break
        start = begin.start()
        found, at = _decoded(text, start)
        if found is None and not text.startswith("{'", start):
            broken = broken or FoundObject(text[start:], text[:start])
        elif found is not None and any(key in found.text for key in _BODY_KEYS):
            return found
        first = first or found
    if broken is not None and any(key in broken.text for key in _BODY_KEYS):
        return broken  # an object in it may be valid
    return first or broken


def _is_escaped(text: str) -> bool:
    """Return whether text that begins as JSON does is invalid, because it is escaped."""
    return _UNLIKE_JSON.search(text) is not None and _size_of_json(text.lstrip()) is None


def _decoded(text: str, start: int) -> tuple[FoundObject | None, int]:
    """Return the object that starts at index `start`, and the index from which to search on.

    The object is None if its JSON is invalid.
    """
    if text.startswith("{'", start):
        return _of_literal(text, start)
    after = start + 1
    for region, source in _readings(text, start):
        size = _size_of_json(source)
        if size is not None:
            end = start + (size if region is None else region)
            return FoundObject(source[:size], text[:start] + text[end:]), end
        after = max(after, start + (region or 0))
    return None, after


def _of_literal(text: str, start: int) -> tuple[FoundObject | None, int]:
    literal = json_of_literal(text[start:])
    if literal is None:
        return None, start + 1
    end = start + literal[1]
    return FoundObject(literal[0], text[:start] + text[end:]), end


def _readings(text: str, start: int) -> Iterator[tuple[int | None, str]]:
    """Yield each text that the object at an index may stand for, with its escapes undone once.

    Also yield the length of the text that was read, or None for the text itself.
    """
    source, quote = text[start:], text[start - 1 : start]
    if quote == "'" and "''" in source:
        yield from _doubled(source, "''")
    is_literal = _is_bytes_literal(text, start) and "\\" in source
    if source[1:2] != "\\" and source[0] != "#" and not is_literal:
        yield None, source
    if "\\" in source:
        keys = (quote if quote in ("'", '"') else "", '"', "")
        regions = (_REGIONS[key].match(source) for key in keys)
        for end in dict.fromkeys(region.end() for region in regions if region is not None):
            yield end, _unescaped(source[:end])
    if source[0] == "#" and (region := _REGIONS["#"].match(source)):
        yield region.end(), _without_hashes(region[0])
    if quote == '"':
        yield from _doubled(source, '""')


def _is_bytes_literal(text: str, start: int) -> bool:
    """Return whether the object begins the value of Python bytes, such as `b'{"a": 1}'`."""
    return text[max(start - 2, 0) : start] in ("b'", 'b"')


def _doubled(source: str, quotes: str) -> Iterator[tuple[int, str]]:
    """Yield the text up to a closing quote if all quotes in it are doubled, as in SQL and CSV."""
    if region := _REGIONS[quotes].match(source):
        yield region.end(), region[0].replace(quotes, quotes[0])


def _size_of_json(source: str) -> int | None:
    """Return the length of the JSON object that a text begins with, or None if it is invalid."""
    try:
        return json.JSONDecoder().raw_decode(source)[1]
    except (ValueError, RecursionError):
        return None


def _unescaped(text: str) -> str:
    r"""Undo one level of backslashes. Consecutive escapes such as `\xC3\xA9` are UTF-8."""
    data = _ESCAPE.sub(_character, text.encode("utf-8", "surrogateescape"))
    return data.decode("utf-8", "surrogateescape")


def _character(escape: re.Match[bytes]) -> bytes:
    """Return the UTF-8 of an escaped character. A lone surrogate becomes a question mark."""
    letter = escape["letter"]
    if letter is not None:
        return _LETTERS.get(letter, letter)
    if escape["byte"]:
        return bytes.fromhex(escape["byte"].decode())
    units = (escape["high"] or b"") + (escape["low"] or b"") + (escape["unit"] or b"")
    return bytes.fromhex(units.decode()).decode("utf-16-be", "replace").encode()


def _without_hashes(text: str) -> str:
    data = _HASH.sub(
        lambda byte: bytes.fromhex(byte[1].decode()), text.encode("utf-8", "surrogateescape")
    )
    return data.decode("utf-8", "surrogateescape")


def _from_base64(text: str) -> str:
    digits = re.sub(r"\s", "", text).translate({ord("-"): "+", ord("_"): "/"}).rstrip("=")
    try:
        data = b64decode(digits + "=" * (-len(digits) % 4))
        return (_unzipped(data) if data.startswith(_GZIP) else data).decode("utf-8")
    except (ValueError, zlib.error):  # invalid base64, UTF-8 or gzip
        return text


def _unzipped(data: bytes) -> bytes:
    """Return the content of gzip data up to the size of a line."""
    return zlib.decompressobj(wbits=31).decompress(data, _MOST_UNZIPPED)
