"""How often something could go wrong, and how often it did, by attributes and minute.

Counts of parts of a log can be merged in any order and come to the counts of the whole, as long as
no conversation is in two parts.  Memory is bounded: of a log that is too large only a share of the
conversations is counted, which a hash of the conversation decides, and so alike everywhere.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple, TypeAlias, TypeVar

from segue.conversation import Note, Report
from segue.events import ActionKind, EventKind
from segue.findings import Finding, Severity
from segue.logs import EventNote

Attributes: TypeAlias = tuple[str, ...]
"""File, bot, and what is kept of an event."""
Moments: TypeAlias = "array[int]"
"""Minutes since 1970, each with the level of its conversation; see `_LEVEL_BITS`."""
_Events: TypeAlias = dict[EventNote, Moments]
_Opportunities: TypeAlias = dict[tuple[str, str], _Events]
"""By file and bot, and by what is kept of an event."""


class FindingPlace(NamedTuple):
    """Where a finding that counts is."""

    code: str
    event: int | None = None
    action: int | None = None
    minute: int | None = None
    """Where nothing is kept of its event or action; None for the last of its conversation."""


_Key = TypeVar("_Key")

MOST_ROWS: Final = 1 << 20
"""So many events are counted at most, in eight bytes each."""
NO_MINUTE: Final = -(1 << 50)
"""Stands for the minute of an event without a time."""
CONVERSATION: Final = "conversation"
RECORDED: Final = "recorded conversation"
"""Kinds of findings about a conversation as a whole, without and with transcription actions."""
UNREADABLE: Final = EventKind.UNPROCESSABLE.value
"""A finding at such an event might have been at any event that is not a message."""

_HASH_SIZE: Final = 8
_LEVEL_BITS: Final = 6
"""The low bits of a moment are the level of its conversation: so many zero bits its hash begins
with, of which it depends whether it is counted."""
_LEVEL: Final = (1 << _LEVEL_BITS) - 1
_ACTIONS: Final = frozenset(kind.value for kind in ActionKind)
_MESSAGES: Final = frozenset(
    {EventKind.USER_MESSAGE.value, EventKind.AGENT_MESSAGE.value, EventKind.MESSAGE.value}
)
NO_EVENTS: Final = frozenset({CONVERSATION, RECORDED, *_ACTIONS, *_MESSAGES})
"""Kinds that an unreadable event cannot have been."""
_KIND: Final = 2
"""Where in `Attributes` the kind is."""
_SHORT: Final = 2
"""Parts of the note of a message or an action."""
_NOTHING: Final[EventNote] = ("",) * 7


@dataclass(slots=True)
class Counts:
    """Counts over the reports of a log that was replayed with `note_of`."""

    most_rows: int = MOST_ROWS
    totals: Counter[str] = field(default_factory=Counter)
    """All findings that count, by code."""
    share: int = 0
    """One in `2 ** share` conversations is counted."""
    _opportunities: _Opportunities = field(default_factory=dict)
    """When something could have gone wrong."""
    _found: dict[tuple[str, Attributes], Moments] = field(default_factory=dict)
    """Findings by code and attributes."""
    _squares: Counter[tuple[int, str]] = field(default_factory=Counter)
    """By level and code, the sum over the conversations of their findings squared."""
    _ended: dict[int, EventNote] = field(default_factory=dict)
    """The attributes of each conversation by the hash of its name, for what comes late."""
    _rows: int = 0
    """How many opportunities there are."""

    def add(self, report: Report) -> None:
        """Count a report."""
        found: Sequence[FindingPlace] = ()
        if report.findings:
            found = [
                FindingPlace(each.code, each.place.event, each.place.action)
                for each in _found_in(report)
            ]
            self.totals.update([each.code for each in found])
        bot, conversation_id = report.key
        name = _hash_of(bot or "", conversation_id or "")
        level = _level_of(name)
        if level >= self.share:
            conversation = _Conversation(report.bot_id or "", report.notes, level)
            conversation.is_readable = conversation_id is not None
            self._count(name, conversation, found, is_late=report.late)

    def add_part(
        self,
        key: tuple[str, str],
        notes: Sequence[Note],
        found: Sequence[FindingPlace],
        minute: int,
    ) -> None:
        """Count what is known of a conversation of this bot and id, which came until a minute."""
        self.totals.update([each.code for each in found])
        name = _hash_of(*key)
        level = _level_of(name)
        if level >= self.share:
            self._count(name, _Conversation(key[0], notes, level, minute), found)

    def _count(
        self,
        name: int,
        conversation: "_Conversation",
        found: Sequence[FindingPlace],
        *,
        is_late: bool = False,
    ) -> None:
        if found:
            conversation.places = {}
        if is_late:  # an event that comes late is not one more that could go wrong
            known = self._ended.get(name)
            first = conversation.first if known is None else _filled(conversation.first, known)
            whole = conversation.count({}, first)
        else:
            whole = conversation.count(self._opportunities, conversation.first)
            self._ended[name] = whole
            self._rows += conversation.rows
        if found:
            self._count_findings(conversation, found, whole)
        if self._rows > self.most_rows:
            self._shrink()

    def _count_findings(
        self, conversation: "_Conversation", found: Sequence[FindingPlace], whole: EventNote
    ) -> None:
        counts: Counter[str] = Counter()
        for finding in found:
            attributes, minute = conversation.place_of(finding, whole)
            moments = self._found.setdefault((finding.code, attributes), _no_moments())
            moments.append(_moment(minute, conversation.level))
            counts[finding.code] += 1
        for code, number in counts.items():
            self._squares[conversation.level, code] += number * number

    def merge(self, other: "Counts") -> None:
        """Add the counts of another part of the log."""
        self.totals.update(other.totals)
        self._squares.update(other._squares)  # noqa: SLF001 - of the same class
        self._ended.update(other._ended)  # noqa: SLF001
        for where, events in other._opportunities.items():  # noqa: SLF001
            known = _events_of(self._opportunities, *where)
            for event, moments in events.items():
                known[event].extend(moments)
        for key, moments in other._found.items():  # noqa: SLF001
            self._found.setdefault(key, _no_moments()).extend(moments)
        self._keep_share(max(self.share, other.share))
        self._shrink()

    def _shrink(self) -> None:
        while self._rows > self.most_rows:
            self._keep_share(self.share + 1)

    def _keep_share(self, share: int) -> None:
        """Forget the conversations that are not counted if one in `2 ** share` is."""
        self.share, opportunities, self._rows = share, self._opportunities, 0
        for where, events in opportunities.items():
            opportunities[where] = defaultdict(_no_moments, _of_share(events, share))
            self._rows += sum(map(len, opportunities[where].values()))
        self._found = _of_share(self._found, share)
        self._ended = {name: of for name, of in self._ended.items() if _level_of(name) >= share}

    def opportunities(self) -> Iterator[tuple[Attributes, list[int]]]:
        """Yield the minutes in which something could have gone wrong, by attributes."""
        for where, events in self._opportunities.items():
            for event, moments in events.items():
                yield (*where, *event), _minutes_of(moments)

    def found(self) -> Iterator[tuple[str, Attributes, list[int]]]:
        """Yield the minutes of the findings, by code and attributes."""
        for (code, attributes), moments in self._found.items():
            yield code, attributes, _minutes_of(moments)

    def squares(self, code: str) -> int:
        """Return the sum over the conversations of their findings of a rule, squared."""
        levels = range(self.share, _LEVEL + 1)
        return sum(self._squares[level, code] for level in levels)


def _hash_of(bot: str, conversation_id: str) -> int:
    name = f"{bot}\0{conversation_id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=_HASH_SIZE).digest())


def _found_in(report: Report) -> list[Finding]:
    """Return the mistakes, and the warnings that follow from none."""
    warnings = (each for each in report.findings if each.severity is Severity.WARNING)
    return [*report.mistakes, *(each for each in warnings if each.follows is None)]


def _level_of(name: int) -> int:
    return min(8 * _HASH_SIZE - name.bit_length(), _LEVEL)


def _no_moments() -> Moments:
    return array("q")


def _minutes_of(moments: Moments) -> list[int]:
    return [moment >> _LEVEL_BITS for moment in moments]


def _moment(minute: int, level: int) -> int:
    return minute << _LEVEL_BITS | level


def _of_share(moments: dict[_Key, Moments], share: int) -> dict[_Key, Moments]:
    """Return those of conversations that are counted if one in `2 ** share` is."""
    left = (
        (key, array("q", [each for each in some if each & _LEVEL >= share]))
        for key, some in moments.items()
    )
    return {key: some for key, some in left if some}


def _events_of(opportunities: _Opportunities, source: str, bot: str) -> _Events:
    """Return the events of this file and bot."""
    known = opportunities.get((source, bot))
    if known is None:
        known = opportunities[source, bot] = defaultdict(_no_moments)
    return known


def _filled(event: EventNote, last: EventNote) -> EventNote:
    """Return an event with what another says where it says nothing."""
    kind, agent, queue, language, experience, flag, spelling = event
    return (
        kind,
        agent or last[1],
        queue or last[2],
        language or last[3],
        experience or last[4],
        flag or last[5],
        spelling or ("" if flag else last[6]),  # only transfers have the flag
    )


@dataclass(slots=True)
class _Conversation:
    """What is known of a conversation, to be counted."""

    bot: str
    notes: Sequence[Note]
    level: int
    minute: int = NO_MINUTE
    """Of the latest event; of what has no time, until there is one that has."""
    is_readable: bool = True
    """Whether it is known which conversation it is."""
    rows: int = 0
    """How often something could have gone wrong."""
    places: dict[tuple[bool, int], tuple[Attributes, int]] | None = None
    """Attributes and minute of each event and action, where there are findings."""

    @property
    def first(self) -> EventNote:
        """The first event that is neither a message nor an action."""
        for note in self.notes:
            events: Sequence[EventNote] = note[2][1]
            for event in events:
                if len(event) > _SHORT:
                    return event
        return _NOTHING

    def count(self, opportunities: _Opportunities, last: EventNote) -> EventNote:
        """Count all events, and the conversation; return the attributes it has as a whole.

        What an event does not say is as in `last`, then as in the latest that is neither a message
        nor an action.
        """
        bot, level, minute, places = self.bot, self.level, self.minute, self.places
        source, rows, moment, is_recorded = None, 1, _moment(minute, level), False
        moments: _Events = {}
        for first, log, (at, events) in self.notes:
            position = first
            if at is not None:
                minute, moment = at, at << _LEVEL_BITS | level
            if log != source:
                source, moments = log, _events_of(opportunities, log, bot)
            for event in events:
                if len(event) > _SHORT:
                    _, agent, queue, language, experience, flag, _ = event
                    is_full = agent and queue and language and experience and flag
                    here = last = event if is_full else _filled(event, last)
                    is_counted = True
                else:
                    here = (*event, *last[_SHORT:])
                    is_counted = event[0] not in _MESSAGES
                    is_recorded = is_recorded or event[0] in _ACTIONS
                if is_counted:
                    moments[here].append(moment)
                    rows += 1
                if places is not None:
                    places[here[0] in _ACTIONS, position] = (log, bot, *here), minute
                    position += 1
        self.minute, self.rows = minute, rows
        kind = RECORDED if is_recorded else CONVERSATION
        whole = (kind if self.is_readable else UNREADABLE, *last[1:])
        _events_of(opportunities, source or "", bot)[whole].append(moment)
        return whole

    def place_of(self, finding: FindingPlace, whole: EventNote) -> tuple[Attributes, int]:
        """Return the attributes and the minute of what a finding is about.

        A message counts for its conversation, of which the attributes are `whole`.
        """
        _, event, action, minute = finding
        number = action if event is None else event
        places = self.places or {}
        here = None if number is None else places.get((event is None, number))
        if here is None:
            source = self.notes[-1][1] if self.notes else ""
            return (source, self.bot, *whole), self.minute if minute is None else minute
        attributes, minute = here
        if attributes[_KIND] in _MESSAGES:
            attributes = (*attributes[:_KIND], whole[0], *attributes[_KIND + 1 :])
        return attributes, minute
