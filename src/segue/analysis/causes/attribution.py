"""What findings are at: an event, an action or a message that was noted, or a conversation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, NOUNS, beginning, filled
from segue.analysis.causes.moments import NO_MINUTE, hash_of
from segue.core.conversation import Note, Report
from segue.core.findings import Finding, Place
from segue.logs import KEYS, EventNote

Attributes: TypeAlias = tuple[str, ...]
"""File, bot, and what is kept of an event."""
EventKey: TypeAlias = tuple[str, int]
"""What its position counts, such as `call notification`, empty for an event; and its position."""

KIND: Final = 2
"""Where in `Attributes` the kind is."""


class FindingPlace(NamedTuple):
    """Where a finding that counts is."""

    code: str
    key: EventKey | None = None
    """Of its event or action."""
    minute: int | None = None
    """Where nothing is kept of its event or action; None for the last of its conversation."""


class Attribution(NamedTuple):
    """What a finding counts for."""

    attributes: Attributes
    minute: int


class Part(NamedTuple):
    """What is known of a conversation, to be counted."""

    name: int
    """The hash of its key."""
    bot: str
    notes: Sequence[Note]
    found: Sequence[FindingPlace] = ()
    minute: int = NO_MINUTE
    """Of what has no time, until there is something that has."""
    is_late: bool = False
    has_id: bool = True


def part_of(report: Report, found: Iterable[Finding]) -> Part:
    """Return what a report says of its conversation, with these of its findings."""
    key = KEYS[report.keyed_by](report)
    places = [FindingPlace(each.code, key_at(each.place)) for each in found]
    name, bot = hash_of(key or ""), report.bot_id or ""
    return Part(name, bot, report.notes, places, NO_MINUTE, report.late, key is not None)


def beginning_of(part: Part, ended: Mapping[int, EventNote]) -> EventNote:
    """Return what a part counts for at first; what comes late, for what its conversation did."""
    whole = beginning(CONVERSATION, part.notes)
    known = ended.get(part.name) if part.is_late else None
    return whole if known is None else (CONVERSATION, *filled(whole, known)[1:])


def event_keys(deliveries: Iterable[tuple[int, Sequence[tuple[Any, ...]]]]) -> Iterator[EventKey]:
    """Yield the key of each event of deliveries: their first positions, and notes of their events.

    A note begins with the kind of its event.
    """
    for position, events in deliveries:
        for number, event in enumerate(events, position):
            yield NOUNS.get(event[0], ""), number


def key_at(place: Place) -> EventKey | None:
    """Return the key of the event that a finding is at; None if it is at none."""
    if place.event is not None:
        return "", place.event
    return None if place.action is None else (place.noun, place.action)


def attributions_of(part: Part, seen: Sequence[Attribution]) -> Iterator[Attribution]:
    """Yield what each finding of a conversation counts for.

    Args:
        part: What is known of a conversation.
        seen: What each of its events that were noted counts for, and last what itself does.

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
