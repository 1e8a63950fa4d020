"""Describes the contents of a file that cannot be read as a log, and suggests how to read it.

Other file types, such as PDF, are recognized by their first bytes. In JSON lines, bodies of
deliveries are searched for at any depth. Options are suggested only if they read a delivery.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from shlex import quote
from typing import Final

from segue.core.events import Delivery
from segue.core.wire import read_line
from segue.logs.body_places import BodyPlace, decoded, places_of_bodies
from segue.logs.csv_rows import delimiter_of
from segue.logs.deliveries import has_events
from segue.logs.field_mapping import FieldMapping, LineForm
from segue.logs.file_kinds import kind_of, kind_of_text
from segue.logs.framing import HEAD, values_in_lines
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.sources import LONGEST_LINE, is_overlong

_EVENTS: Final = (
    "if each row is an event, make a body of it first (docs/how-to/check-a-log.md, Rows of events)"
)
_CONTROL: Final = bytes({*range(32)} - {*b"\t\n\v\f\r\x1b"})


def describe_contents(head: Sequence[bytes], form: LineForm = "json") -> str:
    """Describe a file that was read as a log but contains no deliveries.

    Return the end of an error message, such as `it looks like a PDF document`. If an option or a
    command can help, the text suggests it.

    Args:
        head: The first lines of the file, including their newlines.
        form: The format in which the lines were read.

    """
    data = _beginning_of(head)
    kind = _kind_of(data)
    if kind is not None:
        return f"it looks like {kind}"
    overlong = next((n for n, line in enumerate(head, start=1) if is_overlong(line)), None)
    if overlong is not None:
        return f"line {overlong} is larger than 16 MiB"
    records = [record for line in head if (record := decoded(line)) is not None]
    refusal = _refusal(head) if form == "json" else ""
    if refusal:
        return f"it is JSON that cannot be read: {refusal}"
    place = next(chain.from_iterable(map(places_of_bodies, records)), None)
    if place is not None and place.pointer:
        return _described_place(place, head)
    if records:
        keys = next((list(each) for each in records if isinstance(each, dict)), [])
        what = f"no body with conversationId or events{_named(keys)}"
        return (
            f"its rows have {what}: {_EVENTS}" if form == "csv" else f"it is JSON, but has {what}"
        )
    return _describe_text(data)


def _beginning_of(head: Sequence[bytes]) -> bytes:
    """Return the first lines as far as they are examined: 20 lines that fit, or a part of one."""
    data = b"".join(head[:20])
    if len(data) <= HEAD:
        return data
    whole, newline, cut = data[:HEAD].rpartition(b"\n")
    return whole + newline or cut


def _described_place(place: BodyPlace, head: Sequence[bytes]) -> str:
    """Say where bodies are, such as `bodies are at /a`, and how to read them if that works."""
    what = "strings with JSON are" if place.is_text else "bodies are"
    where, mapping, options = _way_to(place)
    works = any(map(has_events, _deliveries(head, mapping)))
    return f"{what} {where}" + (f": try {options}" if works else ", but none has an event")


def _way_to(place: BodyPlace) -> tuple[str, FieldMapping, str]:
    """Return where a body is in words, and how to read it, as a mapping and as options."""
    at = place.pointer
    if place.list_pointer is None:
        return f"at {at}", FieldMapping(body_at=at), f"--body-at {at}"
    _, _, within = at.removeprefix(place.list_pointer + "/").partition("/")
    body_at = "" if within in {"", "body"} else f"/{within}"
    where = f"in the list at {place.list_pointer}" if place.list_pointer else "in lists"
    options = f"--records-at {quote(place.list_pointer)}" + (body_at and f" --body-at {body_at}")
    return where, FieldMapping(records_at=place.list_pointer, body_at=body_at), options


def _deliveries(head: Sequence[bytes], mapping: FieldMapping) -> Iterator[Delivery]:
    """Yield the deliveries that a mapping reads from lines."""
    path = mapping.records_path
    lines = head if path is None else values_in_lines(head, LONGEST_LINE, path)
    reader = LineReader(ReplayOptions(field_mapping=mapping))
    return (each for line in lines if (each := reader.read_any(line, None)) is not None)


def _refusal(head: Sequence[bytes]) -> str:
    """Return the reason why the first JSON object in the lines is invalid as a delivery.

    Return an empty string if any object is valid.
    """
    found = [read_line(line).flaws for line in head if isinstance(decoded(line), dict)]
    reasons = [flaw.facts["reason"] for flaws in found for flaw in flaws if flaw.code == "SG501"]
    return str(reasons[0]) if reasons and len(reasons) == len(found) else ""


def _describe_text(data: bytes) -> str:
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    lines = text.splitlines()
    if b"{" in text[1:]:
        return "it is text with JSON in it, but no body with conversationId or events"
    if columns := _columns(lines):
        return f"it is a table without a column of bodies{_named(columns)}: {_EVENTS}"
    return "it is not JSON: a log has one JSON object per line"


def _columns(lines: Sequence[bytes]) -> list[str]:
    """Return the column names in the first line, or an empty list if `lines` are not a table."""
    delimiter = delimiter_of(lines[0]).encode() if lines else b""
    counts = {line.count(delimiter) for line in lines} if delimiter else {0}
    if len(counts) > 1 or not max(counts):
        return []
    return [each.decode("utf-8", "replace").strip() for each in lines[0].split(delimiter)]


def _named(keys: Sequence[object]) -> str:
    named = ", ".join(repr(key)[:40] for key in keys[:8])
    return f" (it has {named})" if named else ""


def _kind_of(data: bytes) -> str | None:
    """Return the file type of `data`, such as "a PDF document", or None if it may be text."""
    is_binary = data.translate(None, _CONTROL) != data
    return kind_of(data) or kind_of_text(data) or ("binary data" if is_binary else None)
