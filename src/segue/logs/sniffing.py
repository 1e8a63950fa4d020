"""Proposes how a log is read, from its first lines: a field mapping for each way that works.

A way works if deliveries with events come of it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any, Final, NamedTuple

from segue.core.events import INTAKES, Delivery
from segue.core.wire import read_time
from segue.core.wire.address import address_in
from segue.logs.body_places import decoded, members_of, places_of_bodies
from segue.logs.body_text import object_text
from segue.logs.field_mapping import FieldMapping
from segue.logs.json_pointer import follow, pointer_path
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.platforms import PLATFORMS
from segue.logs.readability import has_events
from segue.logs.sources import LogPath, first_lines

_MOST_LINES: Final = 1000
_FORMS: Final = (
    FieldMapping(),
    FieldMapping(records_at=""),
    FieldMapping(records_at="/log/entries"),  # a HAR that is too large for a line
    FieldMapping(lines="csv"),
    FieldMapping(lines="text"),
    *(FieldMapping(platform=platform) for platform in PLATFORMS),
)
"""How a log may be cut into records, tried in this order."""

_TIMES: Final = (
    *("received_at", "receivedat", "starteddatetime", "@timestamp", "timestamp", "time", "ts"),
    *("event_time", "eventtime", "datetime", "date", "created_at", "createdat", "at"),
)
"""Keys of times in lower case, the likelier ones first."""
_IDS: Final[Mapping[str, tuple[str, ...]]] = {
    "bot_at": ("bot_id", "botId"),
    "conversation_at": ("conversation_id", "conversationId"),
    "delivery_at": ("delivery_id", "deliveryId"),
    "endpoint_at": ("endpoint",),
}
_ENVELOPE: Final = {"time_at": "received_at", **{part: keys[0] for part, keys in _IDS.items()}}
"""The keys of an envelope, without the body, by the attribute of a mapping."""
_DEEPEST: Final = 4
_FIRST_YEAR: Final = 2000
_ONE_BAD_TIME_IN: Final = 20
"""A time that cannot be read is a finding; one in 20 does not rule out a place of times. The same
holds for other fields of an envelope."""


class Sniffed(NamedTuple):
    """What the beginning of a log says about how to read it."""

    is_ordinary: bool
    """Whether its lines are bodies or envelopes, so that nothing need be said."""
    ways: tuple[FieldMapping, ...] = ()
    """The ways that work; if there is one, it is sure."""


def sniff(log: LogPath) -> Sniffed:
    """Return how a log may be read; no way for one that cannot be opened or read again.

    Of standard input, what has come in is looked at and not taken.
    """
    ordinary = LineReader(ReplayOptions())
    if any(_has_events(ordinary.read_any(raw, None)) for raw in _lines(log, FieldMapping())):
        return Sniffed(is_ordinary=True)
    for form in _FORMS:
        if ways := tuple(_ways(log, form)):
            return Sniffed(is_ordinary=False, ways=tuple(_without_weaker(ways)))
    return Sniffed(is_ordinary=False)


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


def _without_weaker(ways: tuple[FieldMapping, ...]) -> Iterator[FieldMapping]:
    """Yield the ways, but for those that differ from another by what they leave out."""
    for way in ways:
        if not (way.skip_others and replace(way, skip_others=False) in ways):
            yield way


def _has_events(delivery: Delivery | None) -> bool:
    return delivery is not None and has_events(delivery)


def _lines(log: LogPath, form: FieldMapping) -> Iterator[bytes]:
    return islice(first_lines(log, form), _MOST_LINES)


def _ways(log: LogPath, form: FieldMapping) -> Iterator[FieldMapping]:
    """Yield the mappings that work for records of this form."""
    records = [each for each in map(form.record, _lines(log, form)) if each is not None]
    if form.records_at == "" and any(isinstance(each, Delivery) for each in records):
        return  # something else stands beside the values
    lists: Counter[str] = Counter()
    bodies: Counter[str] = Counter()
    readable = [each for each in records if isinstance(each, Mapping)]
    for places in map(list, map(places_of_bodies, readable)):
        # Each once a record, in their order.
        alone = [each.pointer for each in places if each.list_pointer is None]
        in_lists = [each.list_pointer for each in places if each.list_pointer is not None]
        bodies.update(list(dict.fromkeys(alone)))
        lists.update(list(dict.fromkeys(in_lists)))
    ways = (_way(replace(form, body_at=pointer), readable) for pointer, _ in bodies.most_common())
    found = [way for way in ways if way is not None]
    yield from found
    if not found and form == FieldMapping():
        for pointer, _ in lists.most_common():
            yield from _ways(log, replace(form, records_at=pointer))


def _way(mapping: FieldMapping, records: Sequence[Mapping[str, Any]]) -> FieldMapping | None:
    """Return a mapping with all that its records have, or None if no delivery comes of it."""
    reader = LineReader(ReplayOptions(field_mapping=replace(mapping, lines="json")))
    read = [each for each in records if _has_events(reader.read_any(each, None))]
    if not read:
        return None
    leaves = [dict(_leaves(record, "", mapping.body_at, _DEEPEST)) for record in read]
    common = set.intersection(*map(set, leaves))
    skip_others = any(map(replace(mapping, skip_others=True).leaves_out, records))
    parts: dict[str, Any] = dict(_ids(leaves, common, mapping.body_at)) if mapping.body_at else {}
    envelope = dict(_of_envelope(mapping.body_at, records))
    if mapping.body_at == "/body":
        mapping = replace(mapping, body_at="")
    url = next((at for at in leaves[0] if at in common and _is_url(at, leaves)), None)
    parts["time_at"] = _time_at(leaves, common, mapping)
    return replace(mapping, url_at=url, skip_others=skip_others, **parts | envelope)


def _of_envelope(body_at: str, records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the pointers to the fields of an envelope around the body, if it is in other text.

    An envelope may lack any of them, so not every record needs to have them.
    """
    around, _, key = body_at.rpartition("/")
    if not around or key != "body":
        return
    envelopes = [_object(follow(record, pointer_path(around))) for record in records]
    for part, name in _ENVELOPE.items():
        values = [each[name] for each in envelopes if each.get(name) is not None]
        read = sum(_is_field(part, each) for each in values)
        if read and len(values) - read <= len(values) // _ONE_BAD_TIME_IN:
            yield part, f"{around}/{name}"


