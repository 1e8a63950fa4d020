"""The attributes by which a finding is counted: those of its event or of its conversation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, NOUNS, beginning, filled
from segue.analysis.causes.moments import NO_MINUTE, hash_of
from segue.analysis.causes.notes import LONGEST
from segue.core.conversation import Note, Report
from segue.core.events.ids import is_placeholder
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
AGENT: Final = 3
"""The index of the agent. The queue comes after it."""
_AFTER_END: Final = "SG110"
"""The rule about events after END."""


class FindingPlace(NamedTuple):
    """A finding to count, reduced to the code of its rule and its place in the conversation."""

    code: str
    """The code of the rule, such as `SG103`."""
    key: EventKey | None = None
    """The key of the finding's event or action, or None if the finding is at neither."""
    minute: int | None = None
    """The minute to use if the event has no note, or None for the conversation's last minute."""
    lost: str = ""
    """The kind of the event if it was lost, for example `COLD exit`. `key` is then the key of the
    event before which it belongs.
    """
    agent: str = ""
    """The agent of a lost event, or an empty string."""


class Attribution(NamedTuple):
    """The attributes and the minute under which an event or a finding is counted.

    The search for causes compares findings with events that have the same attributes.
    """

    attributes: Attributes
    minute: int


class Part(NamedTuple):
    """The data of a conversation that is needed to count its events and findings.

    Deliveries that arrive after the END of a conversation form a `Part` of their own.
    """

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
    """Convert a report to a `Part`, which contains only the data needed for counting.

    Args:
        report: The report of a conversation. Its notes must come from `cause_notes()`.
        found: The findings of the report to count.

    """
    key = KEYS[report.keyed_by](report)
    places = [_place_of(report, each) for each in found]
    name, bot = hash_of(key or ""), report.bot_id or ""
    is_part = report.late and not report.replaces
    return Part(name, bot, report.notes, places, NO_MINUTE, is_part, key is not None)


def _place_of(report: Report, finding: Finding) -> FindingPlace:
    """Return the place of a finding, or that of the first edit of its mistake.

    An event after END is at its own place, although END may have come too early.
    """
    mistake = report.mistake_of(finding)
    if mistake is None or not mistake.edits or finding.code == _AFTER_END:
        return FindingPlace(finding.code, key_at(finding.place))
    if mistake.event is None:  # the log stops
        return FindingPlace(finding.code)
    edit, key, agent = mistake.edits[0], ("", mistake.event), mistake.agent or ""
    if edit.event is not None or edit.event_kind is None:
        return FindingPlace(finding.code, key)
    name = "" if is_placeholder(agent) else agent[:LONGEST]
    return FindingPlace(finding.code, key, lost=edit.named_kind, agent=name)


def beginning_of(part: Part, ended: Mapping[int, EventNote]) -> EventNote:
    """Return the attributes that the first events of a conversation inherit.

    An event without a queue, for example, inherits the queue of an earlier event. Events that
    arrive after an END inherit the attributes that the conversation had at its END.

    Args:
        part: The conversation, or its part after the END.
        ended: The attributes of ended conversations, by the hash of the key.

    """
    whole = beginning(CONVERSATION, part.notes)
    known = ended.get(part.name) if part.is_late else None
    return whole if known is None else (CONVERSATION, *filled(whole, known)[1:])


def event_keys(deliveries: Iterable[tuple[int, Sequence[tuple[Any, ...]]]]) -> Iterator[EventKey]:
    """Yield an `EventKey` for each event, such as `("", 3)` for the event at position 3.

    Args:
        deliveries: For each delivery, the position of its first event and the notes on its events.
            A note begins with the kind of the event.

    """
    for position, events in deliveries:
        for number, event in enumerate(events, position):
            yield NOUNS.get(event[0], ""), number


def key_at(place: Place) -> EventKey | None:
    """Return the `EventKey` of the event or action that a finding points at.

    Return None for a finding that is not about a single event or action.
    """
    if place.event is not None:
        return "", place.event
    return None if place.action is None else (place.noun, place.action)


def attributions_of(part: Part, seen: Sequence[Attribution]) -> Iterator[Attribution]:
    """Yield an `Attribution` for each finding in `part.found`, in the same order.

    A finding has the attributes of its event. If it has no event, or its event has no note, it has
    the attributes of the whole conversation.

    Args:
        part: The conversation.
        seen: The attributions of all events with a note, followed by that of the conversation.

    """
    *events, whole = seen
    keys = event_keys((position, noted) for position, _, (_, noted) in part.notes)
    known = {key: number for number, key in enumerate(keys)}
    for found in part.found:
        number = None if found.key is None else known.get(found.key)
        if number is None:
            yield whole if found.minute is None else whole._replace(minute=found.minute)
        else:
            yield _lost(found, events, number) if found.lost else events[number]


def _lost(found: FindingPlace, events: Sequence[Attribution], number: int) -> Attribution:
    """Return the attributes of a lost event: those of its agent's latest event before it.

    An agent without such an event has those of the event at `number`, but no queue.
    """
    (source, bot, _, *values), minute = events[number]
    if found.agent and found.agent != events[number].attributes[AGENT]:
        before = (events[at].attributes for at in range(number - 1, -1, -1))
        nothing = (source, bot, "", found.agent, "", *values[2:])
        own = (each for each in before if each[AGENT] == found.agent)
        source, bot, _, *values = next(own, nothing)
    return Attribution((source, bot, found.lost, *values), minute)
