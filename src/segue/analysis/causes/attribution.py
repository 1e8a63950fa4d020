"""The attributes by which a finding is counted: those of its event or of its conversation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, NOUNS, beginning, filled
from segue.analysis.causes.moments import NO_MINUTE, hash_of
from segue.core.conversation import Note, Report
from segue.core.findings import Finding, Place
from segue.logs.event_notes import EventNote
from segue.logs.keying import KEYS

Attributes: TypeAlias = tuple[str, ...]
"""The values of the attributes of an event: file, bot, and the values in the event's note."""
EventKey: TypeAlias = tuple[str, int]
"""The kind of numbering and the position of an event in it.

Actions and notifications are numbered separately. The kind is their noun, such as
`call notification`, or an empty string for other events.
"""

KIND: Final = 2
"""The index of the kind in `Attributes`."""


class FindingPlace(NamedTuple):
    """The rule and the place of a finding to count."""

    code: str
    """The code of the rule, such as `SG103`."""
    key: EventKey | None = None
    """The key of the finding's event or action, or None if the finding is at neither."""
    minute: int | None = None
    """The minute to use if the event has no note, or None for the conversation's last minute."""


class Attribution(NamedTuple):
    """The attributes and the minute by which an event or a finding is counted."""

    attributes: Attributes
    minute: int


class Part(NamedTuple):
    """A conversation to count, or the part of a conversation after its END."""

    name: int
    """The hash of the conversation's key."""
    bot: str
    notes: Sequence[Note]
    """The notes on the deliveries."""
    found: Sequence[FindingPlace] = ()
    """The findings to count."""
    minute: int = NO_MINUTE
    """The minute of events before the first event with a time."""
    is_late: bool = False
    """Whether the deliveries came after the END of a conversation that was counted before."""
    has_id: bool = True
    """Whether the conversation's id is known."""


def part_of(report: Report, found: Iterable[Finding]) -> Part:
    """Return the conversation of a report as a `Part` to count.

    `found` contains the findings of the report that are counted.
    """
    key = KEYS[report.keyed_by](report)
    places = [FindingPlace(each.code, key_at(each.place)) for each in found]
    name, bot = hash_of(key or ""), report.bot_id or ""
    return Part(name, bot, report.notes, places, NO_MINUTE, report.late, key is not None)


def beginning_of(part: Part, ended: Mapping[int, EventNote]) -> EventNote:
    """Return the attributes that the first events of a conversation inherit.

    The deliveries after an END inherit the attributes of their conversation.

    Args:
        part: The conversation, or its part after the END.
        ended: The attributes of ended conversations, by the hash of the key.

    """
    whole = beginning(CONVERSATION, part.notes)
    known = ended.get(part.name) if part.is_late else None
    return whole if known is None else (CONVERSATION, *filled(whole, known)[1:])


def event_keys(deliveries: Iterable[tuple[int, Sequence[tuple[Any, ...]]]]) -> Iterator[EventKey]:
    """Yield the key of each event, such as `("", 3)`, in the order of the deliveries.

    Args:
        deliveries: For each delivery, the position of its first event and the notes on its events.
            A note begins with the kind of the event.

    """
    for position, events in deliveries:
        for number, event in enumerate(events, position):
            yield NOUNS.get(event[0], ""), number


def key_at(place: Place) -> EventKey | None:
    """Return the key of the event or action at a place, or None if the place has neither."""
    if place.event is not None:
        return "", place.event
    return None if place.action is None else (place.noun, place.action)


def attributions_of(part: Part, seen: Sequence[Attribution]) -> Iterator[Attribution]:
    """Yield the attributes and the minute of each finding in `part.found`, in order.

    Args:
        part: The conversation.
        seen: The attributes and minutes of all events with a note, followed by those of the
            conversation itself.

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
