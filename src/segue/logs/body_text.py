r"""Finds a JSON object in text: escaped, in base64, or surrounded by other text.

Each of these forms is recognized by its beginning, which is not valid JSON: `{\x22` in an access
log, `{\"` in a string within a string, `{'` in a Python dictionary, `ey` in base64, and `%7B` in a
form.
"""

import json
import re
from base64 import b64decode
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_plus

from segue.logs.python_literals import json_of_literal

_OBJECT: Final = re.compile(r"""\{(?=\s*["}]|'|\\x(?:22|0[ADad]|20)|\\["nr])""")
"""Matches the beginning of an object in plain or escaped JSON, or of a Python dictionary."""
_TO_QUOTE: Final = re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL)
_HEX: Final = re.compile(rb"\\x([0-9A-Fa-f]{2})")
_BASE64: Final = re.compile(r"e(?:y[A-DI-L]|w[k-r0-3])[A-Za-z0-9+/_\-\s]*+={0,2}\s*\Z")
"""Matches text in base64 that begins with a brace followed by a quote or whitespace."""
_FORM: Final = re.compile(r"(?:\A|=)(%7[Bb]%(?:22|0[ADad]|20)[^&\s]*)")
_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?"
    r"|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}"
)
_BODY_KEYS: Final = ('"conversationId"', '"events"', '"query"', '"action"')
_MOST_TRIES: Final = 16


class FoundObject(NamedTuple):
    """A JSON object that was found in a longer text."""

    text: str
    """The JSON of the object. For invalid JSON, the rest of the text from the opening brace."""
    around: str
    """The text before the object, followed by the text after it."""


def object_text(text: str) -> str:
    """Return the JSON object contained in `text`, or `text` itself if there is no object.

    Base64, URL encoding and backslash escapes are decoded. A Python dictionary is converted to
    JSON.
    """
    stripped = text.lstrip()
    if stripped[:1] == "{" and stripped[1:2] not in ("\\", "'"):
        return text
    if _BASE64.match(stripped):
        return _from_base64(stripped)
    if form := _FORM.search(text):
        return unquote_plus(form[1])
    found = _object_in(text)
    return text if found is None else found.text


def text_around(value: object) -> str:
    """Return the text around the JSON object in a text, or an empty string without such text."""
    if not isinstance(value, str) or value.lstrip()[:1] == "{":
        return ""
    found = _object_in(value)
    return "" if found is None else found.around


def first_time(text: str) -> str | None:
    """Return the first time in a text such as the line of an access log, or None."""
    found = _TIME.search(text)
    return None if found is None else found[0]


def text_record(line: bytes) -> dict[str, Any] | None:
    """Extract the JSON object from a line of a text log, such as an access log.

    Return a dictionary with the keys `body` (the JSON of the object), `text` (the text around it)
    and, if that text contains a time, `received_at`. Return None for a line without an object.
    """
    found = _object_in(line.decode("utf-8", "surrogateescape"))
    if found is None:
        return None
    record = {"body": found.text, "text": found.around}
    if time := first_time(found.around):
        record["received_at"] = time
    return record


def _object_in(text: str) -> FoundObject | None:
    """Return the object in `text` that most likely is a request body.

    Prefer the first object with a key of a body, such as `"events"`. Otherwise return the first
    valid object, or else the first invalid one. Return None if nothing in the text begins like an
    object.
    """
    first = broken = None
    at = 0
    for _ in range(_MOST_TRIES):
        begin = _OBJECT.search(text, at)
        if begin is None:
            break
        start = begin.start()
        found, at = _decoded(text, start)
        if found is None and text[start + 1] != "'":
            broken = broken or FoundObject(text[start:], text[:start])
        elif found is not None and any(key in found.text for key in _BODY_KEYS):
            return found
        first = first or found
    return first or broken


def _decoded(text: str, start: int) -> tuple[FoundObject | None, int]:
    """Return the object that starts at index `start`, and the index from which to search on.

    The object is None if its JSON is invalid.
    """
    source, end = text[start:], None
    if source[1] == "'":
        literal = json_of_literal(source)
        if literal is None:
            return None, start + 1
        end = start + literal[1]
        return FoundObject(literal[0], text[:start] + text[end:]), end
    if source[1] == "\\":
        source = _TO_QUOTE.match(source)[0]  # type: ignore[index]  # it matches nothing, too
        end = start + len(source)
        source = _unescaped(source)
    try:
        _, size = json.JSONDecoder().raw_decode(source)
    except (ValueError, RecursionError):
        return None, end or start + 1
    end = end or start + size
    return FoundObject(source[:size], text[:start] + text[end:]), end


def _unescaped(text: str) -> str:
    if text[2] == "x":
        data = _HEX.sub(
            lambda byte: bytes.fromhex(byte[1].decode()), text.encode("utf-8", "surrogateescape")
        )
        return data.decode("utf-8", "surrogateescape")
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _from_base64(text: str) -> str:
    digits = re.sub(r"\s", "", text).translate({ord("-"): "+", ord("_"): "/"}).rstrip("=")
    try:
        return b64decode(digits + "=" * (-len(digits) % 4)).decode("utf-8")
    except ValueError:  # invalid base64 or UTF-8
        return text
