"""Makes a field mapping from the places of the bodies in the records of a log."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events import HOOKS, Delivery
from segue.core.events.fields import FIELDS, is_envelope
from segue.core.wire.address import address_in
from segue.logs.body_places import decoded, distinct_places, is_body
from segue.logs.body_text import first_time, object_text, text_around, text_of
from segue.logs.deliveries import has_events
from segue.logs.field_mapping import FieldMapping
from segue.logs.json_pointer import follow, pointer_path
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.sniffing.known import ENVELOPE_KEYS
from segue.logs.sniffing.places import (
    Leaves,
    asked_at,
    ids_at,
    is_field,
    is_nearly,
    leaves_of,
    time_at,
    url_at,
)
from segue.logs.typed_json import without_types

Record: TypeAlias = Mapping[str, Any]
"""A line of a log, decoded."""

ReadRecords: TypeAlias = Callable[[FieldMapping], Sequence[Record | Delivery]]
"""A function that reads the first records of a log in a form."""

_MOST_RECORDS: Final = 200
"""The maximum number of records whose fields are compared."""
_MOST_LISTS: Final = 2
"""The maximum number of lists around a list of records."""
_ENVELOPE: Final = "/body"
_BODY_NAMES: Final = FIELDS[HOOKS.name].names | {"events"}


class Way(NamedTuple):
    """A way to read a log."""

    mapping: FieldMapping
    deliveries: int
    """The number of records of the sample that give deliveries."""
    broken: int = 0
    """The number of lines of the sample that cannot be read in this form."""

    @property
    def rank(self) -> tuple[int, int]:
        """A sort key that is greatest for the best of several ways."""
        return self.deliveries, -self.broken


def ways_of(form: FieldMapping, read: ReadRecords) -> tuple[Way, ...]:
    """Return the ways to read a log in a form, the one that reads the most records first."""
    records = read(form)
    if form.records_at == "" and any(isinstance(each, Delivery) for each in records):
        return ()  # the log contains other text between the values
    readable = [each for each in records if isinstance(each, Mapping)]
    alone, lists = _pointers_in(readable)
    ways = [way for at in alone if (way := way_of(form, at, readable)) is not None]
    if not ways and _has_more_lists(form):
        inner = (f"{form.records_at}/*{at}" if form.records_at else at for at in lists)
        ways = [way for at in inner for way in ways_of(replace(form, records_at=at), read)]
    broken = len(records) - len(readable)
    ways = [way._replace(broken=broken) for way in _without_weaker(ways)]
    return tuple(sorted(ways, key=lambda way: way.rank, reverse=True))


def _has_more_lists(form: FieldMapping) -> bool:
    """Return whether the records of a form may contain lists of records."""
    is_json = form.lines == "json" and form.platform is None
    return is_json and form.records_at != "" and (form.records_at or "").count("*") < _MOST_LISTS


def way_of(form: FieldMapping, body_at: str, records: Sequence[Record]) -> Way | None:
    """Return the way to read records with bodies at a pointer, or None if it reads none.

    Its mapping has the places of all other fields that the records have.
    """
    mapping = replace(form, body_at=body_at)
    path = pointer_path(body_at)
    bodied = [each for each in records if is_body(_object(follow(each, path)))][:_MOST_RECORDS]
    around = [text_around(follow(each, path)) for each in bodied]
    if not any(map(_reader(mapping), bodied)) or (form.lines == "csv" and any(around)):
        return None  # a cell of a table contains nothing but the body
    skip_others = any(map(replace(mapping, skip_others=True).leaves_out, records))
    parts = _parts(body_at, bodied, around) | dict(_of_envelope(body_at, records))
    if body_at == _ENVELOPE and all(map(is_envelope, bodied)):
        mapping = replace(mapping, body_at="")
        if parts.get("time_at") == "/received_at":
            del parts["time_at"]
    mapping = replace(mapping, skip_others=skip_others, **parts)
    return Way(mapping, sum(map(_reader(mapping), records)))


def _without_weaker(ways: Sequence[Way]) -> Iterator[Way]:
    """Yield the ways, but for those that differ from another by what they leave out."""
    mappings = [way.mapping for way in ways]
    for way in ways:
        if not (way.mapping.skip_others and replace(way.mapping, skip_others=False) in mappings):
            yield way


def _pointers_in(records: Sequence[Record]) -> tuple[list[str], list[str]]:
    """Return the pointers to bodies, and those to lists of them, the most frequent ones first."""
    alone: Counter[str] = Counter()
    lists: Counter[str] = Counter()
    for places in map(distinct_places, records):
        alone.update({each.pointer: 1 for each in places if each.list_pointer is None})
        lists.update({each.list_pointer: 1 for each in places if each.list_pointer is not None})
    return [at for at, _ in alone.most_common()], [at for at, _ in lists.most_common()]


def _parts(body_at: str, records: Sequence[Record], around: Sequence[str]) -> dict[str, Any]:
    """Return the pointers to the time, the URL and the ids of records, by attribute.

    `around` contains the text around the body of each record.
    """
    leaves = [leaves_of(record, body_at) for record in records]
    if not body_at:
        leaves = list(map(_beside_a_body, leaves))
    url = url_at(leaves) or (body_at if all(map(address_in, around)) else None)
    found = {
        "time_at": time_at(leaves) or (body_at if _have(first_time, around) else None),
        "url_at": url,
        "conversation_at": asked_at(leaves, url) if url else None,
    }
    known: dict[str, Any] = {part: at for part, at in found.items() if at}
    return known | (dict(ids_at(leaves, body_at)) if body_at else {})


def _have(find: Callable[[str], object], texts: Sequence[str]) -> bool:
    return is_nearly(sum(find(text) is not None for text in texts), len(texts))


def _beside_a_body(leaves: Leaves) -> Leaves:
    """Return the fields of a record that is a body itself, without those of the body."""
    return {
        at: value
        for at, value in leaves.items()
        if at.count("/") == 1 and at[1:] not in _BODY_NAMES
    }


def _of_envelope(body_at: str, records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Yield the pointers to the fields of an envelope around the body, if it is in other text.

    An envelope may lack any of them, so not every record needs to have them.
    """
    around, _, key = body_at.rpartition("/")
    if not around or key != "body":
        return
    envelopes = [_object(follow(record, pointer_path(around))) for record in records]
    for part, name in ENVELOPE_KEYS.items():
        values = [each[name] for each in envelopes if each.get(name) is not None]
        if is_nearly(sum(is_field(part, each) for each in values), len(values)):
            yield part, f"{around}/{name}"


def _object(value: object) -> Mapping[str, Any]:
    text = text_of(value)
    found = without_types(value if text is None else decoded(object_text(text)))
    return found if isinstance(found, Mapping) else {}


def _reader(mapping: FieldMapping) -> Callable[[Record], bool]:
    """Return a function that tells whether a mapping reads a record as a delivery with events."""
    reader = LineReader(ReplayOptions(field_mapping=replace(mapping, lines="json")))

    def reads(record: Record) -> bool:
        delivery = reader.read_any(record, None)
        return delivery is not None and has_events(delivery)

    return reads
