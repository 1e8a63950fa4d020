"""The attributes that a finding is counted under: those of an event, or of a whole conversation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, NOUNS, beginning, filled
from segue.analysis.causes.moments import NO_MINUTE, hash_of
from segue.core.conversation import Note, Report
from segue.core.findings import Finding, Place
from segue.logs.event_notes import EventNote
from segue.logs.keying import KEYS

Attributes: TypeAlias = tuple[str, ...]
"""The file, the bot, and the note of an event."""
EventKey: TypeAlias = tuple[str, int]
"""The name of the series that is numbered (`call notification`; empty for events), and the
position.
"""

KIND: Final = 2
"""The index of the kind in `Attributes`."""


class FindingPlace(NamedTuple):
    """The place of a finding that is counted."""

    code: str
    key: EventKey | None = None
    """The key of its event or action."""
    minute: int | None = None
    """The minute to use if its event has no note. None for the last minute of the conversation."""


class Attribution(NamedTuple):
    """The attributes and the minute that a finding is counted under."""

    attributes: Attributes
    minute: int


class Part(NamedTuple):
    """A conversation to be counted."""

    name: int
    """The hash of its key."""
    bot: str
    notes: Sequence[Note]
    found: Sequence[FindingPlace] = ()
    minute: int = NO_MINUTE
    """The minute of events before the first that has a time."""
    is_late: bool = False
    has_id: bool = True


def part_of(report: Report, found: Iterable[Finding]) -> Part:
    """Return the part for the conversation of a report, with the findings `found` of it."""
    key = KEYS[report.keyed_by](report)
    places = [FindingPlace(each.code, key_at(each.place)) for each in found]
    name, bot = hash_of(key or ""), report.bot_id or ""
    return Part(name, bot, report.notes, places, NO_MINUTE, report.late, key is not None)


def beginning_of(part: Part, ended: Mapping[int, EventNote]) -> EventNote:
    """Return the attributes that a part begins with.

    A late part continues with those of its conversation.
    """
    whole = beginning(CONVERSATION, part.notes)
    known = ended.get(part.name) if part.is_late else None
    return whole if known is None else (CONVERSATION, *filled(whole, known)[1:])


def event_keys(deliveries: Iterable[tuple[int, Sequence[tuple[Any, ...]]]]) -> Iterator[EventKey]:
    """Yield the key of each event.

    Args:
        deliveries: For each delivery the position of its first event, and notes of its events. A
            note begins with the kind of the event.

    """
    for position, events in deliveries:
        for number, event in enumerate(events, position):
            yield NOUNS.get(event[0], ""), number


def key_at(place: Place) -> EventKey | None:
    """Return the key of the event or action that a finding is at, or None if it is at neither."""
    if place.event is not None:
        return "", place.event
    return None if place.action is None else (place.noun, place.action)


def attributions_of(part: Part, seen: Sequence[Attribution]) -> Iterator[Attribution]:
    """Yield the attributes and the minute that each finding of a conversation is counted under.

    Args:
        part: The conversation.
        seen: Those of each event that has a note, followed by those of the conversation itself.

    """
    *events, whole = seen
    keys = event_keys((position, noted) for position, _, (_, noted) in part.notes)
    known = dict(zip(keys, events, strict=True))
    for found in part.found:
        here = None if found.key is None else known.get(found.key)
        if here is not None:
            yield here
        else:
            yield whole if found.minute is None else whole._replace(minute=found.minute)
