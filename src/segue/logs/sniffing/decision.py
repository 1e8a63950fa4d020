"""Proposes how a log is read, from its first lines: a field mapping for each way that works.

A way works if deliveries with events come of it. The best one reads the most records.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Final, NamedTuple

from segue.core.errors import UnreadableLog
from segue.core.events import Delivery
from segue.core.events.fields import is_envelope
from segue.logs.body_places import decoded, distinct_places
from segue.logs.deliveries import has_events
from segue.logs.field_mapping import FieldMapping
from segue.logs.framing import is_piece
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.platforms import PLATFORMS, inner_of
from segue.logs.sniffing.known import FORMS
from segue.logs.sniffing.ways import Record, Way, way_of, ways_of
from segue.logs.sources import LogPath, first_lines, name_of

_MOST_LINES: Final = 1000
_MOST_BYTES: Final = 4 << 20
_MOST_TIMED: Final = 100
"""The number of lines in which a time is searched for."""
_RETYPED: Final = (
    "a tool has turned the fields of bodies into text, such as `events`: make it keep their types "
    "(syslog-ng 4 does, and earlier ones with `format-json --auto-cast`), or write the body as a "
    "whole"
)
_ORDINARY: Final = LineReader(ReplayOptions())


class Sniffed(NamedTuple):
    """What the beginning of a log says about how to read it."""

    is_ordinary: bool
    """Whether its lines are bodies or envelopes, so that nothing need be said."""
    ways: tuple[FieldMapping, ...] = ()
    """The ways that work; if there is one, it is sure."""


def sniff(log: LogPath) -> Sniffed:
    """Return how a log may be read; no way for one that cannot be opened or read again.

    Of standard input, what has come in is looked at and not taken.

    Raises `UnreadableLog` if the fields of bodies are texts of what they were.
    """
    lines = [line for line in _lines(log, FieldMapping()) if line.strip()]
    ordinary = [line for line in lines if _gives_events(line)]
    if ordinary and 2 * len(ordinary) >= len(lines):
        return _of_ordinary(lines)
    ways = _best_ways(log, lines)
    if ordinary and not _is_better(ways, lines, len(ordinary)):
        ways = ()
    if not ways and _is_retyped(lines):
        raise UnreadableLog(f"{name_of(log)} cannot be read: {_RETYPED}")
    if not ways and not ordinary and (platform := _inner(lines)) is not None:
        key = PLATFORMS[platform].types[-1].split("/")[1]
        raise UnreadableLog(
            f"{name_of(log)} cannot be read: its lines are parts of {platform} events: log the "
            f"whole events, with {key}, so that --from {platform} reads them"
        )
    if ordinary and not ways:
        return Sniffed(is_ordinary=True)
    return Sniffed(is_ordinary=False, ways=tuple(way.mapping for way in ways))


def lacks_times(log: LogPath, mapping: FieldMapping) -> bool:
    """Return whether records have fields next to the body, but none with a time that can be read.

    Only the first lines of the log are examined.
    """
    if not mapping.body_at:
        return False
    reader = LineReader(ReplayOptions(field_mapping=mapping))
    read = [reader.read_any(line, None) for line in islice(_lines(log, mapping), _MOST_TIMED)]
    deliveries = [each for each in read if each is not None and has_events(each)]
    return bool(deliveries) and all(each.received_at is None for each in deliveries)


def absent_pointers(logs: Iterable[LogPath], mapping: FieldMapping) -> dict[str, str]:
    """Return the pointers of a mapping that find nothing in the first lines of logs, by name.

    Those to bodies are left out; without a body there is no delivery.
    """
    names = (field.name for field in fields(mapping) if field.name.endswith("_at"))
    absent = {name: at for name in names if (at := getattr(mapping, name)) is not None}
    del absent["body_at"]
    absent.pop("records_at", None)
    if mapping.platform is not None:  # the pointer leads to a place in events, not in envelopes
        absent.pop("conversation_at", None)
    has_records = False
    for log in logs if absent else ():
        for record in filter(None, map(mapping.record, _lines(log, mapping))):
            if isinstance(record, Mapping):
                has_records = True
                present = mapping.present(record)
                absent = {name: at for name, at in absent.items() if name not in present}
            if not absent:
                return absent
    return absent if has_records else {}


def _is_better(ways: Sequence[Way], lines: Sequence[bytes], ordinary: int) -> bool:
    """Return whether ways read a log better than as bodies and envelopes, a minority of its lines.

    A log may have bodies on lines of their own and other lines between them. One body does not make
    it such a log.
    """
    if not ways or ways[0].deliveries <= max(ordinary - 1, 1):
        return False
    begun = sum(line.lstrip().startswith(b"{") for line in lines)
    return ways[0].deliveries > ordinary or 2 * begun < len(lines)


def _is_retyped(lines: Iterable[bytes]) -> bool:
    """Return whether the events of most bodies, and of more than one, are texts with JSON."""
    places = (place for line in lines for place in distinct_places(decoded(line)))
    events = [place.body["events"] for place in places if "events" in place.body]
    retyped = [each for each in events if isinstance(each, str) and each.startswith("[")]
    return len(retyped) > max(len(events) / 2, 1)


def _inner(lines: Sequence[bytes]) -> str | None:
    """Return the platform of which most lines are events that have lost their outer object."""
    records = [record for line in lines if isinstance(record := decoded(line), dict)]
    found = [name for record in records if (name := inner_of(record)) is not None]
    return found[0] if 2 * len(found) > len(lines) else None


def _of_ordinary(lines: Iterable[bytes]) -> Sniffed:
    """Return how a log of bodies or envelopes is read, which may have other fields.

    Its other lines are findings, for they may be deliveries that lack what a body has.
    """
    records = [record for line in lines if isinstance(record := decoded(line), dict)]
    envelopes = list(filter(is_envelope, records))
    is_wrapped = 2 * len(envelopes) >= len(records)
    way = way_of(FieldMapping(), "/body", envelopes) if is_wrapped else None
    way = way or way_of(FieldMapping(), "", records)
    mapping = FieldMapping() if way is None else replace(way.mapping, skip_others=False)
    if mapping == FieldMapping():
        return Sniffed(is_ordinary=True)
    return Sniffed(is_ordinary=False, ways=(mapping,))


def _best_ways(log: LogPath, lines: Sequence[bytes]) -> tuple[Way, ...]:
    """Return the ways of the form that reads the most records of a log that begins with `lines`."""

    def read(form: FieldMapping) -> list[Record | Delivery]:
        return [each for each in map(form.record, _lines(log, form)) if each is not None]

    best: tuple[Way, ...] = ()
    for form in FORMS:
        ways = ways_of(form, read)
        if ways and (not best or ways[0].rank > best[0].rank):
            best = ways
        if best and _suffices(best, lines):
            break
    return best


def _suffices(ways: Sequence[Way], lines: Sequence[bytes]) -> bool:
    """Return whether the ways of a form read enough of a log that no other form need be tried.

    The text in a table may contain the delimiter, and a line of text may contain several bodies.
    """
    form, deliveries = ways[0].mapping.lines, ways[0].deliveries
    if form == "csv" and deliveries < sum(b"conversationId" in line for line in lines):
        return False
    if form == "json" and any(map(is_piece, lines)):
        return False
    return 2 * deliveries >= len(lines) and (form != "text" or len(ways) == 1)


def _gives_events(line: bytes) -> bool:
    delivery = _ORDINARY.read_any(line, None)
    return delivery is not None and has_events(delivery)


def _lines(log: LogPath, form: FieldMapping) -> Iterator[bytes]:
    size = 0
    for line in islice(first_lines(log, form), _MOST_LINES):
        yield line
        size += len(line)
        if size >= _MOST_BYTES:
            break
