"""Says what the beginning of a file looks like that is not a log of deliveries, and how to read it.

The first bytes tell other kinds of files; of JSON lines, the places of bodies are looked for.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

_KINDS: Final[Mapping[bytes, str]] = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a RIFF file (sound or picture)",
    b"%PDF": "a PDF document",
    b"PK\x05\x06": "an empty zip archive",
    b"7z\xbc\xaf": "a 7z archive: unpack it",
    b"Rar!": "a RAR archive: unpack it",
    b"\x04\x22\x4d\x18": "lz4: unpack it with unlz4",
    b"SQLite format 3\0": "an SQLite database: write its deliveries with segue journal",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"\xff\xfe": "UTF-16 text: convert it to UTF-8 with iconv",
    b"\xfe\xff": "UTF-16 text: convert it to UTF-8 with iconv",
    b"<": "XML or HTML",
}
_TAR: Final = slice(257, 262)
_DEEPEST: Final = 6
_WIDEST: Final = 50
"""Members of an object, or elements of a list, in which bodies are looked for."""
_BODY_KEYS: Final = frozenset({"conversationId", "events"})
_CONTROL: Final = bytes({*range(32)} - {*b"\t\n\v\f\r\x1b"})


class BodyPlace(NamedTuple):
    """Where the lines of a log have a body."""

    pointer: str
    """A JSON Pointer; empty if the line is the body."""
    is_text: bool
    """Whether the body is a string that holds JSON."""


def describe_contents(head: Sequence[bytes]) -> str:
    """Return what lines look like of which none is a delivery, and what reads them.

    Args:
        head: The first lines of the log, with their newlines.

    """
    data = b"".join(head[:20])
    kind = _kind_of(data)
    if kind is not None:
        return f"it looks like {kind}"
    records = [record for line in head if (record := _record(line)) is not None]
    place = place_of_bodies(records)
    if place is not None and place.pointer:
        what = "strings holding JSON stand" if place.is_text else "bodies stand"
        return f"{what} at {place.pointer}: try --body-at {place.pointer}"
    return _describe_text(data, records)


def place_of_bodies(records: Sequence[object]) -> BodyPlace | None:
    """Return where the first record that has a body keeps it, or None if there is none."""
    for record in records:
        found = next(_bodies(record, "", _DEEPEST), None)
        if found is not None:
            return found
    return None


def _describe_text(data: bytes, records: Sequence[object]) -> str:
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if records:
        keys = next((list(each) for each in records if isinstance(each, dict)), [])
        named = ", ".join(repr(key)[:40] for key in keys[:8])
        has = f" (it has {named})" if named else ""
        return f"it is JSON, but has no body with conversationId or events{has}"
    if b"{" in text[1:]:
        return "it is text with JSON in it: keep what begins with {"
    return "it is not JSON: a log has a JSON object a line"


def _kind_of(data: bytes) -> str | None:
    """Return what kind of other file begins like this, or None if it may be text."""
    for magic, kind in _KINDS.items():
        if data.startswith(magic):
            return kind
    if data[_TAR] == b"ustar":
        return "a tar archive: unpack it"
    return "binary data" if data.translate(None, _CONTROL) != data else None


def _record(line: bytes | str) -> object:
    """Return the object or array of JSON text, or None if it is something else."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _bodies(value: object, pointer: str, depth: int) -> Iterator[BodyPlace]:
    """Yield the places of bodies below a value, the upper ones first."""
    is_text = isinstance(value, str) and value[:200].lstrip().startswith("{")
    record = _record(str(value)) if is_text else value
    if isinstance(record, dict) and not _BODY_KEYS.isdisjoint(record):
        yield BodyPlace(pointer, is_text)
    if depth and not is_text:
        for key, member in _members(record):
            yield from _bodies(member, f"{pointer}/{key}", depth - 1)


def _members(value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key in list(value)[:_WIDEST]:
            yield key.replace("~", "~0").replace("/", "~1"), value[key]
    elif isinstance(value, list):
        yield from ((str(index), each) for index, each in enumerate(value[:_WIDEST]))