def _object(value: object) -> Mapping[str, Any]:
    found = decoded(object_text(value)) if isinstance(value, str) else value
    return found if isinstance(found, Mapping) else {}


def _is_field(part: str, value: object) -> bool:
    """Return whether a value can be that of a field of an envelope."""
    if part == "time_at":
        return _reads_as_time(value)
    return isinstance(value, str) and bool(value) and (part != "endpoint_at" or value in INTAKES)


def _leaves(value: object, pointer: str, body_at: str, depth: int) -> Iterator[tuple[str, object]]:
    """Yield what stands beside the body: each value that holds no other, with its pointer."""
    if isinstance(value, str) and depth < _DEEPEST:
        text = object_text(value).lstrip()
        value = (decoded(text) if text.startswith("{") else None) or value
    if not isinstance(value, Mapping):
        yield pointer, value
    elif depth:
        for key, member in members_of(value):
            if f"{pointer}/{key}" != body_at:
                yield from _leaves(member, f"{pointer}/{key}", body_at, depth - 1)


def _is_url(pointer: str, leaves: Sequence[Mapping[str, object]]) -> bool:
    return all(isinstance(url := each[pointer], str) and address_in(url) for each in leaves)


def _time_at(
    leaves: Sequence[Mapping[str, object]], common: set[str], mapping: FieldMapping
) -> str | None:
    """Return the likeliest pointer to a time that every record has."""
    times = [at for at in leaves[0] if at in common and _is_time(at, leaves)]
    found = min(times, key=lambda at: (_TIMES.index(_key(at)), len(at)), default=None)
    return None if found == "/received_at" and not mapping.body_at else found


def _is_time(pointer: str, leaves: Sequence[Mapping[str, object]]) -> bool:
    """Return whether a value is named as a time is, and nearly always can be read as one."""
    if _key(pointer) not in _TIMES:
        return False
    read = sum(_reads_as_time(each[pointer]) for each in leaves)
    return len(leaves) - read <= len(leaves) // _ONE_BAD_TIME_IN


def _key(pointer: str) -> str:
    return pointer.rpartition("/")[2].lower()


def _reads_as_time(value: object) -> bool:
    try:
        when = read_time(value)
    except (ValueError, TypeError, OverflowError):
        return False
    return when is not None and when.year >= _FIRST_YEAR


def _ids(
    leaves: Sequence[Mapping[str, object]], common: set[str], body_at: str
) -> Iterator[tuple[str, str]]:
    """Yield the pointers to ids at the top of every record, but for those of an envelope."""
    for part, keys in _IDS.items():
        for key in keys[body_at == "/body" :]:
            values = [each[f"/{key}"] for each in leaves] if f"/{key}" in common else []
            is_known = part != "endpoint_at" or INTAKES.keys() >= set(values)
            if values and is_known and all(isinstance(each, str) and each for each in values):
                yield part, f"/{key}"
                break
